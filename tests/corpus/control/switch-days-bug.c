// The number of days in a month.
#include <svcomp.h>

static int days(int month, int year) {
    switch (month) {
    case 2:
        return year % 4 == 0 && year % 100 != 0 ? 29 : 28;  // The bug: 2000 was a leap year.
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}

int main(void) {
    int year = __VERIFIER_nondet_int(), sum = 0;
    if (year != 1999 && year != 2000 && year != 1900) return 0;
    for (int month = 1; month <= 12; month++) sum += days(month, year);
    if (sum != (year == 2000 ? 366 : 365)) reach_error();
    return 0;
}
