/* Findings: what is said of them, where they are, and how they are written. Included by runtime.c. */

struct place {
    char file[256];
    int line;
    char function[128];
};

enum { MAX_NOTES = 6, MAX_OTHERS = 4, MAX_FINDINGS = 4096 };

struct finding {
    struct finding *same; /* that this one repeats, and that is shown */
    const char *kind;
    int is_advice; /* it costs time but the results are right */
    uint64_t key, count;
    char *message, *notes[MAX_NOTES], *help, *variable, *directive;
    int note_count, other_count;
    struct place at, others[MAX_OTHERS]; /* the places of notes: a comment there silences the finding, too */
};

static struct finding findings[MAX_FINDINGS];
static unsigned int finding_count, suppressed_count;
static pthread_mutex_t report_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- names that rex-build hands to libomptarget: fields between semicolons -------------------------------------------- */

static void field(char *out, size_t room, const char *text, int number)
{
    size_t length;
    *out = 0;
    if (!text || *text != ';')
        return;
    for (++text; number > 0; --number) {
        text = strchr(text, ';');
        if (!text)
            return;
        ++text;
    }
    length = strcspn(text, ";");
    if (length >= room)
        length = room - 1;
    real_memcpy(out, text, length);
    out[length] = 0;
}

static struct place place_of_directive(const char *where)
{
    struct place place = {.line = 0};
    char line[16];
    field(place.file, sizeof(place.file), where, 0);
    field(place.function, sizeof(place.function), where, 1);
    field(line, sizeof(line), where, 2);
    place.line = atoi(line);
    return place;
}

static const char *last_directive; /* the latest one of all threads */

/* The directive whose region or data movement is going on. */
static const char *current_directive(void)
{
    const char *const known = self.in_device ? launch_places[current_launch % KNOWN_LAUNCHES] : NULL;
    return self.call && self.call->location ? self.call->location->source : known;
}

/* file:line:column of a directive */
static const char *directive_place(char *out, size_t room, const char *where)
{
    char file[256], line[16], column[16];
    field(file, sizeof(file), where, 0);
    field(line, sizeof(line), where, 2);
    field(column, sizeof(column), where, 3);
    if (*file)
        snprintf(out, room, "%s:%s:%s", file, line, column);
    else
        snprintf(out, room, "an unknown place");
    return out;
}

/* The variable of a map row without its section: h.x of h.x[0:n]. */
static const char *variable_of(char *out, size_t room, const char *name)
{
    const char *inner;
    field(out, room, name, 0);
    if (!*out)
        snprintf(out, room, "memory");
    inner = strstr(out, ": "); /* "v by mapper: v.data[0:n]" */
    if (inner)
        memmove(out, inner + 2, strlen(inner + 2) + 1);
    out[strcspn(out, "[(")] = 0;
    while (*out && out[strlen(out) - 1] == ' ')
        out[strlen(out) - 1] = 0;
    return out;
}

static const char *element_of(char *out, size_t room, const struct block *block, int64_t offset, size_t size)
{
    char variable[160], whole[160];
    const char *section;
    const size_t all = block->whole ? block->whole : block->size;
    long lower = 0;
    offset += (int64_t)block->skipped;
    field(whole, sizeof(whole), block->name, 0);
    variable_of(variable, sizeof(variable), block->name);
    section = strchr(whole, '[');
    if (section)
        lower = strtol(section + 1, NULL, 10);
    if (block->kind == STACK)
        snprintf(out, room, "a variable of the target region");
    else if ((block->kind == MAPPED || block->kind == GLOBAL) && !section && all == size && offset == 0)
        snprintf(out, room, "%s", variable);
    else if (section && strchr(section + 1, '['))
        snprintf(out, room, "%s (byte %" PRId64 " of %s)", variable, offset, whole);
    else if (size && offset % (int64_t)size == 0 && (section || block->kind == ALLOCATED || all > 64))
        snprintf(out, room, "%s[%" PRId64 "]", variable, offset / (int64_t)size + lower);
    else
        snprintf(out, room, "%s (byte %" PRId64 ")", variable, offset);
    return out;
}

