// A log with room for ROOM entries.
extern int log_entries[ROOM];
extern unsigned log_count;
void log_put(int what);
int log_last(void);
