/* ctype_table.c: the tables that the macros of glibc's ctype.h look into, for the C locale. The index is a
 * character from -128 to 255; behind the tables, a look-up is out of bounds. */
#include <selkie/model.h>

#define CTYPE_TABLE_ASCII 128

/* Bits of the classes, as ctype.c has them, for -128 to 255. Beyond ASCII there are none. */
static const unsigned short ctype_table_classes[384] = {
    [CTYPE_TABLE_ASCII] =
    0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002,
    0x0002, 0x2003, 0x2002, 0x2002, 0x2002, 0x2002, 0x0002, 0x0002,
    0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002,
    0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002, 0x0002,
    0x6001, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
    0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
    0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808, 0xd808,
    0xd808, 0xd808, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
    0xc004, 0xd508, 0xd508, 0xd508, 0xd508, 0xd508, 0xd508, 0xc508,
    0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508,
    0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508, 0xc508,
    0xc508, 0xc508, 0xc508, 0xc004, 0xc004, 0xc004, 0xc004, 0xc004,
    0xc004, 0xd608, 0xd608, 0xd608, 0xd608, 0xd608, 0xd608, 0xc608,
    0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608,
    0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608, 0xc608,
    0xc608, 0xc608, 0xc608, 0xc004, 0xc004, 0xc004, 0xc004, 0x0002,
};

/* Bytes that are no letters stay as they are; negative ones as the unsigned ones. EOF stays EOF. */
#define CTYPE_TABLE_ROW(low) low, low + 1, low + 2, low + 3, low + 4, low + 5, low + 6, low + 7
#define CTYPE_TABLE_ROWS(low) \
    CTYPE_TABLE_ROW(low), CTYPE_TABLE_ROW(low + 8), CTYPE_TABLE_ROW(low + 16), CTYPE_TABLE_ROW(low + 24)
#define CTYPE_TABLE_CASE(upper, lower) \
    { \
        CTYPE_TABLE_ROWS(128), CTYPE_TABLE_ROWS(160), CTYPE_TABLE_ROWS(192), CTYPE_TABLE_ROW(224), \
        CTYPE_TABLE_ROW(232), CTYPE_TABLE_ROW(240), 248, 249, 250, 251, 252, 253, 254, -1, \
        CTYPE_TABLE_ROWS(0), CTYPE_TABLE_ROWS(32), \
        '@', CTYPE_TABLE_LETTERS(upper), '[', '\\', ']', '^', '_', \
        '`', CTYPE_TABLE_LETTERS(lower), '{', '|', '}', '~', 127, \
        CTYPE_TABLE_ROWS(128), CTYPE_TABLE_ROWS(160), CTYPE_TABLE_ROWS(192), CTYPE_TABLE_ROWS(224) \
    }
#define CTYPE_TABLE_LETTERS(a) \
    CTYPE_TABLE_ROW(a), CTYPE_TABLE_ROW(a + 8), CTYPE_TABLE_ROW(a + 16), a + 24, a + 25

static const int ctype_table_lower[384] = CTYPE_TABLE_CASE('a', 'a');
static const int ctype_table_upper[384] = CTYPE_TABLE_CASE('A', 'A');

MODEL const unsigned short **__ctype_b_loc(void) {
    static const unsigned short *table = ctype_table_classes + CTYPE_TABLE_ASCII;
    return &table;
}

MODEL const int **__ctype_tolower_loc(void) {
    static const int *table = ctype_table_lower + CTYPE_TABLE_ASCII;
    return &table;
}

MODEL const int **__ctype_toupper_loc(void) {
    static const int *table = ctype_table_upper + CTYPE_TABLE_ASCII;
    return &table;
}

MODEL size_t __ctype_get_mb_cur_max(void) {
    return 1;
}
