/* socket.c: the network is any bytes from anybody; each call may fail. */
#include "system.h"

/* The other side's address, if it is wanted. */
static void socket_address(void *to, unsigned *length) {
    if (!to)
        return;
    check_write(to, *length, "the address has as many bytes as it is said to have");
    __selkie_havoc(to, *length);
    *length = any_uchar() & 127;
}

static int socket_new(void) {
    __selkie_io.network = 1;
    return system_descriptor();
}

MODEL int socket(int domain, int kind, int protocol) {
    return (void)domain, (void)kind, (void)protocol, socket_new();
}

MODEL int bind(int fd, const void *address, unsigned length) {
    (void)fd;
    check_read(address, length, "bind: the address is readable");
    return system_status();
}

MODEL int connect(int fd, const void *address, unsigned length) {
    (void)fd;
    check_read(address, length, "connect: the address is readable");
    return system_status();
}

MODEL int listen(int fd, int backlog) { return (void)fd, (void)backlog, system_status(); }
MODEL int shutdown(int fd, int how) { return (void)fd, (void)how, system_status(); }

MODEL int accept(int fd, void *address, unsigned *length) {
    (void)fd;
    int result = socket_new();
    if (result >= 0)
        socket_address(address, length);
    return result;
}

MODEL ssize_t recv(int fd, void *to, size_t n, int flags) {
    return (void)fd, (void)flags, system_read_from(0, to, n);
}

MODEL ssize_t __recv_chk(int fd, void *to, size_t n, size_t size, int flags) {
    (void)fd, (void)flags;
    system_fits(n, size);
    return system_read_from(0, to, n);
}

static ssize_t socket_receive_from(void *to, size_t n, void *address, unsigned *length) {
    ssize_t count = system_read_from(0, to, n);
    if (count >= 0)
        socket_address(address, length);
    return count;
}

MODEL ssize_t recvfrom(int fd, void *to, size_t n, int flags, void *address, unsigned *length) {
    return (void)fd, (void)flags, socket_receive_from(to, n, address, length);
}

MODEL ssize_t __recvfrom_chk(int fd, void *to, size_t n, size_t size, int flags, void *address, unsigned *length) {
    (void)fd, (void)flags;
    system_fits(n, size);
    return socket_receive_from(to, n, address, length);
}

MODEL ssize_t send(int fd, const void *from, size_t n, int flags) {
    return (void)fd, (void)flags, system_write(from, n);
}

MODEL ssize_t sendto(int fd, const void *from, size_t n, int flags, const void *address, unsigned length) {
    (void)fd, (void)flags;
    if (address)
        check_read(address, length, "sendto: the address is readable");
    return system_write(from, n);
}

MODEL int setsockopt(int fd, int level, int name, const void *value, unsigned length) {
    (void)fd, (void)level, (void)name;
    if (value)
        check_read(value, length, "setsockopt: the value is readable");
    return system_status();
}

MODEL int getsockopt(int fd, int level, int name, void *value, unsigned *length) {
    (void)fd, (void)level, (void)name;
    if (system_status() != 0)
        return -1;
    socket_address(value, length);
    return 0;
}

MODEL int getsockname(int fd, void *address, unsigned *length) {
    (void)fd;
    if (system_status() != 0)
        return -1;
    socket_address(address, length);
    return 0;
}

MODEL int getpeername(int fd, void *address, unsigned *length) {
    (void)fd;
    if (system_status() != 0)
        return -1;
    socket_address(address, length);
    return 0;
}

MODEL int socketpair(int domain, int kind, int protocol, int *ends) {
    (void)domain, (void)kind, (void)protocol;
    return system_descriptors(ends);
}
