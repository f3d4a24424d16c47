// A proxy of an event channel, and the client that is connected to it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <takt/corba.h>

#include "events/channel/parts.h"
#include "events/delivery/client_link.h"
#include "events/delivery/task.h"

namespace takt::events {

class Channel;

struct ProxyState {
  ProxyId id = 0;
  ProxyKind kind{};
  bool connected = false;
  bool suspect = false;      // the client did not answer the last call
  std::string client;        // the client's reference; empty: nil, or none
  std::uint64_t events = 0;  // delivered to the client, or received from it
  std::uint64_t pending = 0, discarded = 0;
  std::uint64_t failures = 0;  // calls whose event may not have arrived
};

class Proxy : public ClientLink {
 public:
  Proxy(ProxyId id, ProxyKind kind, std::shared_ptr<Channel> channel, Clock::time_point now);

  ProxyId id() const { return id_; }
  ProxyKind kind() const { return kind_; }
  bool receives() const { return kind_ == ProxyKind::push_supplier || kind_ == ProxyKind::pull_supplier; }
  Channel& channel() const { return *channel_; }

  ProxyState look() const;
  ProxyState counts() const;  // the same without the client's reference

  std::size_t place = 0;  // index in the channel's list, which the channel maintains

 protected:
  virtual void add_to(ProxyState&) const {}  // under the lock
  void give_up() override;
  Parts& parts() const;

  std::uint64_t events_ = 0, failures_ = 0;

 private:
  const ProxyId id_;
  const ProxyKind kind_;
  const std::shared_ptr<Channel> channel_;
};

// Calls a client's disconnect operation, once. `client` has the timeout of the call.
class Farewell final : public Task {
 public:
  Farewell(ObjectRef client, ProxyKind kind) : client_(std::move(client)), kind_(kind) {}
  std::optional<Clock::time_point> run() override;
  Standing standing() const override { return Standing::leaving; }

 private:
  const ObjectRef client_;
  const ProxyKind kind_;
};

}  // namespace takt::events
