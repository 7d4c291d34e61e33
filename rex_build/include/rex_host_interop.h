/* Interoperability objects of host code. Included by rex_kmp.h. */
#ifndef REX_HOST_INTEROP_H
#define REX_HOST_INTEROP_H

void rex_tgt_interop_init(struct rex_location *, rex_int32, void **, rex_int32, rex_int32, rex_int32,
                          const struct rex_dependence *, rex_int32) __asm__("__tgt_interop_init");
void rex_tgt_interop_use(struct rex_location *, rex_int32, void **, rex_int32, rex_int32, const struct rex_dependence *,
                         rex_int32) __asm__("__tgt_interop_use");
void rex_tgt_interop_destroy(struct rex_location *, rex_int32, void **, rex_int32, rex_int32,
                             const struct rex_dependence *, rex_int32) __asm__("__tgt_interop_destroy");
extern char rex_tgt_interop_get __asm__("__tgt_interop_get") __attribute__((weak));

/* Makes an object (an omp_interop_t) of type 1, target, or 2, targetsync. libomptarget before LLVM 22 does not wait for the
 * foreign runtime's work, so there are no objects there. */
static __inline__ void rex_interop_init(void *object, int type, int device)
{
    void *made = 0;
    if (&rex_tgt_interop_get)
        rex_tgt_interop_init(0, rex_kmp_thread(0), &made, type, device, 0, 0, 0);
    __builtin_memcpy(object, &made, sizeof(made));
}

/* Waits for the work in the object's CUDA stream. Returns 0 if it has no stream. Programs with images for GPUs define it,
 * because LLVM 22 has no barrier for such objects and ends the program when it needs one. */
extern int rex_interop_wait(void *object) __attribute__((weak, visibility("hidden")));

static __inline__ void rex_interop_use(void *object)
{
    void *made;
    __builtin_memcpy(&made, object, sizeof(made));
    if (made && !(rex_interop_wait && rex_interop_wait(made)))
        rex_tgt_interop_use(0, rex_kmp_thread(0), &made, -1, 0, 0, 0);
}

/* An object with a CUDA stream is not destroyed, because the runtime's function would need that barrier. */
static __inline__ void rex_interop_destroy(void *object)
{
    void *made;
    __builtin_memcpy(&made, object, sizeof(made));
    if (made && !(rex_interop_wait && rex_interop_wait(made)))
        rex_tgt_interop_destroy(0, rex_kmp_thread(0), &made, -1, 0, 0, 0);
    made = 0;
    __builtin_memcpy(object, &made, sizeof(made));
}

#endif
