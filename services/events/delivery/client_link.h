// The client that is connected to a proxy of an event channel, and the calls to it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include <takt/corba.h>

#include "events/delivery/dispatcher.h"
#include "events/delivery/health.h"
#include "events/delivery/ready.h"
#include "events/delivery/task.h"
#include "events/model/ids.h"
#include "events/model/limits.h"

namespace takt::events {

using ObjectRef = CORBA::object_reference<CORBA::Object>;

// Throws BAD_PARAM if the client is nil although a proxy of that kind calls it.
void require_client(const ObjectRef& client, ProxyKind kind);

// Connected once, or again and again if Limits::reconnects: then a client takes the place of the one before,
// after the call to that which is under way. Thread-safe; no call waits for a client but run(). The limits
// and the dispatcher must outlive it.
class ClientLink : public Task, public std::enable_shared_from_this<ClientLink> {
 public:
  ClientLink(const Limits& limits, Dispatcher& dispatcher, Clock::time_point now);

  Standing standing() const override { return health_.standing(); }
  bool is_suspect() const { return health_.is_suspect(); }

  // Whether the caller may connect it: connect() or release() must follow.
  bool reserve();
  void release();
  // A nil client is never called. No effect if the link has ended since it was reserved.
  void connect(const ObjectRef& client);
  bool is_connected() const;
  // Ends the connection. Returns the client whose disconnect operation is to be called; nil if there is none.
  ObjectRef end();
  // Asks a client that was silent for too long whether it exists.
  void ping_if_silent(Clock::time_point now, Ready& ready);
  // Whether nothing has connected within the time that the limits allow.
  bool is_unused(Clock::time_point now) const;
  Clock::time_point last_active() const;
  // Makes run() choose a job soon, unless it is about to. No effect without a connection.
  void wake();
  // The client as it was given; nil if there is none.
  ObjectRef given_client() const;

  std::optional<Clock::time_point> run() final;

 protected:
  // The following run under the lock.
  // Takes the client, with the timeout of calls. Returns whether it is to be called at once.
  virtual bool attach(const ObjectRef&) { return false; }
  // Another client takes the place of the one before. Comes before attach(), which waits for the call that is
  // under way.
  virtual void replace() {}
  // Chooses the next call to the client. False if there is nothing to do.
  virtual bool next_job() { return false; }
  // The call that next_job() chose has ended. Returns the time before which there shall be no other.
  virtual std::optional<Clock::time_point> after(Answer, Clock::time_point) { return {}; }
  virtual void stop() {}
  // A client that cannot be reached for this time is given up.
  virtual std::chrono::milliseconds patience() const { return limits_.give_up_after; }
  // The following run in a dispatcher's thread without the lock.
  virtual Answer carry_out() { return Answer::done; }
  // How many calls carry_out() has made; at least 1.
  virtual std::size_t calls_made() const { return 1; }
  // The client does not exist, cannot be reached, or raises only exceptions.
  virtual void give_up() = 0;

  // Whether the caller must make the link ready, outside the lock.
  bool must_schedule();
  bool is_live() const { return state_ == State::connected; }  // under the lock
  void note_activity() { active_ = Clock::now(); }

  mutable std::mutex mutex_;

 private:
  enum class State : std::uint8_t { unconnected, reserved, connected, ended };

  Answer ping() const;
  // Asks the client if the dispatcher is wary of it. Then its standing is another, and its next call waits
  // with those of that standing.
  bool asks();
  // The following run under the lock.
  bool take(ObjectRef bounded);
  bool take_next();
  // `took`: the time of the call, or of each where several are made together.
  Health::Verdict judge(Answer answer, bool was_ping, Clock::time_point now, Clock::duration took);
  std::optional<bool> begin_call();

  const Limits& limits_;
  Dispatcher& dispatcher_;
  State state_ = State::unconnected;
  bool scheduled_ = false;  // it is ready, running, or waits for a time
  bool ping_due_ = false;
  bool calls_ = false;     // a call is under way
  bool replaces_ = false;  // another client is about to be connected
  bool gives_up_ = false;  // the client is about to be dropped
  Clock::time_point active_;
  ObjectRef client_, given_;       // the client, with the timeout of calls; as it was given
  std::optional<ObjectRef> next_;  // the client that takes its place after the call
  Health health_;
};

}  // namespace takt::events
