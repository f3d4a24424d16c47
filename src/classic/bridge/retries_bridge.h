// The rules of <takt/classic/retries.h>, kept with references. No type of either mapping is named here.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace takt {
namespace classic {

class Reference;

namespace retries {

// A RetryRule, whose function has a type of the mapping.
struct KeptRule {
  void (*decide)() = nullptr;
  void (*function)() = nullptr;
  void* cookie = nullptr;
};
using KeptRules = std::array<std::optional<KeptRule>, 4>;  // by FailureKind

void keep(Reference* reference, std::size_t kind, const KeptRule& rule);  // null: for all references
// The rule for a failed call. Its `decide` is null if there is none.
KeptRule find(Reference& reference, std::size_t kind);
// Whether any rule was ever kept. Until then calls take no more time than without rules.
inline std::atomic<bool> any_kept{false};
inline bool any() noexcept { return any_kept.load(std::memory_order_acquire); }

// The mapping's: whether a rule makes the call again that threw the exception which is being handled. Throws
// what the rule throws.
bool ask(Reference& reference, const char* operation, std::uint32_t retries);

// Runs `action` until it does not throw, or no rule makes the call again.
template <class Action>
auto repeat(Reference& reference, const char* operation, Action&& action) -> decltype(action()) {
  for (std::uint32_t done = 0;; ++done) try {
      return action();
    } catch (...) {
      if (!ask(reference, operation, done)) throw;
    }
}

}  // namespace retries

}  // namespace classic
}  // namespace takt
