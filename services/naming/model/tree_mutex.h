// A reader-writer lock that does not starve writers.
#pragma once

#include <pthread.h>

namespace takt::naming {

// Meets the requirements of std::unique_lock and std::shared_lock. A waiting writer goes before readers that
// come later, which std::shared_mutex does not guarantee. A reader must not lock it recursively.
class TreeMutex {
 public:
  TreeMutex() {
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock_, &attributes);
    pthread_rwlockattr_destroy(&attributes);
  }
  ~TreeMutex() { pthread_rwlock_destroy(&lock_); }
  TreeMutex(const TreeMutex&) = delete;
  TreeMutex& operator=(const TreeMutex&) = delete;

  void lock() { pthread_rwlock_wrlock(&lock_); }
  void unlock() { pthread_rwlock_unlock(&lock_); }
  void lock_shared() { pthread_rwlock_rdlock(&lock_); }
  void unlock_shared() { pthread_rwlock_unlock(&lock_); }

 private:
  pthread_rwlock_t lock_;
};

}  // namespace takt::naming
