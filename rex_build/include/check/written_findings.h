/* The findings as JSON and SARIF. Included by runtime.c. */

static void write_escaped(FILE *out, const char *string)
{
    putc('"', out);
    for (; string && *string; ++string)
        if (*string == '"' || *string == '\\')
            fprintf(out, "\\%c", *string);
        else if ((unsigned char)*string < ' ')
            fprintf(out, "\\u%04x", (unsigned char)*string);
        else
            putc(*string, out);
    putc('"', out);
}

static void write_json(FILE *out)
{
    const char *comma = "";
    unsigned int i;
    int k;
    fprintf(out, "{\"regions\": %" PRIu64 ", \"bytes_to_device\": %" PRIu64 ", \"bytes_from_device\": %" PRIu64
                 ", \"device_accesses\": %" PRIu64 ", \"suppressed\": %u, \"findings\": [",
            regions, copied_to, copied_from, device_accesses, suppressed_count);
    for (i = 0; i < finding_count; ++i) {
        const struct finding *const f = &findings[i];
        if (f->is_advice < 0)
            continue;
        fprintf(out, "%s\n{\"name\": \"%s\", \"level\": \"%s\", \"file\": ", comma, f->kind, f->is_advice ? "note" : "error");
        write_escaped(out, f->at.file);
        fprintf(out, ", \"line\": %d, \"count\": %" PRIu64 ", \"message\": ", f->at.line, f->count);
        write_escaped(out, f->message);
        fputs(", \"function\": ", out);
        write_escaped(out, f->at.function);
        fputs(", \"variable\": ", out);
        write_escaped(out, f->variable);
        fputs(", \"directive\": ", out);
        write_escaped(out, f->directive);
        fputs(", \"help\": ", out);
        write_escaped(out, f->help);
        fputs(", \"notes\": [", out);
        for (k = 0; k < f->note_count; ++k) {
            fputs(k ? ", " : "", out);
            write_escaped(out, f->notes[k]);
        }
        fputs("]}", out);
        comma = ",";
    }
    fputs("\n]}\n", out);
}

static void write_location(FILE *out, const struct place *place)
{
    const char *c;
    fprintf(out, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"%s", *place->file == '/' ? "file://" : "");
    for (c = place->file; *c; ++c)
        if ((unsigned char)*c > ' ' && (unsigned char)*c < 127 && !strchr("\"%<>?#[]\\^`{|}", *c))
            putc(*c, out);
        else
            fprintf(out, "%%%02X", (unsigned char)*c);
    fprintf(out, "\"}, \"region\": {\"startLine\": %d}}", place->line > 0 ? place->line : 1);
}

static void write_sarif(FILE *out)
{
    const char *comma = "";
    unsigned int i;
    int k;
    fputs("{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": [{\"tool\": "
          "{\"driver\": {\"name\": \"rex-build check\", \"rules\": [",
          out);
    for (i = 0; i < finding_count; ++i) { /* each kind once */
        for (k = 0; k < (int)i && (findings[k].is_advice < 0 || findings[k].kind != findings[i].kind); ++k)
            ;
        if (k < (int)i || findings[i].is_advice < 0)
            continue;
        fprintf(out, "%s{\"id\": \"%s\"}", comma, findings[i].kind);
        comma = ", ";
    }
    fputs("]}}, \"results\": [", out);
    comma = "";
    for (i = 0; i < finding_count; ++i) {
        const struct finding *const f = &findings[i];
        if (f->is_advice < 0)
            continue;
        fprintf(out, "%s\n{\"ruleId\": \"%s\", \"level\": \"%s\", \"occurrenceCount\": %" PRIu64 ", \"message\": {\"text\": ",
                comma, f->kind, f->is_advice ? "note" : "error", f->count);
        write_escaped(out, f->help ? text("%s. To mend it, %s", f->message, f->help) : f->message);
        fputs("}, \"locations\": [{", out);
        write_location(out, &f->at);
        fputs("}], \"relatedLocations\": [", out);
        for (k = 0; k < f->other_count; ++k) {
            fprintf(out, "%s{\"id\": %d, ", k ? ", " : "", k + 1);
            write_location(out, &f->others[k]);
            fputs("}", out);
        }
        fputs("]}", out);
        comma = ",";
    }
    fputs("\n]}]}\n", out);
}

/* REX_CHECK_OUTPUT is json:FILE or sarif:FILE. */
static void write_output(void)
{
    const char *wanted = getenv("REX_CHECK_OUTPUT");
    const int is_sarif = wanted && strncmp(wanted, "sarif:", 6) == 0, is_json = wanted && strncmp(wanted, "json:", 5) == 0;
    FILE *out;
    if (!wanted || !*wanted)
        return;
    out = is_sarif || is_json ? fopen(strchr(wanted, ':') + 1, "w") : NULL;
    if (!out) {
        fprintf(stderr, "rex-build check: cannot write REX_CHECK_OUTPUT=%s: expected json:FILE or sarif:FILE\n", wanted);
        return;
    }
    if (is_sarif)
        write_sarif(out);
    else
        write_json(out);
    fclose(out);
}
