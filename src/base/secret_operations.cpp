#include "base/secret_operations.h"

#include <atomic>
#include <string>

#include <takt/base/secret_operation.h>

namespace takt {

namespace {

// Never freed: code that is unloaded may have named them.
struct Name {
  const std::string text;
  const Name* next;
};
constinit std::atomic<const Name*> newest{nullptr};

}  // namespace

SecretOperation::SecretOperation(const char* name) noexcept {
  if (secret_operations::has(name)) return;
  secret_operations::some.store(true, std::memory_order_relaxed);
  auto* const made = new Name{name, newest.load(std::memory_order_relaxed)};
  while (!newest.compare_exchange_weak(made->next, made, std::memory_order_release)) {
  }
}

namespace secret_operations {

constinit std::atomic<bool> some{false};

bool has(std::string_view name) noexcept {
  for (const Name* one = newest.load(std::memory_order_acquire); one; one = one->next)
    if (one->text == name) return true;
  return false;
}

}  // namespace secret_operations

}  // namespace takt
