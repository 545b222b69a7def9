#include "CLinux.h"

#include <fcntl.h>
#include <unistd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/prctl.h>

int clinux_accept_nonblocking(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC);
}

int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

void clinux_name_thread(const char *name) {
    (void)pthread_setname_np(pthread_self(), name);
}

int clinux_tcp_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
}

int clinux_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

static int add(int epoll, int descriptor, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data = {.u64 = data}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int clinux_epoll_add_level(int epoll, int descriptor, uint64_t data) {
    return add(epoll, descriptor, EPOLLIN, data);
}

int clinux_epoll_add_edge(int epoll, int descriptor, uint64_t data) {
    return add(epoll, descriptor, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, data);
}

int clinux_epoll_wait(int epoll, struct epoll_event *events, int max, int64_t nanoseconds) {
    struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return epoll_pwait2(epoll, events, max, nanoseconds < 0 ? NULL : &limit, NULL);
}

void clinux_set_timer_slack(unsigned long nanoseconds) {
    (void)prctl(PR_SET_TIMERSLACK, nanoseconds);
}

int clinux_epoll_remove(int epoll, int descriptor) {
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, 0);
}

int clinux_eventfd_create(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}
