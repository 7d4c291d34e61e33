/* Passes a command line on to the compiler at once if none of its sources can have anything to lower.

       launcher (rex-gcc|rex-g++|rex-cc) SCRIPT ARGUMENTS...

   SCRIPT is the program that the user has called. rex-build compiles this file when it is first needed (launcher.py).
   The launcher reads every source and every header that may be included, whatever the conditions say. It runs the
   compiler only if it is sure: all options are known, and no text has a directive, a macro or a pasted name that could
   become a directive about devices. In every other case rex-build decides, which asks the preprocessor. So a rule that
   is missing here must mean "not sure". */

#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char **arguments; /* launcher NAME SCRIPT WORDS... */

/* Let rex-build, which stands beside the script, do what its command NAME does with the words. */
static void not_sure(void)
{
    char path[PATH_MAX + 16] = "";
    char *slash;
    if (realpath(arguments[2], path) && (slash = strrchr(path, '/'))) {
        strcpy(slash + 1, "rex-build");
        arguments[2] = arguments[1];
        arguments[1] = path;
        execv(path, arguments + 1);
        execvp(arguments[1] = "rex-build", arguments + 1); /* the script is a copy */
    }
    fprintf(stderr, "rex-build: error: cannot run %s\n", path);
    exit(3);
}

static void *grown(void *old, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return old;
    *room = *room ? *room * 2 : 64;
    if (!(old = realloc(old, *room * size)))
        not_sure();
    return old;
}

/* Names in a text. */

typedef struct {
    const char *at;
    size_t length;
} Name;

static int is_name(Name name, const char *text)
{
    return strlen(text) == name.length && memcmp(text, name.at, name.length) == 0;
}

static int is_same(Name one, Name other)
{
    return one.length == other.length && memcmp(one.at, other.at, one.length) == 0;
}

static int is_one_of(Name name, const char *const *texts)
{
    for (; *texts; texts++)
        if (is_name(name, *texts))
            return 1;
    return 0;
}

/* Words of directives about devices, and of those about the host, some of which headers of the system have; sources;
   options with which the compiler answers or prints; beginnings of options that compilers do not have, and variables that
   name folders; programs in front of compilers. */
/* Written by scripts/launcher_tables.py. */
static const char *const device_words[] = {"allocate", "assume", "assumes", "conditional", "declare", "destroy",
    "detach", "dispatch", "doacross", "error", "inoutset", "inscan", "interchange", "interop", "linear",
    "metadirective", "omp_all_memory", "requires", "reverse", "scope", "target", "tile", "unroll", NULL};
static const char *const host_words[] = {"conditional", "inscan", "linear", NULL};
static const char *const host_directives[] = {"atomic", "barrier", "begin", "cancel", "cancellation", "critical",
    "depobj", "distribute", "end", "flush", "for", "loop", "masked", "master", "nothing", "ordered", "parallel", "scan",
    "section", "sections", "simd", "single", "task", "taskgroup", "taskloop", "taskwait", "taskyield", "teams",
    "threadprivate", NULL};
static const char *const cxx_suffixes[] = {".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", NULL};
static const char *const modes[] = {"-###", "--target-help", "--version", "-E", "-M", "-MM", "-dumpfullversion",
    "-dumpmachine", "-dumpspecs", "-dumpversion", "-fsyntax-only", NULL};
static const char *const foreign[] = {"-Werror=rex-", "-Wno-error=rex-", "-Wno-rex-", "-Wrex-", "-faligned-allocation",
    "-fast", "-fcray-gpu", "-fcuda-", "-fgpu-", "-fimf-", "-fiopenmp", "-fnew-alignment=", "-fno-alias",
    "-fno-cray-gpu", "-fno-cuda-", "-fno-fnalias", "-fno-gpu-", "-fno-imf-", "-fno-offload", "-fno-openmp-",
    "-fno-vec-", "-foffload", "-fopenmp-", "-fopenmp=libgomp", "-fopenmp=libiomp5", "-fopenmp=libomp", "-fp-", "-fsycl",
    "-ftz", "-fvec-", "-gencode", "-generate-code=", "-gpu=", "-gpulibc", "-lineinfo", "-march=gfx", "-march=sm_",
    "-maxrregcount", "-mcode-object-version=", "-mcumode", "-misa=", "-mkl=", "-mllvm", "-mno-cumode", "-mno-tgsplit",
    "-mno-unsafe-fp-atomics", "-mno-wavefrontsize64", "-mp", "-mtgsplit", "-munsafe-fp-atomics", "-mwavefrontsize64",
    "-omptargets=", "-openmp", "-opt-prefetch", "-opt-report", "-opt-streaming-stores", NULL};
static const char *const variables[] = {"GCC_EXEC_PREFIX", "COMPILER_PATH", NULL};
static const char *const launchers[] = {"ccache", "sccache", "distcc", "icecc", "buildcache", "colorgcc", NULL};
/* The end of what is written. */

