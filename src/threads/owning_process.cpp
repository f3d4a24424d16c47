#include "threads/owning_process.h"

#include <pthread.h>

#include "threads/thread.h"

namespace takt::os {

bool OwningProcess::claim() noexcept {
  std::uint32_t owner = 0;
  const std::uint32_t own = process_number();
  return number_.compare_exchange_strong(owner, own) || owner == own;
}

bool OwningProcess::is_other() const noexcept {
  const std::uint32_t owner = number_;
  return owner != 0 && owner != process_number();
}

void call_in_forked_children(void (*function)()) { ::pthread_atfork(nullptr, nullptr, function); }

}  // namespace takt::os
