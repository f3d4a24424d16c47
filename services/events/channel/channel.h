// An event channel: passes the events of all its suppliers to all its consumers.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include <takt/corba.h>

#include "events/channel/parts.h"
#include "events/channel/proxies.h"

namespace takt::events {

struct ChannelState {
  ChannelId id = 0;
  ChannelSettings settings{};
  std::uint64_t received = 0;   // events from suppliers
  std::uint64_t filtered = 0;   // received events that the channel's filter did not let pass
  std::uint64_t delivered = 0;  // events that consumers have received, or have pulled
  std::uint64_t discarded = 0;  // from full queues
  std::uint64_t failures = 0;   // deliveries whose outcome is not known, or that raised an exception
  std::uint64_t dead = 0;       // clients that were disconnected because they did not answer
  std::uint64_t pending = 0;    // events in queues
  std::size_t proxy_count = 0;
  std::vector<ProxyState> proxies{};  // some of them, those with the most pending events first
};

// Thread-safe. Proxies keep their channel alive.
class Channel {
 public:
  Channel(ChannelId id, ChannelSettings settings, Parts& parts)
      : id_(id), settings_(std::move(settings)), parts_(parts) {}

  ChannelId id() const { return id_; }
  const ChannelSettings& settings() const { return settings_; }
  Parts& parts() const { return parts_; }
  std::size_t queue_limit() const;
  std::size_t pull_proxy_limit() const;

  // Puts the event into the queues of the consumers that are connected, and returns.
  void publish(const CORBA::Any& data);

  void add(const std::shared_ptr<Proxy>& proxy);
  void remove(Proxy& proxy, EndReason reason);
  std::vector<std::shared_ptr<Proxy>> proxies() const;
  // The pull supplier whose consumer has been silent longest, if there are more than the channel may have.
  std::shared_ptr<Proxy> surplus_pull_supplier() const;

  // With that many proxies. Takes little memory for the others.
  ChannelState look(std::size_t most_proxies) const;
  // The same without what each proxy shows.
  ChannelState look_at_counts() const;

 private:
  bool passes(const CORBA::Any& data) const;

  const ChannelId id_;
  const ChannelSettings settings_;
  Parts& parts_;
  mutable std::shared_mutex mutex_;  // guards the lists
  std::vector<std::shared_ptr<Receiver>> receivers_;
  std::vector<std::shared_ptr<Proxy>> senders_;
  std::size_t pull_suppliers_ = 0;
  std::atomic<std::uint64_t> received_{0}, filtered_{0};
  // Counts of proxies that have been removed.
  std::uint64_t delivered_ = 0, discarded_ = 0, failures_ = 0, dead_ = 0;
};

}  // namespace takt::events
