// Loaded before the C library, it plants priority inversion: mutexes do not inherit priorities, and threads
// cannot be lent one (threads still set their own with pthread_setschedparam).
#include <pthread.h>
#include <sched.h>

#include <cerrno>

extern "C" {

int pthread_mutexattr_setprotocol(pthread_mutexattr_t*, int) noexcept { return 0; }

int sched_setscheduler(pid_t, int, const sched_param*) noexcept {
  errno = EPERM;
  return -1;
}

}  // extern "C"
