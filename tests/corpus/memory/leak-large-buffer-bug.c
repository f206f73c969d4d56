// A large buffer with bytes of unknown length in it holds no pointer: what was allocated is lost.
#include <stdlib.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

static char buffer[1 << 17];
static char copy[1 << 17];

int main(void) {
  unsigned long at = __VERIFIER_nondet_ulong();
  if (at < sizeof buffer) {
    buffer[at] = (char)__VERIFIER_nondet_uchar();
    memcpy(copy, buffer, at);
  }
  int *lost = malloc(sizeof *lost);
  *lost = 1;
  lost = 0;
  return copy[0];
}