/* From these, ## could make _Pragma. */
static const char *const pragma_beginnings[] = {"_P", "_Pr", "_Pra", "_Prag", "_Pragm", NULL};
static const char *const pragma_ends[] = {"P", "Pr", "Pra", "Prag", "Pragm", "Pragma", NULL};
/* Macros of glibc and libstdc++ that make directives of their arguments. */
static const char *const pragma_makers[] = {"__glibc_macro_warning1", "__glibc_macro_warning", "_PSTL_PRAGMA", NULL};
static const char *const call_words[] = {"_async", "interop", "affinity", "mapped_ptr", "is_accessible", "memset",
                                         "control_tool", "explicit_task", "initial_device", "invalid_device", NULL};

/* What the texts have. */

static Name *words; /* the names in directives */
static size_t word_count, word_room;
static struct definition {
    Name name;
    const char *body, *end;
} *definitions;
static size_t definition_count, definition_room;
static int has_underscore, has_pragma_end, has_directive_name, has_omp, has_brackets;
static int has_pragma_maker; /* a macro of the user's makes pragmas of its arguments */
enum { O = 1, M = 2, P = 4, OM = 8, MP = 16 }; /* names that may be pieces of "omp" */
static int pieces_of_omp;

/* The texts to read. */

static struct file {
    char *path;
    int of_the_system;
} *files;
static size_t file_count, file_room;
static struct computed {
    struct file includer;
    Name macro; /* which names the header */
    int everywhere;
} *computed;
static size_t computed_count, computed_room;

/* Whether this has been asked before with the same text. */
static int is_known(const char *kind, Name folder, Name name)
{
    static unsigned long long known[1 << 15];
    static int count;
    unsigned long long hash = 0xcbf29ce484222325u + *kind;
    for (size_t i = 0; i < folder.length; i++)
        hash = (hash ^ (unsigned char)folder.at[i]) * 0x100000001b3u;
    hash = (hash ^ '\n') * 0x100000001b3u;
    for (size_t i = 0; i < name.length; i++)
        hash = (hash ^ (unsigned char)name.at[i]) * 0x100000001b3u;
    size_t at = hash >> 49;
    hash |= 1;
    for (; known[at]; at = (at + 1) % (1 << 15))
        if (known[at] == hash)
            return 1;
    if (++count > 20000)
        not_sure();
    known[at] = hash;
    return 0;
}

static Name whole(const char *text)
{
    return (Name){text, strlen(text)};
}

static void add_file(const char *path, int of_the_system)
{
    if (is_known("file", whole(""), whole(path)))
        return;
    files = grown(files, file_count, &file_room, sizeof *files);
    files[file_count++] = (struct file){strdup(path), of_the_system};
}

/* The folders of headers in the compiler's order. */
static struct folder {
    const char *path;
    int for_quotes, of_the_system;
    dev_t device;
    ino_t inode;
} folders[1000];
static int folder_count;
static int look_everywhere; /* a folder is there twice, and the compiler leaves one of the two out */

static void add_folder(const char *path, int for_quotes, int of_the_system)
{
    struct stat state;
    if (!*path || folder_count == 1000)
        not_sure();
    if (stat(path, &state) || !S_ISDIR(state.st_mode))
        return;
    for (int i = 0; i < folder_count; i++)
        look_everywhere |= folders[i].device == state.st_dev && folders[i].inode == state.st_ino;
    folders[folder_count++] = (struct folder){path, for_quotes, of_the_system, state.st_dev, state.st_ino};
}

static int add_if_there(Name folder, Name name, const char *suffix, int of_the_system)
{
    char path[PATH_MAX];
    struct stat state;
    if (folder.length + name.length + 10 > sizeof path)
        not_sure();
    sprintf(path, "%.*s%s%.*s%s", (int)folder.length, folder.at, folder.length ? "/" : "", (int)name.length, name.at, suffix);
    if (stat(path, &state) || S_ISDIR(state.st_mode))
        return 0;
    if (*suffix)
        not_sure(); /* a precompiled header without its text */
    add_file(path, of_the_system);
    return 1;
}

static int look_for(const struct file *includer, Name name, int quoted, int everywhere, const char *suffix)
{
    int found = 0;
    if (*name.at == '/')
        return add_if_there(whole(""), name, suffix, 0);
    if (quoted) {
        const char *slash = strrchr(includer->path, '/');
        Name own = {includer->path, slash ? slash - includer->path : 0};
        found = add_if_there(slash == includer->path ? whole("/.") : own, name, suffix, includer->of_the_system);
    }
    for (int i = 0; i < folder_count && (!found || everywhere || look_everywhere); i++)
        if (quoted || !folders[i].for_quotes)
            found |= add_if_there(whole(folders[i].path), name, suffix, folders[i].of_the_system);
    return found;
}

