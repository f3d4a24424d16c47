// The pthread functions: simulated for threads of the simulation, the system's for others. The program and
// the C++ library find these definitions first.
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>

#include "interposed/times.h"
#include "machine/machine.h"
#include "machine/system_calls.h"

using takt::sim::machine;
using takt::sim::real;
using takt::sim::simulated;
using takt::sim::time_of;

namespace {

takt::sim::Locks& locks() { return machine().locks; }

// Follows the convention of functions that set errno.
int answer(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // namespace

extern "C" {

int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) noexcept {
  if (!simulated())
    return real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create")(
        handle, attributes, body, argument);
  if (!machine().may_start_thread()) return EAGAIN;
  return machine().scheduler.create(handle, attributes, body, argument);
}

int pthread_join(pthread_t handle, void** result) {
  if (!simulated()) return real<int(pthread_t, void**)>("pthread_join")(handle, result);
  return machine().scheduler.join(handle, result);
}

int pthread_detach(pthread_t handle) noexcept {
  if (!simulated()) return real<int(pthread_t)>("pthread_detach")(handle);
  return machine().scheduler.detach(handle);
}

int pthread_setname_np(pthread_t handle, const char* name) noexcept {
  if (simulated()) machine().scheduler.name(handle, name);
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (!simulated()) return real<int(pthread_mutex_t*)>("pthread_mutex_lock")(mutex);
  return locks().lock(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  if (!simulated()) return real<int(pthread_mutex_t*)>("pthread_mutex_trylock")(mutex);
  return locks().try_lock(mutex);
}

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) noexcept {
  if (!simulated())
    return real<int(pthread_mutex_t*, clockid_t, const timespec*)>("pthread_mutex_clocklock")(mutex, clock,
                                                                                              until);
  return locks().lock(mutex, time_of(clock, *until));
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  if (!simulated()) return real<int(pthread_mutex_t*)>("pthread_mutex_unlock")(mutex);
  return locks().unlock(mutex);
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  if (!simulated()) return real<int(pthread_rwlock_t*)>("pthread_rwlock_rdlock")(lock);
  return locks().lock_shared(lock);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  if (!simulated()) return real<int(pthread_rwlock_t*)>("pthread_rwlock_tryrdlock")(lock);
  return locks().try_lock_shared(lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  if (!simulated()) return real<int(pthread_rwlock_t*)>("pthread_rwlock_wrlock")(lock);
  return locks().lock(lock);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  if (!simulated()) return real<int(pthread_rwlock_t*)>("pthread_rwlock_trywrlock")(lock);
  return locks().try_lock(lock);
}

int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  if (!simulated()) return real<int(pthread_rwlock_t*)>("pthread_rwlock_unlock")(lock);
  return locks().unlock_any(lock);
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!simulated())
    return real<int(pthread_cond_t*, pthread_mutex_t*)>("pthread_cond_wait")(condition, mutex);
  return locks().wait(condition, mutex);
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  if (!simulated())
    return real<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)>("pthread_cond_timedwait")(
        condition, mutex, until);
  return locks().wait(condition, mutex, time_of(CLOCK_REALTIME, *until));
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
  if (!simulated())
    return real<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>("pthread_cond_clockwait")(
        condition, mutex, clock, until);
  return locks().wait(condition, mutex, time_of(clock, *until));
}

int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  if (!simulated()) return real<int(pthread_cond_t*)>("pthread_cond_signal")(condition);
  locks().wake(condition, false);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  if (!simulated()) return real<int(pthread_cond_t*)>("pthread_cond_broadcast")(condition);
  locks().wake(condition, true);
  return 0;
}

int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  if (!simulated()) return real<int(sem_t*, int, unsigned)>("sem_init")(semaphore, shared, value);
  locks().set_count(semaphore, value);
  return 0;
}

int sem_destroy(sem_t* semaphore) noexcept {
  if (simulated()) locks().forget_count(semaphore);
  return 0;
}

int sem_post(sem_t* semaphore) noexcept {
  if (!simulated()) return real<int(sem_t*)>("sem_post")(semaphore);
  locks().release(semaphore);
  return 0;
}

int sem_wait(sem_t* semaphore) {
  if (!simulated()) return real<int(sem_t*)>("sem_wait")(semaphore);
  return answer(locks().acquire(semaphore));
}

int sem_trywait(sem_t* semaphore) noexcept {
  if (!simulated()) return real<int(sem_t*)>("sem_trywait")(semaphore);
  return answer(locks().try_acquire(semaphore) ? 0 : EAGAIN);
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  if (!simulated())
    return real<int(sem_t*, clockid_t, const timespec*)>("sem_clockwait")(semaphore, clock, until);
  return answer(locks().acquire(semaphore, time_of(clock, *until)));
}

int sem_timedwait(sem_t* semaphore, const timespec* until) {
  return sem_clockwait(semaphore, CLOCK_REALTIME, until);
}

}  // extern "C"