static const char *map_type(const struct block *block)
{
    static const char *const names[] = {"alloc", "to", "from", "tofrom"};
    return names[block->type & 3];
}

/* ---- places of code ----------------------------------------------------------------------------------------------------- */

struct known_place {
    const char *caller;
    struct place place;
};
enum { KNOWN_PLACES = 1024 };
static struct known_place known_places[KNOWN_PLACES];

/* Whether a file is a header of the system, as are the C++ library's. */
static int is_of_system(const char *file)
{
    return !strncmp(file, "/usr/include/", 13) || strstr(file, "/include/c++/") || strstr(file, "/lib/gcc/");
}

/* Asks addr2line of the binutils, which every gcc has, about the call in front of `caller`. Code of the device library and
 * generated code is the user's line that it is inlined into, and no line if there is none. */
static void look_up(struct place *place, const char *caller)
{
    char command[1024], line[4096], function[4096] = "", ours[256] = "";
    Dl_info info;
    FILE *answer;
    if (!dladdr(caller, &info) || !info.dli_fname) {
        snprintf(place->file, sizeof(place->file), "%p", (const void *)caller);
        return;
    }
    snprintf(command, sizeof(command), "addr2line -f -i -e '%s' 0x%" PRIxPTR " 2>/dev/null", info.dli_fname,
             (uintptr_t)caller - 1
                 - (((const ElfW(Ehdr) *)info.dli_fbase)->e_type == ET_DYN ? (uintptr_t)info.dli_fbase : 0));
    answer = popen(command, "r");
    while (answer && fgets(function, sizeof(function), answer) && fgets(line, sizeof(line), answer)) {
        char *colon = strrchr(line, ':');
        const char *base;
        function[strcspn(function, "\n")] = 0;
        if (!colon || *line == '?')
            continue;
        *colon = 0;
        base = strrchr(line, '/') ? strrchr(line, '/') + 1 : line;
        if (strncmp(base, "rex_", 4) == 0 || strncmp(base, "xomp_", 5) == 0) {
            snprintf(ours, sizeof(ours), "%.255s", line);
            continue; /* a line of the device library or of a generated file; the user's line calls it */
        }
        if (*place->file && is_of_system(line))
            continue; /* the user's line calls this one, too */
        snprintf(place->file, sizeof(place->file), "%.255s", line);
        place->line = atoi(colon + 1);
        snprintf(place->function, sizeof(place->function), "%.127s", function);
        if (!is_of_system(line))
            break;
    }
    if (answer) {
        while (fgets(line, sizeof(line), answer))
            ;
        pclose(answer);
    }
    if (!*place->file && current_directive())
        place->line = -1; /* generated code of a region: the directive's place stands for it */
    else if (!*place->file && *ours)
        snprintf(place->file, sizeof(place->file), "%s", ours);
    else if (!*place->file)
        snprintf(place->file, sizeof(place->file), "%s+0x%tx", info.dli_fname, caller - (const char *)info.dli_fbase);
}

/* The user's line that has called a function of a header. */
static void look_up_user(struct place *place, const char *caller)
{
    void *callers[64];
    const int count = backtrace(callers, 64);
    int i = 0;
    while (i < count && callers[i] != caller)
        ++i;
    while (++i < count) {
        struct place around = {0};
        look_up(&around, callers[i]);
        if (around.line > 0 && !is_of_system(around.file)) {
            *place = around;
            return;
        }
    }
}

static struct place place_of(const char *caller)
{
    struct known_place *known = &known_places[((uintptr_t)caller >> 2) % KNOWN_PLACES];
    if (known->caller != caller) {
        known->caller = caller;
        real_memset(&known->place, 0, sizeof(known->place));
        ++self.in_runtime;
        look_up(&known->place, caller);
        if (is_of_system(known->place.file))
            look_up_user(&known->place, caller);
        --self.in_runtime;
    }
    return known->place;
}

/* Where files are that messages name shortly, as debug information says. */
struct known_file {
    char spelled[256], path[256];
};
enum { KNOWN_FILES = 64 };
static struct known_file known_files[KNOWN_FILES];

