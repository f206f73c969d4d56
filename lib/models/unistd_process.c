/* unistd_process.c: other processes, devices and mappings are not modelled. */
#include <selkie/model.h>

#define UNISTD_PROCESS(result, name, ...) \
    MODEL result name(__VA_ARGS__) { \
        __selkie_unsupported(#name); \
        return (result)-1; \
    }
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-parameter"

UNISTD_PROCESS(int, fork, void)
UNISTD_PROCESS(int, vfork, void)
UNISTD_PROCESS(int, clone, int (*function)(void *), void *stack, int flags, void *argument, ...)
UNISTD_PROCESS(int, wait, int *status)
UNISTD_PROCESS(int, waitpid, int process, int *status, int options)
UNISTD_PROCESS(int, execl, const char *path, const char *argument, ...)
UNISTD_PROCESS(int, execlp, const char *path, const char *argument, ...)
UNISTD_PROCESS(int, execle, const char *path, const char *argument, ...)
UNISTD_PROCESS(int, execv, const char *path, char *const *arguments)
UNISTD_PROCESS(int, execvp, const char *path, char *const *arguments)
UNISTD_PROCESS(int, execve, const char *path, char *const *arguments, char *const *environment)
UNISTD_PROCESS(int, ioctl, int fd, unsigned long request, ...)
UNISTD_PROCESS(void *, mmap, void *at, size_t n, int protection, int flags, int fd, long offset)
UNISTD_PROCESS(int, munmap, void *at, size_t n)
UNISTD_PROCESS(void *, sbrk, ssize_t increment)
UNISTD_PROCESS(void *, dlopen, const char *path, int flags)
UNISTD_PROCESS(void *, dlsym, void *library, const char *name)
#pragma clang diagnostic pop
