/* What is known of memory that the program, the runtime and device code allocate. Included by runtime.c. */

struct range {
    uintptr_t low, high;
};
enum { MAX_SEGMENTS = 16 };
static struct range segments[MAX_SEGMENTS]; /* of the program itself */
static int segment_count;
static struct range runtime_library, own_library;

enum owner { BY_PROGRAM = 1, BY_RUNTIME, BY_DEVICE };

struct header {
    struct node node;
    char *base;
    size_t size;
    const char *caller;
    enum owner owner;
    uint32_t magic;
} __attribute__((aligned(16)));
enum { MAGIC = 0x52455843, UNSET = 0xbe };
_Static_assert(sizeof(struct header) % 16 == 0, "memory is aligned");

static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;

static int is_program(const char *address)
{
    for (int i = 0; i < segment_count; ++i)
        if ((uintptr_t)address >= segments[i].low && (uintptr_t)address < segments[i].high)
            return 1;
    return 0;
}

static int is_in(const char *address, const struct range *range)
{
    return (uintptr_t)address >= range->low && (uintptr_t)address < range->high;
}

static enum owner owner_for(const char *caller)
{
    if (!is_active || (self.in_runtime && self.in_device))
        return 0;
    if (is_in(caller, &runtime_library))
        return BY_RUNTIME;
    return self.in_device ? BY_DEVICE : self.in_runtime ? 0 : is_program(caller) ? BY_PROGRAM : 0;
}

static struct header *header_of(void *memory)
{
    struct header *header = (struct header *)memory - 1;
    return ((uintptr_t)memory & 15) == 0 && header->magic == MAGIC && header->node.begin == (uintptr_t)memory ? header : NULL;
}

/* Whether the process can read memory. It cannot read a GPU's, which libomptarget maps to if a program has no kernels: without
 * an image it takes any device. The kernel reads the new mask before it refuses what is to be done with it. */
static int is_readable(const char *memory)
{
    const int known = errno;
    const int is_fault = syscall(SYS_rt_sigprocmask, -1, (uintptr_t)memory & ~(uintptr_t)7, NULL, 8) == -1 && errno == EFAULT;
    errno = known;
    return !is_fault;
}

/* The bytes that memory has before anything is written. They depend on the address, so data hardly looks like that. */
static uint32_t unset_word(uintptr_t address)
{
    return (uint32_t)(address >> 2) * 2654435761u ^ 0x9ebeadceu;
}

static void fill_unset(char *memory, size_t size)
{
    for (size_t i = 0; i + 4 <= size; i += 4)
        *(uint32_t *)(memory + i) = unset_word((uintptr_t)memory + i);
}

/* Whether bytes are as fill_unset has left them at an address. */
static int holds_unset(const char *memory, size_t size, const char *where)
{
    for (size_t i = 0; i < size; ++i) {
        const uintptr_t address = (uintptr_t)where + i;
        if ((unsigned char)memory[i] != (unsigned char)(unset_word(address & ~(uintptr_t)3) >> 8 * (address & 3)))
            return 0;
    }
    return 1;
}

static void *owned_alloc(size_t size, size_t alignment, enum owner owner, const char *caller, int is_zero)
{
    /* What lies behind a device's block belongs to no other block, so that accesses there are noticed. */
    size_t gap = owner == BY_RUNTIME ? 256 + size / 4 : 16, room = size + sizeof(struct header) + alignment + gap;
    char *base = room < size ? NULL : __libc_malloc(room), *user;
    struct header *header;
    if (!base) {
        errno = ENOMEM;
        return NULL;
    }
    user = (char *)(((uintptr_t)base + sizeof(struct header) + alignment - 1) & ~(uintptr_t)(alignment - 1));
    header = (struct header *)user - 1;
    header->base = base;
    header->size = size;
    header->caller = caller;
    header->owner = owner;
    header->magic = MAGIC;
    header->node.begin = (uintptr_t)user;
    header->node.end = (uintptr_t)user + size;
    if (is_zero)
        real_memset(user, 0, size);
    else if (owner == BY_PROGRAM)
        fill_unset(user, size);
    pthread_mutex_lock(&memory_lock);
    insert(&memory_tree, &header->node);
    pthread_mutex_unlock(&memory_lock);
    return user;
}

static int memory_around(const char *address, struct header *result)
{
    struct node *node;
    int is_found;
    pthread_mutex_lock(&memory_lock);
    node = find(memory_tree, (uintptr_t)address, NULL);
    is_found = node && (uintptr_t)address < node->end;
    if (is_found)
        *result = *(struct header *)node;
    pthread_mutex_unlock(&memory_lock);
    return is_found;
}