static void include(const struct file *includer, Name name, int quoted, int everywhere)
{
    const char *slash = strrchr(includer->path, '/');
    Name own = {includer->path, quoted && slash ? slash - includer->path : 0};
    if (!name.length || is_known(everywhere ? "next" : quoted ? "quoted" : "angle", own, name))
        return;
    if (!look_for(includer, name, quoted, everywhere, ""))
        look_for(includer, name, quoted, 1, ".gch");
}

/* Reading a text: the compiler's tokens, as far as they matter. */

typedef struct {
    const char *at, *end;
} Text;

enum { NAME = 1, BLANK = 2, NEWLINE = 4 }; /* gcc takes a carriage return alone for the end of a line, too */
static const unsigned char kinds[256] = {
    ['a' ... 'z'] = NAME, ['A' ... 'Z'] = NAME, ['0' ... '9'] = NAME, ['_'] = NAME, ['$'] = NAME, [0x80 ... 0xff] = NAME,
    [0] = BLANK, [' '] = BLANK, ['\t'] = BLANK, ['\f'] = BLANK, ['\v'] = BLANK, ['\n'] = NEWLINE, ['\r'] = NEWLINE};

static int in_name(char c)
{
    return kinds[(unsigned char)c] & NAME;
}

static int is_newline(char c)
{
    return kinds[(unsigned char)c] & NEWLINE;
}

/* Skip blanks and comments, and with `lines` the ends of lines as well. */
static void skip_gap(Text *text, int lines)
{
    const char *at = text->at, *end = text->end;
    for (int skipped = lines ? BLANK | NEWLINE : BLANK; at < end;) {
        if (kinds[(unsigned char)*at] & skipped) {
            at++;
        } else if (*at == '/' && at[1] == '*') {
            const char *close = at + 2;
            do
                close = close + 1 < end ? memchr(close + 1, '/', end - close - 1) : NULL;
            while (close && close[-1] != '*');
            at = close ? close + 1 : end;
        } else if (*at == '/' && at[1] == '/') {
            const char *line = memchr(at, '\n', end - at) ?: end;
            at = memchr(at, '\r', line - at) ?: line;
        } else {
            break;
        }
    }
    text->at = at;
}

static Name next_name(Text *text)
{
    const char *at = text->at, *end = text->end;
    if (at < end && !isdigit((unsigned char)*at))
        while (at < end && in_name(*at))
            at++;
    Name name = {text->at, at - text->at};
    text->at = at;
    return name;
}

/* Skip a literal, which ends with its line at the latest. */
static void skip_literal(Text *text)
{
    char quote = *text->at++;
    while (text->at < text->end && !is_newline(*text->at)) {
        char c = *text->at++;
        if (c == quote)
            return;
        if (c == '\\' && text->at < text->end && !is_newline(*text->at))
            text->at++;
    }
}

static void skip_number(Text *text, int cxx)
{
    while (text->at < text->end) {
        char c = *text->at;
        if (c == '\'') {
            if (!cxx || !in_name(text->at[1]))
                not_sure(); /* a separator of digits in new versions of C */
        } else if ((c == '+' || c == '-') && strchr("eEpP", text->at[-1])) {
            /* the sign of an exponent */
        } else if (!in_name(c) && c != '.') {
            return;
        }
        text->at++;
    }
}

/* A directive of OpenMP from its name to its end. */
static void read_directive(Text text, int of_the_system)
{
    int first = 1;
    while (text.at < text.end) {
        skip_gap(&text, 0);
        if (text.at == text.end || is_newline(*text.at))
            return;
        Name word = next_name(&text);
        if (!word.length) {
            char c = *text.at++;
            if (first || c == '#' || c == '%' || c == '\\')
                not_sure();
            continue;
        }
        if (first && of_the_system && is_name(word, "declare")) {
            skip_gap(&text, 0);
            Name declared = next_name(&text);
            if (is_name(declared, "simd") || is_name(declared, "reduction"))
                return; /* the host's, of glibc's <math.h> for example */
        }
        if (of_the_system && is_one_of(word, host_words))
            continue;
        if ((first && !is_one_of(word, host_directives)) || is_one_of(word, device_words))
            not_sure();
        first = 0;
        words = grown(words, word_count, &word_room, sizeof *words);
        words[word_count++] = word;
    }
}

/* After the name _Pragma. */
static void read_pragma_operator(Text *text, int of_the_system, Name macro)
{
    skip_gap(text, 1);
    if (text->at == text->end || *text->at++ != '(')
        not_sure();
    skip_gap(text, 1);
    if (text->at < text->end && *text->at == '#') {
        if (!of_the_system)
            has_pragma_maker = 1;
        else if (!is_one_of(macro, pragma_makers))
            not_sure();
        return;
    }
    if (text->at == text->end || *text->at != '"')
        not_sure();
    Text content = {text->at + 1, 0};
    skip_literal(text);
    content.end = text->at - 1;
    skip_gap(&content, 0);
    Name kind = next_name(&content);
    int is_omp = is_name(kind, "omp");
    if (!kind.length || (is_omp && memchr(content.at, '\\', content.end - content.at)))
        not_sure();
    if (is_omp)
        read_directive(content, of_the_system);
}

