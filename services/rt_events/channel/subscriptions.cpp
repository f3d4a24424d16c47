#include "rt_events/channel/subscriptions.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace takt::rt_events {
namespace {

// A reader may have a lower priority than the thread that waits for it, so that yielding is not enough.
constexpr std::chrono::microseconds pause{50};

}  // namespace

std::span<Connection* const> SubscriptionTable::listed(std::int32_t type) const {
  const auto found = std::ranges::lower_bound(types, type);
  if (found == types.end() || *found != type) return {};
  return accepting[static_cast<std::size_t>(found - types.begin())];
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

void Subscriptions::publish() {
  auto table = std::make_unique<SubscriptionTable>();
  std::ranges::stable_sort(connections_, {}, [](const auto& each) { return each->settings().level; });
  for (const auto& each : connections_) {
    const auto types = each->settings().filter.types();
    table->types.insert(table->types.end(), types.begin(), types.end());
  }
  std::ranges::sort(table->types);
  table->types.erase(std::ranges::unique(table->types).begin(), table->types.end());
  table->accepting.resize(table->types.size());
  for (const auto& each : connections_) {
    const Filter& filter = each->settings().filter;
    if (filter.accepts_all_types()) table->accepting_all_types.push_back(each.get());
    for (const std::int32_t type : filter.types()) {
      const auto at = std::ranges::lower_bound(table->types, type) - table->types.begin();
      table->accepting[static_cast<std::size_t>(at)].push_back(each.get());
    }
  }
  const std::unique_ptr<const SubscriptionTable> old(table_.exchange(table.release()));
  const std::uint32_t turn = turn_.fetch_add(1);
  while (readers_[turn % 2].load() != 0) std::this_thread::sleep_for(pause);
}

void Subscriptions::add(std::shared_ptr<Connection> connection) {
  const std::lock_guard lock(changes_);
  connections_.push_back(std::move(connection));
  publish();
}

bool Subscriptions::remove(const Connection& connection) {
  const std::lock_guard lock(changes_);
  std::erase_if(ending_, [](const auto& each) { return each->is_finished(); });
  const auto found =
      std::ranges::find(connections_, &connection, [](const auto& each) { return each.get(); });
  if (found == connections_.end()) return false;
  ending_.push_back(std::move(*found));
  connections_.erase(found);
  publish();
  return true;
}

std::vector<std::shared_ptr<Connection>> Subscriptions::all() const {
  const std::lock_guard lock(changes_);
  return connections_;
}

std::vector<std::shared_ptr<Connection>> Subscriptions::ending() {
  const std::lock_guard lock(changes_);
  return ending_;
}

}  // namespace takt::rt_events
