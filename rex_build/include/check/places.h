/* Names and places that findings mention: variables, directives, and the user's lines of code. Included by runtime.c. */

struct place {
    char file[256];
    int line, column; /* 0: unknown */
    char function[128];
};

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
    if (block->kind == GLOBAL && !block->name && !has_one_memory)
        snprintf(out, room, "a static variable of device code");
    else if (block->kind == STACK || block->kind == HEAP)
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

/* The user's function that a function of a program is, or that its kernel is of: `app::run` for
 * `app::OUT__2__1a2b3c4d__run__17__kernel__(void *)`. */
static void users_function(char *to, size_t size, const char *function)
{
    const char *kernel = strstr(function, "OUT__"), *name, *end, *part;
    if (!kernel) {
        snprintf(to, size, "%s", function);
        return;
    }
    name = kernel + 5;
    name += strspn(name, "0123456789"); /* the number of the region */
    name += 2 + strspn(name + 2, "0123456789abcdef") + 2; /* the unit */
    end = name + strcspn(name, "(<");
    for (part = strstr(name, "__"); part; part = strstr(part + 1, "__")) { /* the line, and what kind of kernel it is */
        const size_t digits = strspn(part + 2, "0123456789");
        if (digits && strncmp(part + 2 + digits, "__", 2) == 0)
            end = part;
    }
    snprintf(to, size, "%.*s%.*s", (int)(kernel - function), function, (int)(end - name), name);
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
    snprintf(command, sizeof(command), "addr2line -C -f -i -e '%s' 0x%" PRIxPTR " 2>/dev/null", info.dli_fname,
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
        snprintf(place->file, sizeof(place->file), "%.255s", strncmp(line, "./", 2) ? line : line + 2);
        place->line = atoi(colon + 1);
        users_function(place->function, sizeof(place->function), function);
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
