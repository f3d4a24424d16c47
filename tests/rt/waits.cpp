// rt_waits: performs each kind of operation that may wait for another thread or wake one. Prints the number
// of each kind, for wait_counts.py to compare with the preloaded counter.
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <ctime>

namespace {

timespec in_an_hour(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  now.tv_sec += 3600;
  return now;
}

// Each takes a free lock, so that nothing waits; each counts as one operation.
unsigned mutex_operations() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const timespec until = in_an_hour(CLOCK_REALTIME), until_monotonic = in_an_hour(CLOCK_MONOTONIC);
  const auto release = [&] { ::pthread_mutex_unlock(&mutex); };
  ::pthread_mutex_lock(&mutex), release();
  ::pthread_mutex_trylock(&mutex), release();
  ::pthread_mutex_timedlock(&mutex, &until), release();
  ::pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until_monotonic), release();
  pthread_spinlock_t spin;
  ::pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  ::pthread_spin_lock(&spin), ::pthread_spin_unlock(&spin);
  ::pthread_spin_trylock(&spin), ::pthread_spin_unlock(&spin);
  return 6;
}

unsigned rwlock_operations() {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  const timespec until = in_an_hour(CLOCK_REALTIME), until_monotonic = in_an_hour(CLOCK_MONOTONIC);
  const auto release = [&] { ::pthread_rwlock_unlock(&lock); };
  ::pthread_rwlock_rdlock(&lock), release();
  ::pthread_rwlock_tryrdlock(&lock), release();
  ::pthread_rwlock_timedrdlock(&lock, &until), release();
  ::pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &until_monotonic), release();
  ::pthread_rwlock_wrlock(&lock), release();
  ::pthread_rwlock_trywrlock(&lock), release();
  ::pthread_rwlock_timedwrlock(&lock, &until), release();
  ::pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &until_monotonic), release();
  return 8;
}

// The waits end at once because their deadlines are in the past.
unsigned condition_operations() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  const timespec past{1, 0};
  ::pthread_mutex_lock(&mutex);
  ::pthread_cond_timedwait(&condition, &mutex, &past);
  ::pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &past);
  ::pthread_mutex_unlock(&mutex);
  ::pthread_cond_signal(&condition);
  ::pthread_cond_broadcast(&condition);
  pthread_barrier_t barrier;
  ::pthread_barrier_init(&barrier, nullptr, 1);
  ::pthread_barrier_wait(&barrier);
  return 5;
}

struct Meeting {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  bool met = false;
};

void* meet(void* with) {
  auto& meeting = *static_cast<Meeting*>(with);
  ::pthread_mutex_lock(&meeting.mutex);
  meeting.met = true;
  ::pthread_cond_signal(&meeting.condition);
  ::pthread_mutex_unlock(&meeting.mutex);
  return nullptr;
}

// A wait without a limit, which needs another thread to end it: a wait (seldom more) and a signal. Returns
// both counts.
unsigned condition_wait() {
  Meeting meeting;
  pthread_t other{};
  unsigned waits = 0;
  ::pthread_mutex_lock(&meeting.mutex);
  ::pthread_create(&other, nullptr, meet, &meeting);
  for (; !meeting.met; ++waits) ::pthread_cond_wait(&meeting.condition, &meeting.mutex);
  ::pthread_mutex_unlock(&meeting.mutex);
  ::pthread_join(other, nullptr);
  return waits + 1;
}

unsigned semaphore_operations() {
  sem_t semaphore;
  ::sem_init(&semaphore, 0, 4);
  const timespec until = in_an_hour(CLOCK_REALTIME), until_monotonic = in_an_hour(CLOCK_MONOTONIC);
  ::sem_wait(&semaphore);
  ::sem_trywait(&semaphore);
  ::sem_timedwait(&semaphore, &until);
  ::sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until_monotonic);
  ::sem_post(&semaphore);
  return 5;
}

unsigned futex_operations() {
  std::uint32_t word = 0;
  ::syscall(SYS_futex, &word, FUTEX_WAIT, 1, nullptr, nullptr, 0);  // the word differs, so it returns at once
  ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  return 2;
}

}  // namespace

int main() {
  const unsigned locks = mutex_operations() + rwlock_operations() + 3;  // three around the conditions' waits
  const unsigned conditions = condition_operations() + condition_wait();
  std::printf("%u %u %u %u\n", locks, conditions, semaphore_operations(), futex_operations());
}
