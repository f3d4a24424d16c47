// Things of one process that its forked children must not use.
#pragma once

#include <atomic>
#include <cstdint>

namespace takt::os {

// Remembers the process that was the first to use something. Any thread.
class OwningProcess {
 public:
  // The calling process is about to use it. False: another one has used it before, of which this one is a
  // forked child.
  bool claim() noexcept;
  // Whether another process has used it.
  bool is_other() const noexcept;

 private:
  std::atomic<std::uint32_t> number_{0};  // 0: none yet
};

// Has `function` called in each child that is forked from now on. Call once for each function.
void call_in_forked_children(void (*function)());

}  // namespace takt::os
