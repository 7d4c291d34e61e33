/* Findings: what is said of them, and how they are shown. Included by runtime.c. */

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

static const char *read_or_write(int is_write)
{
    return is_write ? "writes" : "reads";
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

/* The source of the present region, seen from the folder in which it was compiled: the debug information of the code that has
 * launched the region names a file without a folder of its own. */
static FILE *open_where_compiled(const struct place *place)
{
    const struct call *const call = self.call ? self.call : self.in_device ? launch_calls[current_launch % KNOWN_LAUNCHES] : NULL;
    const char *const directive = current_directive();
    const struct place launch = call && call->caller && directive ? place_of(call->caller) : (struct place){0};
    const char *const slash = strrchr(launch.file, '/');
    char file[256], name[sizeof(launch.file) + 256];
    field(file, sizeof(file), directive, 0);
    if (!slash || strcmp(file, place->file))
        return NULL;
    snprintf(name, sizeof(name), "%.*s%s", (int)(slash + 1 - launch.file), launch.file, file);
    remember_file(file, name);
    return fopen(name, "r");
}

/* The file of a place, if another name than the place's own is needed to find it from here. */
static const char *path_of(const struct place *place)
{
    for (int i = 0; i < KNOWN_FILES && *known_files[i].spelled && access(place->file, R_OK); ++i)
        if (!strcmp(known_files[i].spelled, place->file))
            return known_files[i].path;
    return place->file;
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
    if (!file && place->line > 0 && *place->file != '/')
        file = open_where_compiled(place);
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
    {"counted-twice", "reduction"},
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
    if (finding->at.column)
        snprintf(at + strlen(at), sizeof(at) - strlen(at), ":%d", finding->at.column);
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
