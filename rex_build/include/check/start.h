/* How a checked program begins. Included by runtime.c. */

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
    int *const number = data;
    uintptr_t low = UINTPTR_MAX, high = 0;
    int i;
    (void)size;
    for (i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD)
            continue;
        if (*number == 0 && segment_count < MAX_SEGMENTS)
            segments[segment_count++] = (struct range){info->dlpi_addr + header->p_vaddr,
                                                       info->dlpi_addr + header->p_vaddr + header->p_memsz};
        if (info->dlpi_addr + header->p_vaddr < low)
            low = info->dlpi_addr + header->p_vaddr;
        if (info->dlpi_addr + header->p_vaddr + header->p_memsz > high)
            high = info->dlpi_addr + header->p_vaddr + header->p_memsz;
    }
    if (info->dlpi_name && strstr(info->dlpi_name, "libomptarget.so"))
        runtime_library = (struct range){low, high};
    if ((uintptr_t)&look >= low && (uintptr_t)&look < high)
        own_library = (struct range){low, high};
    ++*number;
    return 0;
}

/* The C library must not answer what this library has to see, as it does where only a shared library of the program is
 * checked, or a module that an interpreter loads. */
static void must_be_first(void)
{
    Dl_info info;
    if (is_in(dlsym(RTLD_DEFAULT, "memcpy"), &own_library))
        return;
    fprintf(stderr, "rex-build check: this program is not linked with the library of the check device, but a library of it is: build "
                    "the program for the check device, too, or run it with LD_PRELOAD=%s\n",
            dladdr((const void *)&look, &info) ? info.dli_fname : "its file");
    syscall(SYS_exit_group, 1);
}

__attribute__((constructor(101))) static void prepare(void)
{
    static char other_stack[64 << 10];
    const stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof(other_stack)};
    const char *wanted = getenv("REX_CHECK"), *color = getenv("NO_COLOR");
    int number = 0;
    find_originals();
    if (wanted && !strcmp(wanted, "0"))
        return;
    is_continuing = wanted && !strcmp(wanted, "continue");
    has_color = isatty(2) && !(color && *color);
    dl_iterate_phdr(look, &number);
    must_be_first();
    stack_high = end_of_stack();
    intervals = mmap(NULL, INTERVALS * sizeof(*intervals), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (intervals == MAP_FAILED)
        return;
    pthread_key_create(&views_of_thread, drop_views);
    sigaltstack(&stack, NULL);
    *(void **)&real_sigaction = dlsym(RTLD_NEXT, "sigaction");
    for (number = 0; number < (int)(sizeof(deadly_signals) / sizeof(deadly_signals[0])); ++number)
        catch_crashes(deadly_signals[number]);
    atexit(at_exit);
    pthread_atfork(NULL, NULL, is_child);
    is_active = 1;
}
