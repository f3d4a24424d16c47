#include "events/store/journal.h"

#include <utility>

namespace takt::events {

std::expected<void, StoreFault> Journal::write(const Change& change) {
  if (!store_) return {};
  Pending own{.change = &change};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&own);
  finished_.wait(lock, [&] { return own.outcome || !writing_; });
  if (own.outcome) return *std::move(own.outcome);
  writing_ = true;
  const auto batch = std::exchange(waiting_, {});
  lock.unlock();
  commit(batch);
  lock.lock();
  writing_ = false;
  finished_.notify_all();
  return *std::move(own.outcome);
}

void Journal::commit(const std::vector<Pending*>& batch) {
  std::vector<const Change*> changes;
  for (const Pending* each : batch) changes.push_back(each->change);
  const auto written = store_->write(changes);
  const std::string why_not = written ? std::string() : written.error().text;
  if (told_ && why_not.empty() != last_told_.empty()) told_(why_not);
  last_told_ = why_not;
  const std::lock_guard lock(mutex_);
  for (Pending* each : batch) each->outcome = written;
}

}  // namespace takt::events