static void remember_file(const char *spelled, const char *path)
{
    int i;
    for (i = 0; i < KNOWN_FILES && *known_files[i].spelled; ++i)
        if (!strcmp(known_files[i].spelled, spelled))
            return;
    if (i == KNOWN_FILES)
        return;
    snprintf(known_files[i].path, sizeof(known_files[i].path), "%s", path);
    snprintf(known_files[i].spelled, sizeof(known_files[i].spelled), "%s", spelled);
}

/* Compilers name the folder in which they ran in front. Where a directive names the same file, its spelling is used. */
static void spell_like(struct place *place, const char *where)
{
    char file[256];
    size_t length, whole = strlen(place->file);
    if (place->line < 0) {
        *place = place_of_directive(current_directive() ? current_directive() : where);
        return;
    }
    field(file, sizeof(file), where ? where : current_directive() ? current_directive() : last_directive, 0);
    length = strlen(file);
    if (length && length < whole && place->file[whole - length - 1] == '/' && !strcmp(place->file + whole - length, file)) {
        remember_file(file, place->file);
        snprintf(place->file, sizeof(place->file), "%s", file);
    }
}

static void place_in_text(char *out, size_t room, const struct place *place)
{
    if (place->line)
        snprintf(out, room, "%s:%d", place->file, place->line);
    else
        snprintf(out, room, "%s", place->file);
}

/* ---- making findings ------------------------------------------------------------------------------------------------------ */

/* A number that stands for a text. */
static uintptr_t text_number(const char *text)
{
    uintptr_t number = 14695981039346656037u;
    for (; *text; ++text)
        number = (number ^ (unsigned char)*text) * 1099511628211u;
    return number;
}

static uint64_t key_of(const char *kind, const void *a, const void *b, const void *c)
{
    return (uint64_t)(uintptr_t)kind * 31 + (uintptr_t)a * 1000003 + (uintptr_t)b * 8191 + (uintptr_t)c * 127;
}

static struct finding *same_finding(const char *kind, const void *a, const void *b, const void *c)
{
    const uint64_t key = key_of(kind, a, b, c);
    unsigned int i;
    for (i = 0; i < finding_count; ++i)
        if (findings[i].key == key && findings[i].kind == kind)
            return &findings[i];
    return NULL;
}

/* The finding is new if none of this kind has the same three values. */
static struct finding *new_finding(const char *kind, const void *a, const void *b, const void *c)
{
    struct finding *finding = same_finding(kind, a, b, c);
    if (finding)
        ++(finding->same ? finding->same : finding)->count;
    if (finding || finding_count == MAX_FINDINGS)
        return NULL;
    finding = &findings[finding_count];
    real_memset(finding, 0, sizeof(*finding));
    finding->kind = kind;
    finding->key = key_of(kind, a, b, c);
    finding->count = 1;
    return finding;
}

static char *text(const char *format, ...)
{
    char *result = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&result, format, arguments) < 0)
        result = NULL;
    va_end(arguments);
    return result;
}

static void note(struct finding *finding, char *line)
{
    if (finding->note_count < MAX_NOTES && line)
        finding->notes[finding->note_count++] = line;
}

static void concerns(struct finding *finding, const struct place *place)
{
    if (finding->other_count < MAX_OTHERS)
        finding->others[finding->other_count++] = *place;
}

/* A note about a load or store, `what` with the place for %s. */
static void note_site(struct finding *finding, const char *what, uint32_t site, const char *where)
{
    char at[320];
    struct place place;
    if (site >= SITES || !sites[site].caller)
        return;
    place = place_of(sites[site].caller);
    spell_like(&place, where);
    place_in_text(at, sizeof(at), &place);
    concerns(finding, &place);
    note(finding, text(what, at));
}

static void note_directive(struct finding *finding, const char *what, const char *where)
{
    char at[320];
    const struct place place = place_of_directive(where);
    concerns(finding, &place);
    note(finding, text("%s: %s", directive_place(at, sizeof(at), where), what));
}

