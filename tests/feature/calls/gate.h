// A gate at which threads wait until they are let through.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "echo_servant.h"

namespace feature {

using namespace std::chrono_literals;

class Gate {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    ++inside_;
    changed_.notify_all();
    changed_.wait_for(lock, 20s, [&] { return open_; });
    ++left_;
  }
  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  bool entered_by(int count, std::chrono::milliseconds patience = 10s) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [&] { return inside_ >= count; });
  }
  // Whether that many threads have left so far.
  bool left_by(int count) {
    std::lock_guard lock(mutex_);
    return left_ >= count;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int inside_ = 0, left_ = 0;
  bool open_ = false;
};

// A servant whose nothing() waits and occupies its thread.
class Keeper final : public EchoServant {
 public:
  void nothing() override { gate.wait(); }
  Gate gate;
};

}  // namespace feature
