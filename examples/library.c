// Five functions of a library. Each has a mistake that some caller meets; library_fixed.c has none.
#include <stddef.h>

// The sum of n numbers.
unsigned sum(const unsigned *a, size_t n)
{
    unsigned s = 0;
    for (size_t i = 0; i <= n; i++)
        s += a[i];
    return s;
}

// Copies at most n - 1 characters and ends them.
void copy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    while (from[i] != 0 && i < n) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
}

// The greatest of n numbers.
int greatest(const int *a, size_t n)
{
    int best = a[0];
    for (size_t i = 1; i < n; i++)
        if (a[i] > best)
            best = a[i];
    return best;
}

// Which of two numbers is greater: more than 0, 0, less than 0.
int compare(const int *a, const int *b)
{
    return *a - *b;
}

struct buffer {
    unsigned char *data;
    unsigned length;
};

// The last byte.
int last(const struct buffer *b)
{
    return b->data[b->length];
}
