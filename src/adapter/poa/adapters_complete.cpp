#include "adapter/poa/adapters_complete.h"

#include <takt/cdr/exception.h>

namespace takt::adapter {

void AdaptersComplete::begin(std::chrono::nanoseconds timeout) {
  std::lock_guard lock(mutex_);
  if (begun_) return;
  begun_ = true;
  complete_ = timeout.count() == 0;
  deadline_ = std::chrono::steady_clock::now() + timeout;
}

void AdaptersComplete::complete() {
  std::lock_guard lock(mutex_);
  begun_ = complete_ = true;
  changed_.notify_all();
}

bool AdaptersComplete::wait_for_adapter(std::size_t most) {
  std::unique_lock lock(mutex_);
  if (complete_) return false;
  if (waiting_ >= most)
    throw CORBA::TRANSIENT(CORBA::omg_minor(1), CORBA::COMPLETED_NO,
                           "the program still makes its adapters, and as many calls wait for them already as "
                           "-ORBHeldRequests allows");
  ++waiting_;
  changed_.wait_until(lock, deadline_, [this] { return complete_; });
  --waiting_;
  complete_ = true;
  return true;
}

}  // namespace takt::adapter
