// Linux calls that Glibc's module map leaves out or that need _GNU_SOURCE, each as a thin function with our prefix.
#ifndef CLINUX_H
#define CLINUX_H

#include <pthread.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

/// accept4 with SOCK_NONBLOCK | SOCK_CLOEXEC.
int clinux_accept_nonblocking(int listener, struct sockaddr *address, socklen_t *length);

/// pipe2 with O_CLOEXEC.
int clinux_pipe(int ends[2]);

/// posix_spawn_file_actions_addclosefrom_np: the child keeps no descriptor from `first` on.
int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// Names the calling thread, for top, gdb and perf; at most 15 bytes.
void clinux_name_thread(const char *name);

/// CRC-32C (Castagnoli, RFC 3720) of `crc`'s bytes followed by these; start with 0. Uses the processor's instruction where
/// it has one. `bytes` may be NULL when `count` is 0.
uint32_t clinux_crc32c(uint32_t crc, const void *bytes, size_t count);
/// The two ways it is computed; `_hardware` only where `_has_hardware` is true.
uint32_t clinux_crc32c_portable(uint32_t crc, const void *bytes, size_t count);
uint32_t clinux_crc32c_hardware(uint32_t crc, const void *bytes, size_t count);
int clinux_crc32c_has_hardware(void);

/// A non-blocking, close-on-exec TCP socket of that family.
int clinux_tcp_socket(int family);

/// epoll_create1 with EPOLL_CLOEXEC.
int clinux_epoll_create(void);

/// Registers a descriptor level-triggered for input.
int clinux_epoll_add_level(int epoll, int descriptor, uint64_t data);

/// Registers a descriptor edge-triggered for input, output and the peer's end of stream: one call in its life.
int clinux_epoll_add_edge(int epoll, int descriptor, uint64_t data);

/// epoll_pwait2: waits at most so many nanoseconds; negative is for ever. Returns the count of events, or -1 with errno.
int clinux_epoll_wait(int epoll, struct epoll_event *events, int max, int64_t nanoseconds);

/// How late the kernel may wake the calling thread to save energy (PR_SET_TIMERSLACK); 50 000 ns by default.
void clinux_set_timer_slack(unsigned long nanoseconds);

/// Removes a descriptor.
int clinux_epoll_remove(int epoll, int descriptor);

/// An eventfd with EFD_NONBLOCK | EFD_CLOEXEC.
int clinux_eventfd_create(void);

/// What epoll reports, as plain masks.
static const uint32_t clinux_readable = EPOLLIN;
static const uint32_t clinux_writable = EPOLLOUT;
static const uint32_t clinux_peer_ended = EPOLLRDHUP;
static const uint32_t clinux_gone = EPOLLHUP | EPOLLERR;

#endif
