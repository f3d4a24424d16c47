// A gate for consumers, and the names of exceptions, for tests of event services.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

#include <takt/corba.h>

namespace feature {

// Holds consumers until it is opened.
class Gate {
 public:
  ~Gate() { open(); }
  void pass() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    opened_.wait(lock, [this] { return open_; });
    --waiting_;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  int waiting() {
    const std::lock_guard lock(mutex_);
    return waiting_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
  int waiting_ = 0;
};

// The name of the exception that a call raises; "nothing" if it raises none.
inline std::string raised_by(const std::function<void()>& call) {
  try {
    call();
  } catch (const CORBA::Exception& failure) {
    return failure._name();
  }
  return "nothing";
}

}  // namespace feature