static void look_at_name(Name name, int of_the_system)
{
    if (name.at[0] == '_') {
        if (name.length == 1)
            has_underscore = 1;
        else if (name.at[1] == 'P' && is_one_of(name, pragma_beginnings))
            not_sure();
        else if (!of_the_system && is_one_of(name, pragma_makers))
            not_sure();
        has_omp |= is_name(name, "__omp__");
        has_directive_name |= is_name(name, "__directive__") || is_name(name, "__sequence__");
    } else if (name.at[0] == 'P') {
        has_pragma_end |= is_one_of(name, pragma_ends);
    } else if (!of_the_system && name.at[0] == 'o' && name.length > 2 && !memcmp(name.at, "omp", 3)) {
        has_omp |= name.length == 3;
        for (const char *const *part = call_words; *part; part++)
            if (memmem(name.at, name.length, *part, strlen(*part)))
                not_sure(); /* LLVM's function differs, or gcc has none */
    } else if (!of_the_system) {
        has_directive_name |= is_name(name, "directive") || is_name(name, "sequence");
        for (int i = 0; i < 5 && name.length < 3; i++)
            pieces_of_omp |= is_name(name, (const char *[]){"o", "m", "p", "om", "mp"}[i]) << i;
    }
}

/* Whether ## could make `omp` of the names that there are. */
static int may_paste_omp(void)
{
    static const int ways[] = {O | MP, OM | P, O | M | P};
    for (int i = 0; i < 3; i++)
        if ((pieces_of_omp & ways[i]) == ways[i])
            return 1;
    return 0;
}

/* After #include, where no header is named. */
static void note_computed(Text *text, const struct file *from, int everywhere)
{
    Name macro = next_name(text);
    skip_gap(text, 0);
    if (!macro.length || *macro.at == '_' || (text->at < text->end && !is_newline(*text->at)))
        not_sure();
    if (is_known(everywhere ? "computed next" : "Computed", whole(from->path), macro))
        return;
    computed = grown(computed, computed_count, &computed_room, sizeof *computed);
    computed[computed_count++] = (struct computed){*from, macro, everywhere};
}

/* Read a text to its end. `from` is the file that has it. */
static void read_text(Text text, const struct file *from, int cxx)
{
    int of_the_system = from->of_the_system;
    int at_line_start = 1;
    struct definition *open = NULL;
    Name macro = {"", 0};
    while (text.at < text.end) {
        skip_gap(&text, 0);
        if (text.at == text.end)
            break;
        char c = *text.at;
        if (is_newline(c)) {
            if (open)
                open->end = text.at;
            open = NULL;
            macro.length = 0;
            at_line_start = 1;
            text.at++;
            continue;
        }
        if (at_line_start && (c == '#' || (c == '%' && text.at[1] == ':'))) {
            at_line_start = 0;
            text.at += c == '#' ? 1 : 2;
            skip_gap(&text, 0);
            Name directive = next_name(&text);
            skip_gap(&text, 0);
            if (is_name(directive, "pragma")) {
                Text rest = text;
                if (is_name(next_name(&rest), "omp")) {
                    read_directive(rest, of_the_system);
                    text = rest;
                }
            } else if (is_name(directive, "define")) {
                macro = next_name(&text);
                definitions = grown(definitions, definition_count, &definition_room, sizeof *definitions);
                open = &definitions[definition_count++];
                *open = (struct definition){macro, text.at, text.end};
            } else if (is_name(directive, "include") || is_name(directive, "include_next") || is_name(directive, "import")) {
                char close = text.at < text.end && *text.at == '<' ? '>' : '"';
                Name name = {text.at + 1, 0};
                if (text.at == text.end || (*text.at != '<' && *text.at != '"')) {
                    note_computed(&text, from, directive.length > 7);
                    continue;
                }
                while (name.at + name.length < text.end && name.at[name.length] != close && !is_newline(name.at[name.length]))
                    name.length++;
                include(from, name, close == '"', directive.length > 7);
                text.at = name.at + name.length + (name.at + name.length < text.end && name.at[name.length] == close);
            }
            continue;
        }
        at_line_start = 0;
        if (isdigit((unsigned char)c)) {
            skip_number(&text, cxx);
        } else if (in_name(c)) {
            Name name = next_name(&text);
            if (is_name(name, "_Pragma"))
                read_pragma_operator(&text, of_the_system, macro);
            else
                look_at_name(name, of_the_system);
            if (text.at < text.end && *text.at == '(' && is_one_of(name, pragma_makers)) {
                Text argument = {text.at + 1, text.end};
                if (is_name(next_name(&argument), "omp"))
                    read_directive(argument, of_the_system);
            }
            if (text.at < text.end && *text.at == '"' && name.at[name.length - 1] == 'R')
                not_sure(); /* a raw string */
        } else if (c == '"' || c == '\'') {
            skip_literal(&text);
        } else {
            text.at++;
            has_brackets |= (c == '<' && *text.at == ':') || (c == '[' && (open || *text.at == '['));
            if (c == '[') {
                Text rest = text;
                skip_gap(&rest, 1);
                has_brackets |= rest.at == rest.end || strchr("[#%", *rest.at) != NULL; /* a directive may include the rest */
            }
        }
    }
    if (open)
        open->end = text.end;
}

