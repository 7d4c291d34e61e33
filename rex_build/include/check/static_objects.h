/* The variables that live as long as the program, by the tables of symbols of its files. Included by runtime.c. */

struct module {
    const void *base;
    uintptr_t bias; /* what addresses of symbols lack */
    const ElfW(Sym) * symbols;
    const char *names;
    size_t count;
};

/* A file's table of symbols, which has static variables, too. A stripped file has none. */
static void read_symbols(struct module *module, const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const off_t size = file >= 0 ? lseek(file, 0, SEEK_END) : 0;
    const int is_long = size > (off_t)sizeof(ElfW(Ehdr));
    const char *const start = is_long ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    const ElfW(Ehdr) *const header = (const ElfW(Ehdr) *)start;
    const ElfW(Shdr) * sections;
    if (file >= 0)
        close(file);
    if (start == MAP_FAILED || header->e_shoff + (size_t)header->e_shnum * sizeof(*sections) > (size_t)size)
        return;
    module->bias = header->e_type == ET_EXEC ? 0 : (uintptr_t)module->base;
    sections = (const ElfW(Shdr) *)(start + header->e_shoff);
    for (int i = 0; i < header->e_shnum; ++i) {
        const ElfW(Shdr) *const table = &sections[i];
        if (table->sh_type != SHT_SYMTAB || table->sh_offset + table->sh_size > (size_t)size)
            continue;
        module->symbols = (const ElfW(Sym) *)(start + table->sh_offset);
        module->names = start + sections[table->sh_link].sh_offset;
        module->count = table->sh_size / sizeof(ElfW(Sym));
        return;
    }
}

/* Finds the variable that an address is in, and gives its symbol's name, or NULL. Where several have it, as a structure and
 * another name for it, the longest counts. */
static const char *variable_around(const char *address, struct range *variable)
{
    enum { MODULES = 64 };
    static struct module modules[MODULES];
    static size_t count;
    struct module *module = modules;
    const char *name = NULL;
    Dl_info info;
    variable->low = variable->high = 0;
    if (!dladdr(address, &info) || !info.dli_fname || !info.dli_fbase)
        return NULL;
    pthread_mutex_lock(&memory_lock);
    while (module < modules + count && module->base != info.dli_fbase)
        ++module;
    if (module == modules + count && count < MODULES) {
        module->base = info.dli_fbase;
        read_symbols(module, info.dli_fname);
        ++count;
    }
    pthread_mutex_unlock(&memory_lock);
    for (size_t i = 0; module < modules + MODULES && i < module->count; ++i) {
        const ElfW(Sym) *const symbol = &module->symbols[i];
        const uintptr_t low = module->bias + symbol->st_value, high = low + symbol->st_size;
        if (ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && (uintptr_t)address >= low && (uintptr_t)address < high
            && high - low > variable->high - variable->low) {
            *variable = (struct range){low, high};
            name = module->names + symbol->st_name;
        }
    }
    return name;
}

/* Finds the static variable of device code that an address is in, if it is one of the user's: all threads share it. What the
 * device library keeps for itself, and the compiler beside such variables, has an order of its own. */
static int is_static_of_user(const char *address, struct range *variable)
{
    const char *const name = variable_around(address, variable);
    return name && !strstr(name, "rex_") && strncmp(name, "_ZGV", 4);
}
