// The memory of coroutines that answer calls, and their ends.
#include <takt/adapter/task_skeleton.h>

#include <array>
#include <mutex>
#include <new>

#include "threads/locks/priority_mutex.h"

namespace takt::adapter {

namespace {

// Freed frames by their length, for reuse.
class SpareFrames {
 public:
  static constexpr std::size_t step_bytes = 128, longest_bytes = 4096;
  static constexpr unsigned most_of_a_length = 1024;

  void* take(std::size_t steps) {
    const std::lock_guard lock(mutex_);
    List& list = lists_[steps - 1];
    if (!list.first) return nullptr;
    --list.count;
    return std::exchange(list.first, list.first->next);
  }
  bool put(void* frame, std::size_t steps) {
    const std::lock_guard lock(mutex_);
    List& list = lists_[steps - 1];
    if (list.count == most_of_a_length) return false;
    ++list.count;
    list.first = new (frame) Spare{list.first};
    return true;
  }

 private:
  struct Spare {
    Spare* next;
  };
  struct List {
    Spare* first = nullptr;
    unsigned count = 0;
  };
  os::PriorityMutex mutex_;
  std::array<List, longest_bytes / step_bytes> lists_;
};

#if TAKT_HEAP_IS_WATCHED
constexpr bool keeps_frames = false;
#else
constexpr bool keeps_frames = true;
#endif

SpareFrames& spare_frames() {
  static auto& frames = *new SpareFrames;  // never destroyed: tasks may end after all other static objects
  return frames;
}
std::size_t steps_of(std::size_t bytes) {
  return (bytes + SpareFrames::step_bytes - 1) / SpareFrames::step_bytes;
}

}  // namespace

void* allocate_frame(std::size_t bytes) {
  if (!keeps_frames || bytes > SpareFrames::longest_bytes) return ::operator new(bytes);
  const std::size_t steps = steps_of(bytes);
  void* const frame = spare_frames().take(steps);
  return frame ? frame : ::operator new(steps * SpareFrames::step_bytes);
}

void deallocate_frame(void* frame, std::size_t bytes) noexcept {
  if (keeps_frames && bytes <= SpareFrames::longest_bytes && spare_frames().put(frame, steps_of(bytes)))
    return;
  ::operator delete(frame);
}

// An answer that cannot be given, for want of memory, is dropped: the caller gets NO_RESPONSE if possible.
void TaskState::give() noexcept {
  try {
    give_(*this, *answer_);
  } catch (...) {
  }
}

void throw_not_awaitable(bool has_coroutine) {
  throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                             has_coroutine ? "the task was awaited before; a task is awaited once"
                                           : "the task is empty: it was moved from, or has no coroutine");
}

void detail::throw_no_task() {
  throw CORBA::INTERNAL(0, CORBA::COMPLETED_MAYBE, "the servant's method has returned an empty task");
}

}  // namespace takt::adapter
