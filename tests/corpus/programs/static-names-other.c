// The other file.
static int count;
int other_next(void) { return ++count; }
