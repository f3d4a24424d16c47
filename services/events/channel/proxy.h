// A proxy of an event channel, and the client that is connected to it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <takt/corba.h>

#include "events/channel/health.h"
#include "events/channel/parts.h"
#include "events/delivery/task.h"

namespace takt::events {

class Channel;

using ObjectRef = CORBA::object_reference<CORBA::Object>;
using Ready = std::vector<Dispatcher::TaskPtr>;  // tasks that are to be made ready

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

// Connected at most once. Thread-safe; no call waits for a client but run().
class Proxy : public Task, public std::enable_shared_from_this<Proxy> {
 public:
  Proxy(ProxyId id, ProxyKind kind, std::shared_ptr<Channel> channel, Clock::time_point now);

  ProxyId id() const { return id_; }
  ProxyKind kind() const { return kind_; }
  Channel& channel() const { return *channel_; }
  bool is_suspect() const override { return health_.is_suspect(); }

  // Whether the caller may connect it: connect() or release() must follow.
  bool reserve();
  void release();
  // A nil client is never called. No effect if the proxy has ended since it was reserved.
  void connect(const ObjectRef& client);
  bool is_connected() const;
  // Ends the connection. Returns the client whose disconnect operation is to be called; nil if there is none.
  ObjectRef end();
  // Asks a client that was silent for too long whether it exists.
  void ping_if_silent(Clock::time_point now, Ready& ready);
  // Whether nothing has connected within the time that the limits allow.
  bool is_unused(Clock::time_point now) const;
  Clock::time_point last_active() const;

  ProxyState look() const;
  ProxyState counts() const;  // the same without the client's reference

  std::optional<Clock::time_point> run() final;

  std::size_t place = 0;  // index in the channel's list, which the channel maintains

 protected:
  struct Job {
    bool pings = false;
    bool idle = false;  // the client had nothing to do
    EventPtr event{};   // the event to deliver
  };
  // The following run under the lock.
  virtual void attach(const ObjectRef&) {}  // the client, with the timeout of calls
  virtual bool next_job(Job&) { return false; }
  virtual std::optional<Clock::time_point> after(Job&, Answer, Clock::time_point) { return {}; }
  virtual void add_to(ProxyState&) const {}
  virtual void stop() {}
  // Runs in a dispatcher's thread without the lock.
  virtual Answer carry_out(Job&) { return Answer::done; }

  // Whether the caller must make the proxy ready, outside the lock.
  bool must_schedule();
  bool is_live() const { return state_ == State::connected; }  // under the lock
  Parts& parts() const;
  void note_activity() { active_ = Clock::now(); }

  mutable std::mutex mutex_;
  std::uint64_t events_ = 0, failures_ = 0;

 private:
  enum class State : std::uint8_t { unconnected, reserved, connected, ended };

  const ProxyId id_;
  const ProxyKind kind_;
  const std::shared_ptr<Channel> channel_;
  State state_ = State::unconnected;
  bool scheduled_ = false;  // it is ready, running, or waits for a time
  bool ping_due_ = false;
  const Clock::time_point made_;
  Clock::time_point active_;
  ObjectRef client_, given_;  // the client, with the timeout of calls; as it was given
  Health health_;
};

// Calls a client's disconnect operation, once.
class Farewell final : public Task {
 public:
  Farewell(ObjectRef client, ProxyKind kind, bool suspect)
      : client_(std::move(client)), kind_(kind), suspect_(suspect) {}
  std::optional<Clock::time_point> run() override;
  bool is_suspect() const override { return suspect_; }

 private:
  const ObjectRef client_;
  const ProxyKind kind_;
  const bool suspect_;
};

}  // namespace takt::events
