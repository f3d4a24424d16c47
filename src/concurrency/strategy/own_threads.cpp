#include "concurrency/strategy/own_threads.h"

#include <takt/cdr/exception.h>

#include "os/error_text.h"

namespace takt::server {

void OwnThreads::run_once(std::chrono::nanoseconds timeout) {
  std::unique_lock lock(mutex_);
  const auto seen = wakes_;
  changed_.wait_for(lock, timeout, [&] { return wakes_ != seen || over_; });
}

void OwnThreads::wake() {
  std::lock_guard lock(mutex_);
  ++wakes_;
  changed_.notify_all();
}

void OwnThreads::wake_permanently() {
  std::lock_guard lock(mutex_);
  over_ = true;
  changed_.notify_all();
}

void throw_cannot_accept(int error) {
  throw CORBA::NO_RESOURCES(
      0, CORBA::COMPLETED_NO,
      std::string("the thread that accepts connections cannot be started: ").append(os::error_text(error)));
}

void throw_no_thread(unsigned wanted, int error) {
  throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                            std::string("not all threads of a pool of ")
                                .append(std::to_string(wanted))
                                .append(" can be started: ")
                                .append(os::error_text(error)));
}

}  // namespace takt::server