/* The text without continued lines, and with a zero behind it. */
static Text without_splices(char *text, size_t length)
{
    char *to = text, *end = text + length;
    for (char *mark = text; (mark = memchr(mark, '?', end - mark)); mark++)
        if (end - mark > 2 && mark[1] == '?' && (mark[2] == '/' || mark[2] == '='))
            not_sure(); /* trigraphs */
    for (char *from = text; from < end;) {
        char *slash = memchr(from, '\\', end - from);
        size_t before = (slash ? slash : end) - from;
        if (to != from)
            memmove(to, from, before);
        to += before;
        if (!slash)
            break;
        char *after = slash + 1;
        while (after < end && strchr(" \t\f\v", *after) && *after)
            after++;
        from = slash + 1;
        if (after < end && is_newline(*after))
            from = after + (*after == '\r' && after + 1 < end && after[1] == '\n' ? 2 : 1);
        else
            *to++ = '\\';
    }
    *to = 0;
    return (Text){text, to};
}

static void read_file(struct file file, int cxx)
{
    struct stat state;
    if (stat(file.path, &state) || !S_ISREG(state.st_mode))
        not_sure(); /* a pipe would be lost when it is closed */
    int handle = open(file.path, O_RDONLY | O_CLOEXEC);
    if (handle < 0 || fstat(handle, &state))
        not_sure();
    char *text = malloc(state.st_size + 1);
    if (!text || read(handle, text, state.st_size) != state.st_size)
        not_sure();
    close(handle);
    int mark = state.st_size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0; /* of UTF-8, which no line begins with */
    read_text(without_splices(text + mark, state.st_size - mark), &file, cxx);
}

static const struct file command_line = {"", 0};

/* A macro from the command line, as a text that defines it. */
static void read_define(const char *option)
{
    size_t length = strlen(option);
    char *text = malloc(length + 16);
    if (!text || strpbrk(option, "\n\r"))
        not_sure();
    sprintf(text, "#define %s", option);
    char *equals = strchr(text, '=');
    if (equals)
        *equals = ' ';
    read_text(without_splices(text, strlen(text)), &command_line, 0);
}

/* Whether macros could put a word about devices into a directive. */
static void resolve_macros(void)
{
    for (size_t w = 0; w < word_count; w++) {
        for (size_t d = 0; d < definition_count; d++) {
            const struct definition *found = &definitions[d];
            if (!is_same(found->name, words[w]))
                continue;
            Text body = {found->body, found->end};
            while (body.at < body.end) {
                skip_gap(&body, 0);
                Name name = next_name(&body);
                if (name.length == 0) {
                    if (body.at < body.end && (*body.at == '#' || *body.at == '%'))
                        not_sure(); /* a pasted name */
                    body.at += body.at < body.end;
                    continue;
                }
                if (is_one_of(name, device_words))
                    not_sure();
                size_t known = 0;
                while (known < word_count && !is_same(words[known], name))
                    known++;
                if (known == word_count) {
                    words = grown(words, word_count, &word_room, sizeof *words);
                    words[word_count++] = name;
                }
            }
        }
    }
}

static int is_defined(Name name)
{
    for (size_t d = 0; d < definition_count; d++)
        if (is_same(definitions[d].name, name))
            return 1;
    return is_name(name, "linux") || is_name(name, "unix");
}

/* The header that a macro's body names. Macros are replaced between < and >, so no word there may be one. */
static void include_body(const struct computed *asked, Text body)
{
    skip_gap(&body, 0);
    Text rest = body;
    Name macro = next_name(&rest);
    if (macro.length) {
        note_computed(&body, &asked->includer, asked->everywhere);
        return;
    }
    char close = body.at < body.end && *body.at == '"' ? '"' : '>';
    if (body.at == body.end || (*body.at != '"' && *body.at != '<'))
        not_sure();
    const char *start = ++body.at;
    while (body.at < body.end && *body.at != close) {
        Name word = next_name(&body);
        if (word.length ? close == '>' && is_defined(word) : !*body.at || !strchr("./-+0123456789", *body.at))
            not_sure();
        body.at += !word.length;
    }
    Name header = {start, body.at - start};
    if (body.at++ == body.end || memmem(start, header.length, "//", 2))
        not_sure();
    skip_gap(&body, 0);
    if (body.at < body.end)
        not_sure();
    include(&asked->includer, header, close == '"', asked->everywhere);
}

