#include <takt/cdr/stack.h>

#include <algorithm>
#include <atomic>

namespace takt::cdr {

namespace {

constinit std::atomic<FindThreadStack> finder{nullptr};

struct StackEnd {
  std::uintptr_t lowest = 0;
  std::size_t reserved_bytes = 0;
  bool known = false;
};
constinit thread_local StackEnd stack_end;

StackEnd find_stack_end() {
  constexpr std::size_t most_reserved_bytes = 128 << 10;
  const FindThreadStack find = finder.load(std::memory_order_acquire);
  if (!find) return {};
  const ThreadStack stack = find();
  return {stack.lowest, std::min(stack.bytes / 4, most_reserved_bytes), true};
}

}  // namespace

void set_stack_finder(FindThreadStack find) { finder.store(find, std::memory_order_release); }

bool stack_is_short() {
  if (!stack_end.known) [[unlikely]]
    stack_end = find_stack_end();
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return here - stack_end.lowest <
         stack_end.reserved_bytes;  // wraps, and so is false, for a frame below the stack's end
}

}  // namespace takt::cdr
