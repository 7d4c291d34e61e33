/* Interoperability objects of host code. A part of rex_kmp.h, which includes it.
 */
#ifndef REX_HOST_INTEROP_H
#define REX_HOST_INTEROP_H

void rex_tgt_interop_init(struct rex_location *, rex_int32, void **, rex_int32, rex_int32, rex_int32,
                          const struct rex_dependence *, rex_int32) __asm__("__tgt_interop_init");
void rex_tgt_interop_use(struct rex_location *, rex_int32, void **, rex_int32, rex_int32, const struct rex_dependence *,
                         rex_int32) __asm__("__tgt_interop_use");
void rex_tgt_interop_destroy(struct rex_location *, rex_int32, void **, rex_int32, rex_int32,
                             const struct rex_dependence *, rex_int32) __asm__("__tgt_interop_destroy");
extern char rex_tgt_interop_get __asm__("__tgt_interop_get") __attribute__((weak));

/* Makes an object (an omp_interop_t) of type 1, target, or 2, targetsync. Before LLVM 22, libomptarget does not wait for
 * the foreign runtime's work: there, it has no objects. */
static __inline__ void rex_interop_init(void *object, int type, int device)
{
    void *made = 0;
    if (&rex_tgt_interop_get)
        rex_tgt_interop_init(0, rex_kmp_thread(0), &made, type, device, 0, 0, 0);
    __builtin_memcpy(object, &made, sizeof(made));
}

/* Waits for the work in the object's CUDA stream; 0 where it has none. Programs with images for GPUs define it: LLVM 22 has
 * no barrier for such objects and ends the program where it needs one. */
extern int rex_interop_wait(void *object) __attribute__((weak, visibility("hidden")));

static __inline__ void rex_interop_use(void *object)
{
    void *made;
    __builtin_memcpy(&made, object, sizeof(made));
    if (made && !(rex_interop_wait && rex_interop_wait(made)))
        rex_tgt_interop_use(0, rex_kmp_thread(0), &made, -1, 0, 0, 0);
}

/* An object with a CUDA stream stays, since the runtime's function would need that barrier. */
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
