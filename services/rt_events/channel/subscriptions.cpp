#include "rt_events/channel/subscriptions.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace takt::rt_events {
namespace {

// A reader may have a lower priority than the thread that waits for it, so that yielding is not enough.
constexpr std::chrono::microseconds pause{50};

}  // namespace

void SubscriptionTable::insert(Connection& connection) {
  const auto insert_into = [&](std::vector<Entry>& list, std::int32_t type) {
    const Entry entry{type, &connection};
    const auto order = [](const Entry& each) { return std::pair(each.type, level(each)); };
    list.insert(std::ranges::upper_bound(list, order(entry), {}, order), entry);
  };
  const Filter& filter = connection.settings().filter;
  if (filter.accepts_all_types()) insert_into(accepting_all_types, any_type);
  for (const std::int32_t type : filter.types()) insert_into(accepting, type);
}

void SubscriptionTable::assign_without(const Connection& connection, const SubscriptionTable& from) {
  *this = from;
  for (auto* const list : {&accepting, &accepting_all_types})
    std::erase_if(*list, [&](const Entry& each) { return each.connection == &connection; });
}

Subscriptions::Reading::Reading(Subscriptions& of) {
  for (;;) {
    const std::uint32_t turn = of.turn_.load();
    readers_ = &of.readers_[turn % 2];
    readers_->fetch_add(1);
    if (of.turn_.load() == turn) break;  // a change that begins now waits for this reader
    readers_->fetch_sub(1);
  }
  table_ = of.table_.load();
}

Subscriptions::Subscriptions() : table_(new SubscriptionTable) {}

Subscriptions::~Subscriptions() { delete table_.load(); }

std::unique_ptr<SubscriptionTable> Subscriptions::publish(std::unique_ptr<SubscriptionTable> table) {
  std::unique_ptr<SubscriptionTable> old(table_.exchange(table.release()));
  const std::uint32_t turn = turn_.fetch_add(1);
  while (readers_[turn % 2].load() != 0) std::this_thread::sleep_for(pause);
  return old;
}

void Subscriptions::add(const std::shared_ptr<Connection>& connection) {
  const std::lock_guard lock(changes_);
  auto table = std::make_unique<SubscriptionTable>(*table_.load());
  table->insert(*connection);
  auto spare = std::make_unique<SubscriptionTable>(*table);
  connections_.reserve(connections_.size() + 1);
  ending_.reserve(ending_.size() + connections_.size() + 1);
  const auto level = [](const auto& each) { return each->settings().level; };
  connections_.insert(std::ranges::upper_bound(connections_, level(connection), {}, level), connection);
  spare_ = std::move(spare);
  publish(std::move(table));
}

bool Subscriptions::remove(const Connection& connection) noexcept {
  const std::lock_guard lock(changes_);
  const auto found =
      std::ranges::find(connections_, &connection, [](const auto& each) { return each.get(); });
  if (found == connections_.end()) return false;
  ending_.push_back(std::move(*found));
  connections_.erase(found);
  spare_->assign_without(connection, *table_.load());
  spare_ = publish(std::move(spare_));
  return true;
}

std::shared_ptr<Connection> Subscriptions::take_finished() {
  const auto found = std::ranges::find_if(ending_, [](const auto& each) { return each->is_finished(); });
  if (found == ending_.end()) return nullptr;
  auto finished = std::move(*found);
  ending_.erase(found);
  return finished;
}

template <class... TryToLock>
void Subscriptions::drop_finished(TryToLock... how) {
  for (;;) {
    std::unique_lock lock(changes_, how...);
    if (!lock) return;
    const auto finished = take_finished();
    lock.unlock();  // before it is destroyed
    if (!finished) return;
  }
}

void Subscriptions::sweep() { drop_finished(); }

void Subscriptions::sweep_if_free() { drop_finished(std::try_to_lock); }

std::vector<std::shared_ptr<Connection>> Subscriptions::all() const {
  const std::lock_guard lock(changes_);
  return connections_;
}

std::shared_ptr<Connection> Subscriptions::any() const {
  const std::lock_guard lock(changes_);
  return connections_.empty() ? nullptr : connections_.back();
}

std::vector<std::shared_ptr<Connection>> Subscriptions::take_ending() {
  const std::lock_guard lock(changes_);
  auto ending = std::exchange(ending_, {});
  return ending;
}

}  // namespace takt::rt_events
