// Whose turn it is to take datagrams from a stream's socket.
#pragma once

#include <atomic>
#include <mutex>

#include "os/threads/priority_mutex.h"

namespace takt::transport {

// The stream's reader's nearly always, which costs it one atomic operation; there is one reader at a time. A
// thread that writes is a guest: it takes the turn only if nobody has it. A reader that comes meanwhile lends
// it its priority.
class ReaderTurn {
 public:
  // The reader's.
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
  os::PriorityMutex guest_;  // held by a guest while it has the turn
};

}  // namespace takt::transport
