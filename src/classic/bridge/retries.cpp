#include "classic/bridge/retries_bridge.h"

#include <mutex>

#include "classic/bridge/runtime.h"
#include "threads/locks/priority_mutex.h"

namespace takt::classic::retries {

namespace {

// Taken to change rules and after calls that failed.
struct Process {
  os::PriorityMutex mutex;
  KeptRules of_all;
};
Process& process() {
  static Process the;
  return the;
}

}  // namespace

void keep(Reference* reference, std::size_t kind, const KeptRule& rule) {
  Process& the = process();
  const std::lock_guard lock(the.mutex);
  if (reference && !reference->rules) reference->rules = std::make_unique<KeptRules>();
  (reference ? *reference->rules : the.of_all)[kind] = rule;
  any_kept.store(true, std::memory_order_release);
}

KeptRule find(Reference& reference, std::size_t kind) {
  Process& the = process();
  const std::lock_guard lock(the.mutex);
  const KeptRules* const own = reference.rules.get();
  return own && (*own)[kind] ? *(*own)[kind] : the.of_all[kind].value_or(KeptRule());
}

}  // namespace takt::classic::retries
