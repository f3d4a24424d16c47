#include <mutex>

#include <takt/async/messaging.h>

#include "threads/locks/priority_mutex.h"

namespace takt::async {

namespace {

// Libraries may be loaded and unloaded while other threads look for an exception.
struct Known {
  os::PriorityMutex mutex;
  KnownException* first = nullptr;
};
Known& known() {
  static Known& all = *new Known;  // not destroyed before the generated code's own objects
  return all;
}

}  // namespace

KnownException::KnownException(std::string_view id, Raise raise) : id_(id), raise_(raise) {
  Known& all = known();
  const std::lock_guard lock(all.mutex);
  next_ = all.first;
  all.first = this;
}

KnownException::~KnownException() {
  Known& all = known();
  const std::lock_guard lock(all.mutex);
  KnownException** link = &all.first;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
}

void KnownException::raise(std::string_view id, cdr::Decoder& members) {
  Raise found = nullptr;
  {
    Known& all = known();
    const std::lock_guard lock(all.mutex);
    for (const KnownException* one = all.first; one && !found; one = one->next_)
      if (one->id_ == id) found = one->raise_;
  }
  if (found) found(members);
}

}  // namespace takt::async
