#include "notification_parts/filter/filter.h"

#include <algorithm>
#include <utility>

namespace takt::notification {

// Filters that are destroyed while they are attached stay with the objects that have them.
void Filter::end() {
  ended_ = true;
  constraints.clear();
  const std::lock_guard lock(mutex_);
  for (const auto& [id, callback] : callbacks_) callback->end();
  callbacks_.clear();
  known_types_ = nullptr;
}

std::optional<std::int32_t> Filter::attach(FilterCallback::Client client) {
  const std::lock_guard lock(mutex_);
  if (callbacks_.size() >= limits_.callbacks || last_callback_ == INT32_MAX) return std::nullopt;
  if (callbacks_.empty()) known_types_ = std::make_shared<const TypesOfFilter>(constraints.types());
  callbacks_.emplace(++last_callback_, std::make_shared<FilterCallback>(std::move(client), known_types_));
  return last_callback_;
}

bool Filter::detach(std::int32_t id) {
  const std::lock_guard lock(mutex_);
  const auto found = callbacks_.find(id);
  if (found == callbacks_.end()) return false;
  found->second->end();
  callbacks_.erase(found);
  if (callbacks_.empty()) known_types_ = nullptr;
  return true;
}

bool Filter::has_callbacks() const {
  const std::lock_guard lock(mutex_);
  return !callbacks_.empty();
}

std::uint64_t Filter::bytes() const {
  std::uint64_t bytes = constraints.bytes();
  const std::lock_guard lock(mutex_);
  if (callbacks_.empty()) return bytes;
  std::set<FilterCallback::Types> kept{known_types_};
  for (const auto& [id, callback] : callbacks_) callback->add_to(kept);
  for (const auto& each : kept) bytes += each->bytes;
  if (const auto now = constraints.types(); now != known_types_->names) bytes += bytes_of(now);
  return bytes;
}

std::vector<std::int32_t> Filter::callback_ids() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::int32_t> ids;
  for (const auto& [id, callback] : callbacks_) ids.push_back(id);
  return ids;
}

std::vector<std::shared_ptr<FilterCallback>> Filter::types_changed() {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<FilterCallback>> ready;
  if (callbacks_.empty()) return ready;
  auto now = std::make_shared<const TypesOfFilter>(constraints.types());
  if (now->names == known_types_->names) return ready;
  known_types_ = std::move(now);
  for (const auto& [id, callback] : callbacks_)
    if (callback->note(known_types_)) ready.push_back(callback);
  return ready;
}

std::shared_ptr<const FilterList::List> FilterList::snapshot() const {
  const std::lock_guard lock(mutex_);
  return list_;
}

void FilterList::replace(std::shared_ptr<const List> list) {
  list_ = std::move(list);
  empty_ = list_->empty();
}

void FilterList::restore(std::shared_ptr<const List> list) {
  const std::lock_guard lock(mutex_);
  if (!list->empty()) last_ = std::max(last_, list->rbegin()->first);
  replace(std::move(list));
}

std::optional<std::int32_t> FilterList::add(FilterPtr filter) {
  const std::lock_guard lock(mutex_);
  if (list_->size() >= limits_.attached_filters || last_ == INT32_MAX) return std::nullopt;
  auto list = std::make_shared<List>(*list_);
  list->emplace(++last_, std::move(filter));
  replace(std::move(list));
  return last_;
}

bool FilterList::remove(std::int32_t number) {
  const std::lock_guard lock(mutex_);
  auto list = std::make_shared<List>(*list_);
  if (list->erase(number) == 0) return false;
  replace(std::move(list));
  return true;
}

FilterPtr FilterList::get(std::int32_t number) const {
  const auto list = snapshot();
  const auto found = list->find(number);
  return found == list->end() ? nullptr : found->second;
}

std::vector<std::int32_t> FilterList::numbers() const {
  std::vector<std::int32_t> numbers;
  for (const auto list = snapshot(); const auto& [number, filter] : *list) numbers.push_back(number);
  return numbers;
}

void FilterList::clear() {
  const std::lock_guard lock(mutex_);
  replace(std::make_shared<List>());
}

bool FilterList::pass(Candidate& event) const {
  if (empty_) return true;
  const auto list = snapshot();
  std::size_t steps = limits_.filter_steps;
  return list->empty() ||
         std::ranges::any_of(*list, [&](const auto& each) { return each.second->matches(event, steps); });
}

}  // namespace takt::notification