static void note_mapping(struct finding *finding, const struct block *block)
{
    char at[320], name[160];
    const struct place place = place_of_directive(block->where);
    directive_place(at, sizeof(at), block->where);
    field(name, sizeof(name), block->name, 0);
    if (!finding->directive && block->where)
        finding->directive = strdup(at);
    concerns(finding, &place);
    if (block->kind == MAPPED && (block->type & ROW_PRIVATE))
        note(finding, text("%s: no clause mentions '%s', so the region has a copy of its own (firstprivate)", at, name));
    else if (block->kind == MAPPED)
        note(finding, text("%s: '%s' is mapped here (%s, %zu bytes)", at, name, map_type(block), block->whole ? block->whole : block->size));
    else if (block->kind == ALLOCATED)
        note(finding, text("the memory is %zu bytes of omp_target_alloc", block->size));
}

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

/* The source, if it is where it was compiled, or where its name says, seen from here or from the program's folder. */
static FILE *open_source(const struct place *place)
{
    FILE *file = NULL;
    char name[4096 + 256], *slash;
    ssize_t length;
    for (int i = 0; place->line > 0 && !file && i < KNOWN_FILES; ++i)
        if (*known_files[i].spelled && !strcmp(known_files[i].spelled, place->file))
            file = fopen(known_files[i].path, "r");
    if (!file && place->line > 0)
        file = fopen(place->file, "r");
    if (file || place->line <= 0 || *place->file == '/')
        return file;
    length = readlink("/proc/self/exe", name, 4095);
    name[length > 0 ? length : 0] = 0;
    slash = strrchr(name, '/');
    if (slash)
        snprintf(slash + 1, sizeof(name) - (size_t)(slash + 1 - name), "%s", place->file);
    return slash ? fopen(name, "r") : NULL;
}

/* What warnings call a kind of finding. */
static const char *const names_of_warnings[][2] = {
    {"race", "race"},
    {"race", "reduction"},
    {"race", "dependence"},
    {"stale-read-on-device", "stale"},
    {"stale-read-on-host", "stale"},
    {"lost-host-write", "stale"},
    {"dropped-result", "lost-result"},
    {"uninitialised-read", "unset"},
    {"outside-section", "bounds"},
    {"section-too-long", "bounds"},
    {"never-released", "leak"},
    {"unmapped-access", "unmapped-pointer"},
};

static int is_name_of(const char *kind, const char *name)
{
    size_t i;
    for (i = 0; i < sizeof(names_of_warnings) / sizeof(names_of_warnings[0]); ++i)
        if (!strcmp(names_of_warnings[i][0], kind) && !strcmp(names_of_warnings[i][1], name))
            return 1;
    return !strcmp(kind, name) || !strcmp(name, "all");
}

/* Whether a comment `rex-ignore: NAME` stands on the line or alone on the line above it. */
static int is_silenced(const struct place *place, const char *kind)
{
    FILE *file = open_source(place);
    char line[512], *found;
    int number = 0, is_found = 0;
    while (file && number < place->line && fgets(line, sizeof(line), file)) {
        const char *begin = line + strspn(line, " \t");
        if (++number + 1 < place->line || !(found = strstr(line, "rex-ignore:")))
            continue;
        if (number + 1 == place->line && strncmp(begin, "//", 2) && strncmp(begin, "/*", 2))
            continue;
        for (found = strtok(found + 11, " ,:\t\n"); found && !is_found; found = strtok(NULL, " ,:\t\n")) {
            if (!strncmp(found, "rex-", 4))
                found += 4;
            is_found = is_name_of(kind, found);
        }
    }
    if (file)
        fclose(file);
    return is_found;
}

static void show_source(const struct place *place)
{
    FILE *file = open_source(place);
    char line[512];
    int number = 0;
    if (!file)
        return;
    while (number < place->line && fgets(line, sizeof(line), file))
        ++number;
    if (number == place->line) {
        line[strcspn(line, "\n")] = 0;
        fprintf(stderr, "  %5d | %s\n", number, line);
        if (has_color >= 0) {
            size_t begin = strspn(line, " \t"), i;
            fprintf(stderr, "        | ");
            for (i = 0; i < begin; ++i)
                fputc(line[i] == '\t' ? '\t' : ' ', stderr);
            fprintf(stderr, "%s^%s\n", has_color ? "\033[1;32m" : "", has_color ? "\033[0m" : "");
        }
    }
    fclose(file);
}

