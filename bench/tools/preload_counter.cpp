// LD_PRELOAD: counts heap allocations and pthread lock operations of a process into the file named
// by TAKT_COUNTS, which is shared memory so that the counts survive any way of ending.
//
// The file holds one 64-bit count per Counter, in this order: the harness reads it by position.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

// glibc's own entry points, so that the wrappers need no look-up before main.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

enum Counter { allocations, lock_operations, condition_operations, semaphore_operations, counters };

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

// pthread_cond_* exist in two versions; the default one is the newer.
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

COUNTED(lock_operations, nullptr, pthread_mutex_lock, (pthread_mutex_t * m), (m))
COUNTED(lock_operations, nullptr, pthread_mutex_trylock, (pthread_mutex_t * m), (m))
COUNTED(lock_operations, nullptr, pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l))
COUNTED(lock_operations, nullptr, pthread_rwlock_wrlock, (pthread_rwlock_t * l), (l))
COUNTED(condition_operations, "GLIBC_2.3.2", pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t* m),
        (c, m))
COUNTED(condition_operations, "GLIBC_2.3.2", pthread_cond_timedwait,
        (pthread_cond_t * c, pthread_mutex_t* m, const timespec* t), (c, m, t))
COUNTED(condition_operations, nullptr, pthread_cond_clockwait,
        (pthread_cond_t * c, pthread_mutex_t* m, clockid_t k, const timespec* t), (c, m, k, t))
COUNTED(condition_operations, "GLIBC_2.3.2", pthread_cond_signal, (pthread_cond_t * c), (c))
COUNTED(condition_operations, "GLIBC_2.3.2", pthread_cond_broadcast, (pthread_cond_t * c), (c))
COUNTED(semaphore_operations, nullptr, sem_wait, (sem_t * s), (s))
COUNTED(semaphore_operations, nullptr, sem_timedwait, (sem_t * s, const timespec* t), (s, t))
COUNTED(semaphore_operations, nullptr, sem_post, (sem_t * s), (s))

}  // extern "C"
