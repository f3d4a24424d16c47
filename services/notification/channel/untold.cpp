#include "notification/channel/untold.h"

namespace takt::notification {
namespace {

// A client that hangs holds no more pointers to shared changes than these.
constexpr std::size_t most_shared = 64;

void append(Subscription::Change& whole, const Subscription::Change& next) {
  for (const TypeName& name : next.added)
    if (whole.removed.erase(name) == 0) whole.added.insert(name);
  for (const TypeName& name : next.removed)
    if (whole.added.erase(name) == 0) whole.removed.insert(name);
}

}  // namespace

void UntoldChanges::add(ChangePtr change) {
  if (changes_.size() == most_shared) merge();
  size_ += change->size();
  changes_.push_back(std::move(change));
}

void UntoldChanges::merge() {
  if (changes_.size() < 2) return;
  Subscription::Change whole;
  for (const ChangePtr& each : changes_) append(whole, **each);
  clear();
  if (!whole.empty()) add(std::make_shared<const SharedChange>(std::move(whole), memory_));
}

ChangePtr UntoldChanges::take() {
  merge();
  if (changes_.empty()) return nullptr;
  const ChangePtr whole = changes_.front();
  clear();
  return whole;
}

void UntoldChanges::put_back(ChangePtr change) {
  const std::size_t size = change->size();
  changes_.insert(changes_.begin(), std::move(change));
  size_ += size;
}

void UntoldChanges::clear() {
  changes_ = {};
  size_ = 0;
}

}  // namespace takt::notification
