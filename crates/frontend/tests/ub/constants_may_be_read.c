// `sk_is_deref` asks for reading, `sk_is_deref_write` for writing.
// checks: assert
// violates: nothing
#include <cbmc.h>
#include <selkie.h>
static const int fixed = 3;
static int free_to_change;
int main(void) {
    sk_assert(sk_is_deref(&fixed, sizeof fixed) && !sk_is_deref_write(&fixed, sizeof fixed));
    sk_assert(__CPROVER_r_ok(&fixed, 4) && !__CPROVER_w_ok(&fixed, 4) && !__CPROVER_rw_ok(&fixed, 4));
    sk_assert(sk_is_deref_write(&free_to_change, 4) && !sk_is_deref(&free_to_change, 5));
    return 0;
}
