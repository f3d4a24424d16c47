// LD_PRELOAD library: counts heap allocations, and every operation that may wait for another thread or wake
// one, in the file named by TAKT_COUNTS. The file is shared memory, so that the counts survive however the
// process ends.
//
// The file has one 64-bit count per Counter, in this order; the harness reads it by position.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

// glibc's own entry points, so that the wrappers need no lookup before main.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

// Futex calls by the program and the standard library's atomics, without those inside the operations above.
enum Counter {
  allocations,
  lock_operations,
  condition_operations,
  semaphore_operations,
  futex_operations,
  counters
};

std::uint64_t before_start[counters];
std::uint64_t* counts = before_start;

void add(Counter counter) { __atomic_fetch_add(&counts[counter], 1, __ATOMIC_RELAXED); }

__attribute__((constructor)) void open_counts() {
  const char* path = std::getenv("TAKT_COUNTS");
  const int fd = path ? ::open(path, O_RDWR | O_CREAT, 0600) : -1;
  if (fd < 0 || ::ftruncate(fd, sizeof before_start) != 0) return;
  void* memory = ::mmap(nullptr, sizeof before_start, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory != MAP_FAILED) counts = static_cast<std::uint64_t*>(memory);
  ::close(fd);
}

// pthread_cond_* exist in two versions; the default version is the newer one.
template <class Function>
Function* next(const char* name, const char* version = nullptr) {
  return reinterpret_cast<Function*>(version ? ::dlvsym(RTLD_NEXT, name, version) : ::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  add(allocations);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  add(allocations);
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  add(allocations);
  return __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  add(allocations);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = aligned_alloc(alignment, size);
  return *block ? 0 : 12;  // ENOMEM
}

#define COUNTED(counter, version, name, parameters, arguments)      \
  int name parameters {                                             \
    static auto* const real = next<int parameters>(#name, version); \
    add(counter);                                                   \
    return real arguments;                                          \
  }

#define MUTEX_OPERATION(name) COUNTED(lock_operations, nullptr, name, (pthread_mutex_t * m), (m))
#define RWLOCK_OPERATION(name) COUNTED(lock_operations, nullptr, name, (pthread_rwlock_t * l), (l))
#define TIMED_RWLOCK_OPERATION(name) \
  COUNTED(lock_operations, nullptr, name, (pthread_rwlock_t * l, const timespec* t), (l, t))
#define CLOCK_RWLOCK_OPERATION(name) \
  COUNTED(lock_operations, nullptr, name, (pthread_rwlock_t * l, clockid_t k, const timespec* t), (l, k, t))
#define SEMAPHORE_OPERATION(name) COUNTED(semaphore_operations, nullptr, name, (sem_t * s), (s))

MUTEX_OPERATION(pthread_mutex_lock)
MUTEX_OPERATION(pthread_mutex_trylock)
COUNTED(lock_operations, nullptr, pthread_mutex_timedlock, (pthread_mutex_t * m, const timespec* t), (m, t))
COUNTED(lock_operations, nullptr, pthread_mutex_clocklock,
        (pthread_mutex_t * m, clockid_t k, const timespec* t), (m, k, t))
RWLOCK_OPERATION(pthread_rwlock_rdlock)
RWLOCK_OPERATION(pthread_rwlock_tryrdlock)
TIMED_RWLOCK_OPERATION(pthread_rwlock_timedrdlock)
CLOCK_RWLOCK_OPERATION(pthread_rwlock_clockrdlock)
RWLOCK_OPERATION(pthread_rwlock_wrlock)
RWLOCK_OPERATION(pthread_rwlock_trywrlock)
TIMED_RWLOCK_OPERATION(pthread_rwlock_timedwrlock)
CLOCK_RWLOCK_OPERATION(pthread_rwlock_clockwrlock)
COUNTED(lock_operations, nullptr, pthread_spin_lock, (pthread_spinlock_t * l), (l))
COUNTED(lock_operations, nullptr, pthread_spin_trylock, (pthread_spinlock_t * l), (l))
COUNTED(condition_operations, nullptr, pthread_barrier_wait, (pthread_barrier_t * b), (b))

COUNTED(condition_operations, "GLIBC_2.3.2", pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t* m),
        (c, m))
COUNTED(condition_operations, "GLIBC_2.3.2", pthread_cond_timedwait,
        (pthread_cond_t * c, pthread_mutex_t* m, const timespec* t), (c, m, t))
COUNTED(condition_operations, nullptr, pthread_cond_clockwait,
        (pthread_cond_t * c, pthread_mutex_t* m, clockid_t k, const timespec* t), (c, m, k, t))
COUNTED(condition_operations, "GLIBC_2.3.2", pthread_cond_signal, (pthread_cond_t * c), (c))
COUNTED(condition_operations, "GLIBC_2.3.2", pthread_cond_broadcast, (pthread_cond_t * c), (c))
SEMAPHORE_OPERATION(sem_wait)
SEMAPHORE_OPERATION(sem_trywait)
COUNTED(semaphore_operations, nullptr, sem_timedwait, (sem_t * s, const timespec* t), (s, t))
COUNTED(semaphore_operations, nullptr, sem_clockwait, (sem_t * s, clockid_t k, const timespec* t), (s, k, t))
SEMAPHORE_OPERATION(sem_post)

// Without assembly, futexes can be reached only through syscall().
long syscall(long number, ...) {
  static auto* const real = next<long(long, ...)>("syscall");
  if (number == SYS_futex) add(futex_operations);
  std::va_list list;
  va_start(list, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

}  // extern "C"