/* Read all texts, and those that macros name in #include. A macro that nothing defines names none. */
static void read_files(int cxx)
{
    for (size_t read = 0; read < file_count;) {
        for (; read < file_count; read++)
            read_file(files[read], cxx);
        for (size_t c = 0; c < computed_count; c++) {
            struct computed asked = computed[c];
            for (size_t d = 0; d < definition_count; d++)
                if (is_same(definitions[d].name, asked.macro))
                    include_body(&asked, (Text){definitions[d].body, definitions[d].end});
        }
    }
}

/* The compiler. */

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int is_ours(const char *path)
{
    static const char *const ours[] = {"rex-build", "rex-cc", "rex_build", "rex-gcc", "rex-g++", NULL};
    return is_one_of(whole(last_name(path)), ours);
}

/* The first program of this name on PATH. With `not_us`, links to rex-build's programs do not count. */
static char *on_path(const char *name, int not_us)
{
    static char path[PATH_MAX];
    char real[PATH_MAX], own[PATH_MAX];
    const char *folders_of = getenv("PATH");
    struct stat state;
    if (!folders_of || !realpath(arguments[2], own))
        not_sure();
    while (*folders_of) {
        int length = strcspn(folders_of, ":");
        if (!length || *folders_of != '/')
            not_sure();
        if (snprintf(path, sizeof path, "%.*s%s%s", length, folders_of,
                     folders_of[length - 1] == '/' ? "" : "/", name) >= (int)sizeof path)
            not_sure();
        if (!access(path, X_OK) && !stat(path, &state) && S_ISREG(state.st_mode) && realpath(path, real))
            if (!not_us || (!is_ours(real) && strcmp(real, own)))
                return path;
        folders_of += length + (folders_of[length] == ':');
    }
    return NULL;
}

static char *given_compiler(const char *variable)
{
    const char *text = getenv(variable);
    if (!text || !*text)
        return NULL;
    if (strpbrk(text, " \t\n\r\"'\\#;&|<>$`*?()~"))
        not_sure();
    if (is_ours(text))
        return NULL;
    char real[PATH_MAX];
    char *found = strchr(text, '/') ? strdup(text) : on_path(text, 0);
    if (!found || !realpath(found, real))
        not_sure();
    return is_ours(real) ? NULL : found;
}

static char *find_compiler(int cxx)
{
    char *found = given_compiler(cxx ? "REX_CXX" : "REX_CC");
    if (!found)
        found = given_compiler(cxx ? "CXX" : "CC");
    if (!found)
        found = on_path(cxx ? "g++" : "gcc", 1);
    if (!found)
        found = on_path(cxx ? "c++" : "cc", 1);
    if (!found)
        not_sure();
    return found;
}

/* The compiler's own folders of headers, from the file that launcher.py has written beside this program. */
static void add_own_folders(const char *compiler, int cxx)
{
    char path[2 * PATH_MAX], line[PATH_MAX], expected[100];
    struct stat state;
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    if (length <= 0)
        not_sure();
    path[length] = 0;
    char *to = strrchr(path, '/') + 1;
    for (const char *from = compiler; *from; from++)
        *to++ = *from == '/' ? '%' : *from;
    strcpy(to, cxx ? ".c++" : ".c");
    FILE *file = fopen(path, "re");
    if (!file || fstat(fileno(file), &state) || state.st_uid != geteuid() || stat(compiler, &state))
        not_sure();
    snprintf(expected, sizeof expected, "%lld %lld %lld.%09ld\n", (long long)state.st_ino, (long long)state.st_size,
             (long long)state.st_mtim.tv_sec, state.st_mtim.tv_nsec);
    if (!fgets(line, sizeof line, file) || strcmp(line, expected))
        not_sure(); /* another compiler than the one that was asked */
    int count = 0;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        look_everywhere |= *line == '?' && !access(line + 1, F_OK); /* it was not there when the compiler was asked */
        add_folder(strdup(line + (*line == '?')), 0, 1);
        count++;
    }
    if (!count)
        not_sure(); /* it is no gcc */
    fclose(file);
}

/* The folders of a variable's list. One without a name is the folder in which the compiler runs. */
static void add_folders_of(const char *variable)
{
    const char *value = getenv(variable);
    if (!value || !*value)
        return;
    char *list = strdup(value), *folder;
    while ((folder = strsep(&list, ":")))
        add_folder(*folder ? folder : ".", 0, 0);
}

