// The links to other traders.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "CosTradingC.h"

namespace takt::trading {

using CosTrading::FollowOption;

struct TraderLink {
  std::string name;
  CORBA::object_reference<CosTrading::Lookup> target;
  CORBA::object_reference<CosTrading::Register> target_register;  // nil: not known yet, or none
  FollowOption pass_on{}, limiting{};
};

// Thread-safe. A link whose trader has not answered is left out of queries for a while, and not asked for its
// Register.
class SharedLinks {
 public:
  using Clock = std::chrono::steady_clock;

  std::optional<TraderLink> find(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = links_.find(name);
    return found == links_.end() ? std::nullopt : std::optional(found->second.link);
  }
  // By name.
  std::vector<TraderLink> all() const {
    const std::lock_guard lock(mutex_);
    std::vector<TraderLink> links;
    for (const auto& [name, entry] : links_) links.push_back(entry.link);
    return links;
  }
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return links_.size();
  }
  void put(TraderLink link) {
    const std::lock_guard lock(mutex_);
    const std::string name = link.name;
    const bool is_known = link.target_register != nullptr;
    links_[name] = {std::move(link), {}, is_known};
  }
  void remove(const std::string& name) {
    const std::lock_guard lock(mutex_);
    links_.erase(name);
  }
  // Remembers the answer of the link's trader. Without effect if the link has another target now.
  void note_register(const TraderLink& asked,
                     const CORBA::object_reference<CosTrading::Register>& target_register) {
    const std::lock_guard lock(mutex_);
    const auto found = links_.find(asked.name);
    if (found == links_.end() || !found->second.link.target->_is_equivalent(asked.target)) return;
    found->second.link.target_register = target_register;
    found->second.register_known = true;
  }
  // Whether the link's trader has answered, perhaps that it has no Register.
  bool knows_register(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = links_.find(name);
    return found != links_.end() && found->second.register_known;
  }
  bool is_silent(const std::string& name, Clock::time_point now) const {
    const std::lock_guard lock(mutex_);
    const auto found = links_.find(name);
    return found != links_.end() && now < found->second.silent_until;
  }
  // Without effect if the link has another target now.
  void set_silent_until(const TraderLink& asked, Clock::time_point end) {
    const std::lock_guard lock(mutex_);
    const auto found = links_.find(asked.name);
    if (found == links_.end() || !found->second.link.target->_is_equivalent(asked.target)) return;
    found->second.silent_until = end;
  }

 private:
  struct Entry {
    TraderLink link;
    Clock::time_point silent_until{};
    bool register_known = false;
  };
  mutable std::mutex mutex_;
  std::map<std::string, Entry> links_;
};

}  // namespace takt::trading
