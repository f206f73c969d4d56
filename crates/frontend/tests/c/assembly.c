// Inline assembly whose meaning is known, against the processor.
#include <stdint.h>
#include <stdio.h>

static uint32_t swap(uint32_t x) {
    __asm__("bswap %0" : "+r"(x));
    return x;
}

static uint32_t swap_long(uint32_t x) {
    __asm__("bswapl %0" : "=r"(x) : "0"(x));
    return x;
}

static uint16_t swap_two(uint16_t x) {
    __asm__("xchgb %b0,%h0" : "=Q"(x) : "0"(x));
    return x;
}

static uint16_t turn_two(uint16_t x) {
    __asm__("rorw $8, %w0" : "=r"(x) : "0"(x) : "cc");
    return x;
}

static uint32_t left(uint32_t x, int by) {
    __asm__("roll %%cl,%0" : "+r"(x) : "c"(by));
    return x;
}

static uint32_t right(uint32_t x, unsigned char by) {
    __asm__("rorl %1,%0" : "+r"(x) : "c"(by) : "cc");
    return x;
}

static uint16_t left_two(uint16_t x, int by) {
    __asm__("rolw %b1,%0" : "+r"(x) : "c"(by) : "cc");
    return x;
}

static uint8_t left_one(uint8_t x, int by) {
    __asm__("rolb %%cl,%0" : "+q"(x) : "c"(by));
    return x;
}

static uint32_t right_by(uint32_t x) {
    __asm__("ror %1,%0" : "=r"(x) : "I"(5), "0"(x) : "cc");
    return x;
}

static uint32_t right_eight(uint32_t x) {
    __asm__("rorl $8,%0" : "+r"(x));
    return x;
}

static uint32_t copy(uint32_t y) {
    uint32_t x;
    __asm__("movl %1,%0" : "=r"(x) : "r"(y));
    return x;
}

static uint32_t number(void) {
    uint32_t x;
    __asm__("mov $0x12345678, %0" : "=r"(x));
    return x;
}

static int behind(int x) {
    __asm__ volatile("mfence" ::: "memory");
    __asm__ volatile("" : "+r"(x) : : "memory");
    __asm__ volatile("" : "+m"(x));
    __asm__ volatile("rep; nop" ::: "memory");
    return x;
}

#ifdef __x86_64__
static uint64_t swap_eight(uint64_t x) {
    __asm__("bswapq %0" : "=r"(x) : "0"(x));
    return x;
}

static uint64_t left_eight(uint64_t x, int by) {
    __asm__("rolq %%cl,%0" : "+r"(x) : "c"(by));
    return x;
}
#endif

int main(void) {
    uint32_t values[] = {0, 1, 0x80000000, 0x01234567, 0xfedcba98, 0xffffffff, 0x00ff8001};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        uint32_t x = values[i];
        printf("%x %x %x %x ", swap(x), swap_long(x), swap_two(x), turn_two(x));
        printf("%x %x %x %x %x\n", right_by(x), right_eight(x), copy(x), number(), behind(x));
        for (int by = 0; by < 70; by += 3) {
            printf("%x %x ", left(x, by), right(x, by));
            printf("%x %x ", left_two(x, by), left_one(x, by));
#ifdef __x86_64__
            uint64_t wide = (uint64_t)x << 16 | 0x8000000000001234u;
            printf("%llx ", (unsigned long long)left_eight(wide, by));
            printf("%llx ", (unsigned long long)swap_eight(wide));
#endif
        }
        printf("\n");
    }
    return 0;
}
