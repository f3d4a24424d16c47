// An administrator of consumers or of suppliers: a group of proxies that share filters and qualities of
// service.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "notification/channel/listed.h"
#include "notification/channel/proxy.h"
#include "notification/channel/receivers.h"

namespace takt::notification {

class Channel;

enum class Side : std::uint8_t { consumers, suppliers };
// How the filters of an administrator and those of its proxy are combined.
enum class Combine : std::uint8_t { all, either };

// Thread-safe. Proxies keep their administrator alive, and that its channel.
class Admin final : public Object, public std::enable_shared_from_this<Admin> {
 public:
  Admin(ObjectId id, std::int32_t number, Side side, Combine combine, std::shared_ptr<Channel> channel);

  std::int32_t number() const { return number_; }
  bool is_default() const { return number_ == 0; }
  Side side() const { return side_; }
  Combine combine() const { return combine_; }
  Channel& channel() const { return *channel_; }

  Qos qos() const;
  void set(const Qos& qos);
  // The types that new proxies begin with.
  Subscription subscription() const;
  void restore(const Subscription& types);
  // Changes those of its proxies too.
  void change_types(const std::set<TypeName>& added, const std::set<TypeName>& removed);

  void add(const ProxyPtr& proxy);
  void remove(Proxy& proxy);
  ProxyPtr proxy(std::int32_t number) const;
  std::vector<ProxyPtr> proxies() const;
  // The number of a new proxy; 0 if all have been used.
  std::int32_t next_number();
  void number_after(std::int32_t number);

  // Calls `take` with each of the proxies, which are receivers, that want the event. Holds no lock meanwhile,
  // because filters may take long.
  template <class Take>
  void offer(const Arrival& arrival, const Take& take) const {
    const auto all = listed_.get(mutex_, proxies_);
    for (const ProxyPtr& proxy : *all) {
      auto& receiver = static_cast<Receiver&>(*proxy);
      if (const auto placement = receiver.choose(arrival)) take(receiver, *placement);
    }
  }
  // Whether the event passes its own filters and those of a proxy.
  bool passes(const FilterList& of_proxy, Candidate& event) const;

  FilterList filters;
  MappingFilters mapping;

 private:
  const std::int32_t number_;
  const Side side_;
  const Combine combine_;
  const std::shared_ptr<Channel> channel_;
  mutable std::shared_mutex mutex_;
  Qos qos_;
  Subscription types_;
  std::map<std::int32_t, ProxyPtr> proxies_;
  Listed<ProxyPtr> listed_;
  std::int32_t last_ = 0;
};

using AdminPtr = std::shared_ptr<Admin>;

}  // namespace takt::notification
