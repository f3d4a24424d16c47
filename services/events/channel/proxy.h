// A proxy of an event channel, and the client that is connected to it.
#pragma once

#include <cstdint>
#include <memory>

#include <takt/corba.h>

#include "events/channel/parts.h"
#include "events/delivery/client_figures.h"
#include "events/delivery/client_link.h"

namespace takt::events {

class Channel;

struct ProxyState : ClientFigures {
  ProxyId id = 0;
  ProxyKind kind{};
};

class Proxy : public ClientLink {
 public:
  Proxy(ProxyId id, ProxyKind kind, std::shared_ptr<Channel> channel, Clock::time_point now);

  ProxyId id() const { return id_; }
  ProxyKind kind() const { return kind_; }
  bool is_receiver() const { return events::is_receiver(kind_); }
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

}  // namespace takt::events
