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
    const char *const path = path_of(place), *c;
    fprintf(out, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"%s", *path == '/' ? "file://" : "");
    for (c = path; *c; ++c)
        if ((unsigned char)*c > ' ' && (unsigned char)*c < 127 && !strchr("\"%<>?#[]\\^`{|}", *c))
            putc(*c, out);
        else
            fprintf(out, "%%%02X", (unsigned char)*c);
    fprintf(out, "\"}, \"region\": {\"startLine\": %d}}", place->line > 0 ? place->line : 1);
}

/* What the kinds of findings are about, as docs/check-device.md explains it. */
static const char *const rules[][2] = {
    {"race", "Two iterations, threads or teams access the same memory, one of them writes, and nothing orders them."},
    {"counted-twice", "Copies of a reduction begin with the variable's value, which is then combined again for each of them."},
    {"barrier", "Some threads of a team wait at a barrier that the others do not come to."},
    {"nowait", "Memory is used that a directive with 'nowait' copies, and nothing has waited for it."},
    {"unmapped-access", "Device code follows a pointer to the host's memory."},
    {"outside-section", "Device code goes beyond what is mapped."},
    {"section-too-long", "A section is longer than the memory that it is in."},
    {"released-access", "Device code uses an address of device memory that was released."},
    {"device-crash", "Device code has crashed, and the program ends."},
    {"device-memory-on-host", "The host follows an address of device memory."},
    {"uninitialised-read", "Memory is read that nothing has written."},
    {"stale-read-on-device", "The device reads a value that the host has changed since it was copied."},
    {"stale-read-on-host", "The host reads a value that the device has changed since."},
    {"dropped-result", "The host reads memory that the device had changed, and the change was never copied back."},
    {"lost-host-write", "A copy from the device replaced what the host had written in the meantime."},
    {"double-release", "Data is released that is not mapped any more."},
    {"never-released", "Data is still mapped at the end of the program."},
    {"freed-while-mapped", "The host gives memory back that is mapped."},
    {"needless-transfer", "Data is copied to a side that has it already."},
    {"unread-result", "Data is copied back, and the host does not read it."},
    {"unused-mapping", "Data is mapped, and no region uses it."},
    {"repeated-allocation", "Memory of the device is allocated again and again."},
};

static int has_finding(const char *kind)
{
    unsigned int i;
    for (i = 0; i < finding_count; ++i)
        if (findings[i].is_advice >= 0 && !strcmp(findings[i].kind, kind))
            return 1;
    return 0;
}

static void write_rules(FILE *out)
{
    const char *comma = "";
    size_t i;
    for (i = 0; i < sizeof(rules) / sizeof(rules[0]); ++i) {
        if (!has_finding(rules[i][0]))
            continue;
        fprintf(out, "%s\n{\"id\": \"%s\", \"shortDescription\": {\"text\": ", comma, rules[i][0]);
        write_escaped(out, rules[i][1]);
        fputs("}, \"help\": {\"text\": ", out);
        write_escaped(out, text("%s docs/check-device.md of rex-build explains %s with a wrong and a mended program.", rules[i][1],
                                rules[i][0]));
        fputs("}}", out);
        comma = ",";
    }
}

static void write_sarif(FILE *out)
{
    const char *comma = "";
    unsigned int i;
    int k;
    fputs("{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": [{\"tool\": "
          "{\"driver\": {\"name\": \"rex-build check\", \"rules\": [",
          out);
    write_rules(out);
    fputs("]}}, \"results\": [", out);
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
