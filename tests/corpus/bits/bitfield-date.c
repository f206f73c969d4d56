// A date packed into sixteen bits, as file systems of the eighties have it.
#include <svcomp.h>

struct date {
    unsigned short day : 5;
    unsigned short month : 4;
    unsigned short year : 7;
};

int main(void) {
    int day = __VERIFIER_nondet_int(), month = __VERIFIER_nondet_int(), year = __VERIFIER_nondet_int();
    __VERIFIER_assume(1 <= day && day <= 31 && 1 <= month && month <= 12 && 1980 <= year && year < 2108);
    struct date date = {.day = day, .month = month, .year = year - 1980};
    struct date copy = date;
    if (copy.day != day || copy.month != month || copy.year + 1980 != year) reach_error();
    return 0;
}
