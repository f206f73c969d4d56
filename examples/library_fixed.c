// Five functions of a library, right for every caller.
#include <stddef.h>

// The sum of n numbers.
unsigned sum(const unsigned *a, size_t n)
{
    unsigned s = 0;
    for (size_t i = 0; i < n; i++)
        s += a[i];
    return s;
}

// Copies at most n - 1 characters and ends them.
void copy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    if (n == 0)
        return;
    while (i < n - 1 && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
}

// The greatest of n numbers, 0 if there are none.
int greatest(const int *a, size_t n)
{
    int best = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || a[i] > best)
            best = a[i];
    return best;
}

// Which of two numbers is greater: more than 0, 0, less than 0.
int compare(const int *a, const int *b)
{
    return (*a > *b) - (*a < *b);
}

struct buffer {
    unsigned char *data;
    unsigned length;
};

// The last byte, -1 if there is none.
int last(const struct buffer *b)
{
    return b->length == 0 ? -1 : b->data[b->length - 1];
}
