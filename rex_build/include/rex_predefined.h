/* What the compiler's own macros are in the user's source. In the host file they would be about the host file itself.
 *
 * It is included by host files whose source has such a name, after they have defined what the macros stand for.
 */
#pragma GCC system_header /* compilers warn of new definitions elsewhere */
#ifdef REX_BASE_FILE
#define __BASE_FILE__ REX_BASE_FILE
#endif
#ifdef REX_TIMESTAMP
#define __TIMESTAMP__ REX_TIMESTAMP
#endif
