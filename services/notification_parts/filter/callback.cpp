#include "notification_parts/filter/callback.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "events/delivery/answer.h"

namespace takt::notification {

Subscription::Change difference(const std::set<TypeName>& before, const std::set<TypeName>& now) {
  Subscription::Change change;
  std::ranges::set_difference(now, before, std::inserter(change.added, change.added.end()));
  std::ranges::set_difference(before, now, std::inserter(change.removed, change.removed.end()));
  return change;
}

bool FilterCallback::note(Types types) {
  const std::lock_guard lock(mutex_);
  if (ended_) return false;
  now_ = std::move(types);
  return !std::exchange(scheduled_, true);
}

void FilterCallback::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  told_ = now_ = nullptr;
}

void FilterCallback::add_to(std::set<Types>& kept) const {
  const std::lock_guard lock(mutex_);
  if (!ended_) kept.insert({told_, now_});
}

std::optional<events::Clock::time_point> FilterCallback::try_again(Types before) {
  constexpr std::chrono::milliseconds first_pause{100};
  const std::lock_guard lock(mutex_);
  if (!ended_) told_ = std::move(before);
  if (!ended_ && ++tries_ < most_tries) return events::Clock::now() + first_pause * (1 << tries_);
  tries_ = 0;
  scheduled_ = false;
  return {};
}

std::optional<events::Clock::time_point> FilterCallback::run() {
  Subscription::Change change;
  Types before;
  {
    Types now;
    {
      const std::lock_guard lock(mutex_);
      if (ended_ || told_ == now_) {
        scheduled_ = false;
        return {};
      }
      before = std::exchange(told_, now_);
      now = now_;
    }
    change = difference(before->names, now->names);
  }
  auto answer = events::Answer::done;
  if (!change.empty())
    answer = events::answer_of(
        [&] { client_->subscription_change(types_of(change.added), types_of(change.removed)); });
  if (answer == events::Answer::not_reached) return try_again(std::move(before));
  if (answer == events::Answer::gone) end();
  const std::lock_guard lock(mutex_);
  tries_ = 0;
  return events::Clock::time_point::min();  // to look for another change
}

}  // namespace takt::notification