/* Whether a compiler is a script, which may call what it likes. */
static int is_script(const char *compiler)
{
    char begin[4] = "";
    int handle = open(compiler, O_RDONLY | O_CLOEXEC);
    if (handle < 0)
        return 1;
    ssize_t length = read(handle, begin, sizeof begin);
    close(handle);
    return length < 4 || memcmp(begin, "\177ELF", 4);
}

/* The command line. */

/* Options without any effect on what is read: whole words, and beginnings of words. Others are not known. */
static const char *const harmless[] = {"-c", "-pipe", "-pthread", "-w", "-s", "-static", "-shared", "-pie", "-no-pie",
                                       "-MD", "-MMD", "-MP", "-MG", "-nostdinc", "-rdynamic", "-fopenmp-simd",
                                       "-pedantic", "-pedantic-errors", "-ansi", "--coverage", "-static-libgcc",
                                       "-static-libstdc++", "-nostdlib", "-nodefaultlibs", "-nostartfiles", NULL};
static const char *const harmless_beginnings[] = {"-O", "-W", "-f", "-g", "-m", "-std=", "--param=", NULL};
/* Of these, reading files needs some. */
static const char *const unusual[] = {
    "-Wp,", "-fplugin", "-fpch", "-fmodule", "-finput-charset", "-fpreprocessed", "-fdirectives-only", "-m16", "-m32",
    "-mx32", "-mabi", "-mlibc", "-mmusl", "-muclibc", "-mbionic", "-mandroid", "-std=c89", "-std=c90",
    "-std=iso9899:199", "-ansi", "-x", "-isysroot", "--sysroot", NULL};
/* Options whose value is the next word if it is not joined. */
static const char *const with_value[] = {"-D", "-U", "-I", "-o", "-MF", "-MT", "-MQ", "-iquote", "-isystem",
                                         "-idirafter", "-include", "-imacros", "-L", "-l", "-Xlinker", NULL};

static const char *beginning(const char *word, const char *const *texts)
{
    while (*texts && strncmp(word, *texts, strlen(*texts)))
        texts++;
    return *texts;
}

/* Whether every compiler has an option, as far as is known here. */
static int is_common(const char *word)
{
    if (is_one_of(whole(word), modes) || is_one_of(whole(word), harmless) || !strcmp(word, "-x") || strstr(word, "sysroot"))
        return 1;
    return (beginning(word, with_value) || beginning(word, harmless_beginnings)) && !beginning(word, foreign);
}

/* 'c', '+' for C++, or 's' for assembler. */
static int language_of(const char *source, int default_cxx)
{
    const char *dot = strrchr(source, '.');
    if (dot && !strcmp(dot, ".c"))
        return default_cxx ? '+' : 'c';
    if (dot && is_one_of(whole(dot), cxx_suffixes))
        return '+';
    if (!dot || strcmp(dot, ".s"))
        not_sure();
    return 's';
}

/* Return if the compiler can have the command line as it is. */
static void read_command_line(char **line, const char *compiler, int default_cxx)
{
    struct option {
        const char *name, *value;
    } options[4000];
    int option_count = 0, compiles = 0, asks = 0, languages = 0;
    for (char **word = line; *word; word++) {
        if (**word != '-') {
            int language = language_of(*word, default_cxx);
            if (language != 's') {
                languages |= language == 'c' ? 1 : 2;
                add_file(*word, 0);
            }
            continue;
        }
        const char *option = beginning(*word, with_value);
        compiles |= !strcmp(*word, "-c");
        if (is_one_of(whole(*word), modes)) {
            asks = 1;
        } else if (!is_common(*word) || beginning(*word, unusual)) {
            not_sure();
        } else if (option) {
            const char *value = (*word)[strlen(option)] ? *word + strlen(option) : *++word;
            if (!value || option_count == 4000)
                not_sure();
            options[option_count++] = (struct option){option, value};
        }
    }
    if (asks) {
        if (is_script(compiler))
            not_sure(); /* it may call this again for ever */
        return;
    }
    if (!compiles || languages == 3)
        not_sure(); /* links get the runtime; two languages have two lists of folders */
    for (const char *const *variable = variables; *variable; variable++)
        if (getenv(*variable))
            not_sure();
    static const char *const kinds[] = {"-iquote", "-I", "CPATH", "-isystem", "C_INCLUDE_PATH", "", "-idirafter"}; /* in the compiler's order */
    for (int kind = 0; kind < 7; kind++) {
        if (!*kinds[kind])
            add_own_folders(compiler, languages == 2);
        else if (*kinds[kind] != '-')
            add_folders_of(languages == 2 && *kinds[kind + 1] == 0 ? "CPLUS_INCLUDE_PATH" : kinds[kind]);
        for (int i = 0; i < option_count; i++) {
            if (strcmp(options[i].name, kinds[kind]))
                continue;
            if (strchr("=-$", *options[i].value))
                not_sure(); /* below the root of the system */
            add_folder(options[i].value, kind == 0, 0);
        }
    }
    include(&command_line, whole("stdc-predef.h"), 0, 0); /* gcc includes it in every file */
    for (int i = 0; i < option_count; i++) {
        if (!strcmp(options[i].name, "-D"))
            read_define(options[i].value);
        else if (!strcmp(options[i].name, "-include") || !strcmp(options[i].name, "-imacros"))
            include(&command_line, whole(options[i].value), 1, 0);
    }
    read_files(languages == 2);
    resolve_macros();
    if (has_pragma_maker && (has_omp || may_paste_omp()))
        not_sure();
    if ((has_underscore && has_pragma_end) || (has_directive_name && has_omp))
        not_sure();
    if (has_brackets && (has_omp || has_directive_name || may_paste_omp()))
        not_sure();
}

