// Which thread may receive datagrams from a stream's socket.
#pragma once

#include <atomic>
#include <mutex>

#include "threads/locks/priority_mutex.h"

namespace takt::transport {

// Nearly always the stream's reader, for which it costs one atomic operation; there is one reader at a time.
// A writing thread is a guest: it takes the turn only if it is free. A reader that arrives meanwhile lends
// the guest its priority.
class ReaderTurn {
 public:
  // For the reader.
  void lock() {
    while (taken_.exchange(true, std::memory_order_acquire)) const std::lock_guard until_it_leaves(guest_);
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

  class Guest {
   public:
    explicit Guest(ReaderTurn& turn) : turn_(turn), inside_(turn.guest_.try_lock()) {
      if (!inside_ || !turn_.taken_.exchange(true, std::memory_order_acquire)) return;
      turn_.guest_.unlock();
      inside_ = false;
    }
    ~Guest() { leave(); }
    Guest(const Guest&) = delete;
    Guest& operator=(const Guest&) = delete;

    bool inside() const { return inside_; }
    void leave() {
      if (!inside_) return;
      turn_.unlock();
      turn_.guest_.unlock();
      inside_ = false;
    }

   private:
    ReaderTurn& turn_;
    bool inside_;
  };

 private:
  std::atomic<bool> taken_{false};
  os::PriorityMutex guest_;  // held by a guest during its turn
};

}  // namespace takt::transport
