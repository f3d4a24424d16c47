#include <takt/cdr/value_release.h>

#include <new>
#include <utility>
#include <vector>

namespace takt::cdr {

namespace {

using Waiting = std::vector<std::shared_ptr<void>>;

// The references that wait while this thread destroys a value; null while it destroys none. A plain pointer
// without a destructor, because static values are destroyed after thread-local objects.
constinit thread_local Waiting* waiting = nullptr;

}  // namespace

void release_value(std::shared_ptr<void> value) noexcept {
  if (waiting) {
    try {
      waiting->push_back(std::move(value));
    } catch (const std::bad_alloc&) {  // it is destroyed here instead
    }
    return;
  }
  if (value.use_count() > 1) return;
  Waiting queue;
  waiting = &queue;
  value.reset();
  while (!queue.empty()) {
    const std::shared_ptr<void> next = std::move(queue.back());
    queue.pop_back();
  }
  waiting = nullptr;
}

}  // namespace takt::cdr