/* Skip the options of rex-cc, which end with `--`. Returns the folder of --options-in, if there is one. */
static const char *skip_options(char ***line)
{
    static const char option[] = "--options-in=";
    const char *folder = NULL;
    char **word = *line;
    if (strncmp(*word, "--", 2))
        return NULL;
    for (; *word && strcmp(*word, "--"); word++) {
        if (!strncmp(*word, option, sizeof option - 1))
            folder = *word + sizeof option - 1;
        else if (!strcmp(*word, "--lower-all"))
            not_sure();
    }
    if (!*word || !word[1])
        not_sure();
    *line = word + 1;
    return folder;
}

/* Whether a link with libomptarget goes without this library: the program has libomp. */
static int is_other_runtime(const char *word)
{
    const char *name = last_name(word);
    return !strcmp(word, "-lgomp") || !strcmp(word, "-liomp5") || !strncmp(name, "libgomp.", 8) || !strncmp(name, "libiomp5.", 9);
}

/* Run a command of common options at once if no macro says with which options in this folder its unit is lowered. Return if its
   unit is lowered only where it has something for a device. */
static void read_options_in(const char *folder, char **line)
{
    static const char macro[] = "-DREX_OPTIONS=";
    char path[PATH_MAX], text[PATH_MAX];
    const char *name = NULL;
    int are_common = 1, brings_runtime = 0;
    for (char **word = line; *word; word++) {
        if (**word == '@')
            not_sure(); /* more words are in a file */
        are_common &= **word != '-' || is_common(*word);
        brings_runtime |= !strncmp(last_name(*word), "libomptarget.", 13);
        if (word[1] && is_one_of(whole(*word), with_value)) {
            word++; /* its value */
            continue;
        }
        if (!strncmp(*word, macro, sizeof macro - 1))
            name = *word + sizeof macro - 1;
    }
    if (!name && are_common) {
        char **kept = line;
        for (char **word = line; *word; word++)
            if (!brings_runtime || !is_other_runtime(*word))
                *kept++ = *word;
        *kept = NULL;
        execvp(*line, line);
    }
    if (!name)
        not_sure();
    FILE *file = NULL;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
        file = fopen(path, "re");
    if (!file)
        not_sure();
    while (fgets(text, sizeof text, file))
        if (!strcmp(text, "--lower-all\n"))
            not_sure();
    fclose(file);
}

int main(int count, char **words_given)
{
    if (count < 3)
        return 3;
    arguments = words_given;
    char **line = arguments + 3;
    const char *name = arguments[1];
    int cxx = !strcmp(name, "rex-g++");
    const char *compiler;
    if (count == 3 || getenv("REX_BUILD_CHAIN"))
        not_sure(); /* rex-build says which programs call one another */
    char **command = line, *script = arguments[2];
    if (!strcmp(name, "rex-cc")) {
        const char *folder = skip_options(&line);
        if (folder)
            read_options_in(folder, line);
        command = line;
        while (*line && is_one_of(whole(last_name(*line)), launchers))
            line++;
        if (!*line || **line == '-' || is_ours(*line))
            not_sure();
        const char *base = last_name(*line);
        if (!strstr(base, "gcc") && !strstr(base, "g++") && strcmp(base, "cc") && strcmp(base, "c++"))
            not_sure();
        compiler = strchr(*line, '/') ? *line : strdup(on_path(*line, 0) ?: "");
        cxx = strstr(base, "++") != NULL;
        line++;
    } else {
        compiler = find_compiler(cxx);
        command = line - 1;
    }
    read_command_line(line, compiler, cxx);
    char *chain;
    if (asprintf(&chain, "%s calls %s", name, compiler) < 0 || setenv("REX_BUILD_CHAIN", chain, 1))
        not_sure();
    if (command == arguments + 2)
        *command = (char *)compiler; /* in the script's place */
    execvp(*command, command);
    arguments[2] = script;
    unsetenv("REX_BUILD_CHAIN");
    not_sure();
    return 3;
}