/* One suppression a line: KIND, or KIND:PATTERN, where the pattern fits the place, the function or the variable. */
static int is_suppressed(const struct finding *finding)
{
    const char *name = getenv("REX_CHECK_SUPPRESSIONS");
    FILE *file = name && *name ? fopen(name, "r") : NULL;
    char line[512], at[320];
    int is_found = 0;
    if (!file)
        return 0;
    place_in_text(at, sizeof(at), &finding->at);
    while (!is_found && fgets(line, sizeof(line), file)) {
        char *pattern, *begin = line + strspn(line, " \t");
        begin[strcspn(begin, "#\n")] = 0;
        while (*begin && strchr(" \t", begin[strlen(begin) - 1]))
            begin[strlen(begin) - 1] = 0;
        if (!*begin)
            continue;
        pattern = strchr(begin, ':');
        if (pattern)
            *pattern++ = 0;
        if (fnmatch(begin, finding->kind, 0))
            continue;
        is_found = !pattern || !fnmatch(pattern, at, 0) || !fnmatch(pattern, finding->at.file, 0)
                   || (*finding->at.function && !fnmatch(pattern, finding->at.function, 0))
                   || (finding->variable && !fnmatch(pattern, finding->variable, 0));
    }
    fclose(file);
    return is_found;
}

/* Host code that rex-build has written; what it reads is what its directive is about. */
static int is_generated(const struct place *place)
{
    const char *const slash = strrchr(place->file, '/');
    const char *const name = slash ? slash + 1 : place->file;
    return strncmp(name, "rose_", 5) == 0 || strncmp(name, "rex_", 4) == 0;
}

/* A finding of the same kind at the same line about the same variable. Of a race, the other place counts, too. */
static struct finding *published_before(const struct finding *finding)
{
    const char *const name = finding->variable ? finding->variable : "";
    unsigned int i;
    for (i = 0; i < finding_count && strcmp(finding->kind, "race"); ++i) {
        const char *const other = findings[i].variable ? findings[i].variable : "";
        if (!findings[i].is_advice && !finding->is_advice && findings[i].kind == finding->kind && finding->at.line > 0
            && findings[i].at.line == finding->at.line && !strcmp(findings[i].at.file, finding->at.file)
            && strcspn(name, "[ ") == strcspn(other, "[ ") && !strncmp(name, other, strcspn(name, "[ ")))
            return &findings[i];
    }
    return NULL;
}

static void publish(struct finding *finding)
{
    char at[320];
    int i, is_known;
    finding->same = published_before(finding);
    if (finding->same) {
        ++finding->same->count;
        finding->is_advice = -1;
        ++finding_count;
        return;
    }
    ++self.in_runtime;
    is_known = is_suppressed(finding) || is_silenced(&finding->at, finding->kind);
    for (i = 0; i < finding->other_count && !is_known; ++i)
        is_known = is_silenced(&finding->others[i], finding->kind);
    if (is_generated(&finding->at) || is_known) {
        suppressed_count += !is_generated(&finding->at);
        finding->is_advice = -1; /* it stays in the list, so that it is counted once */
        ++finding_count;
        --self.in_runtime;
        return;
    }
    ++finding_count;
    place_in_text(at, sizeof(at), &finding->at);
    fflush(stdout);
    fprintf(stderr, "%s%s:%s %s%s:%s %s [%s]\n", has_color > 0 ? "\033[1m" : "", at, has_color > 0 ? "\033[0m" : "",
            has_color > 0 ? (finding->is_advice ? "\033[1;35m" : "\033[1;31m") : "",
            finding->is_advice ? "advice" : "error", has_color > 0 ? "\033[0m" : "", finding->message, finding->kind);
    show_source(&finding->at);
    for (i = 0; i < finding->note_count; ++i)
        fprintf(stderr, "  note: %s\n", finding->notes[i]);
    if (finding->help)
        fprintf(stderr, "  help: %s\n", finding->help);
    --self.in_runtime;
}

/* ---- files ----------------------------------------------------------------------------------------------------------------- */

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
          "{\"driver\": {\"name\": \"rex-build check\"}}, \"results\": [",
          out);
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
