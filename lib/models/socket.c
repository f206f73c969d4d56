/* socket.c: the network is any bytes from anybody; each call may fail. */
#include <selkie/model.h>

static int socket_status(void) {
    if (any_bool())
        return 0;
    errno = any_int_in(1, 133);
    return -1;
}

static int socket_new(void) {
    return socket_status() == 0 ? any_int_in(0, 1023) : -1;
}

static ssize_t socket_count(size_t n) {
    if (socket_status() != 0)
        return -1;
    size_t count = any_size();
    sk_assume(count <= n && (ssize_t)count >= 0);
    return count;
}

static ssize_t socket_receive(void *to, size_t n) {
    check_write(to, n, "recv: the buffer has as many bytes as it is said to have");
    ssize_t count = socket_count(n);
    if (count > 0)
        __selkie_havoc(to, count);
    return count;
}

static ssize_t socket_send(const void *from, size_t n) {
    check_read(from, n, "send: the buffer has as many bytes as it is said to have");
    return socket_count(n);
}

/* The other side's address, if it is wanted. */
static void socket_address(void *to, unsigned *length) {
    if (!to || !length)
        return;
    check_write(to, *length, "the address has as many bytes as it is said to have");
    __selkie_havoc(to, *length);
    *length = any_uint();
}

MODEL int socket(int domain, int kind, int protocol) {
    return (void)domain, (void)kind, (void)protocol, socket_new();
}

MODEL int bind(int fd, const void *address, unsigned length) {
    (void)fd;
    check_read(address, length, "bind: the address is readable");
    return socket_status();
}

MODEL int connect(int fd, const void *address, unsigned length) {
    (void)fd;
    check_read(address, length, "connect: the address is readable");
    return socket_status();
}

MODEL int listen(int fd, int backlog) { return (void)fd, (void)backlog, socket_status(); }
MODEL int shutdown(int fd, int how) { return (void)fd, (void)how, socket_status(); }

MODEL int accept(int fd, void *address, unsigned *length) {
    (void)fd;
    int result = socket_new();
    if (result >= 0)
        socket_address(address, length);
    return result;
}

MODEL ssize_t recv(int fd, void *to, size_t n, int flags) {
    return (void)fd, (void)flags, socket_receive(to, n);
}

MODEL ssize_t __recv_chk(int fd, void *to, size_t n, size_t size, int flags) {
    return (void)fd, (void)size, (void)flags, socket_receive(to, n);
}

MODEL ssize_t recvfrom(int fd, void *to, size_t n, int flags, void *address, unsigned *length) {
    (void)fd, (void)flags;
    ssize_t count = socket_receive(to, n);
    if (count >= 0)
        socket_address(address, length);
    return count;
}

MODEL ssize_t send(int fd, const void *from, size_t n, int flags) {
    return (void)fd, (void)flags, socket_send(from, n);
}

MODEL ssize_t sendto(int fd, const void *from, size_t n, int flags, const void *address, unsigned length) {
    (void)fd, (void)flags;
    if (address)
        check_read(address, length, "sendto: the address is readable");
    return socket_send(from, n);
}

MODEL int setsockopt(int fd, int level, int name, const void *value, unsigned length) {
    (void)fd, (void)level, (void)name;
    if (value)
        check_read(value, length, "setsockopt: the value is readable");
    return socket_status();
}

MODEL int getsockopt(int fd, int level, int name, void *value, unsigned *length) {
    (void)fd, (void)level, (void)name;
    if (socket_status() != 0)
        return -1;
    socket_address(value, length);
    return 0;
}
