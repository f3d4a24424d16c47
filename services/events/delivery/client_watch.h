// Finds out whether the client of a proxy exists and answers.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include <takt/corba.h>

#include "events/delivery/dispatcher.h"
#include "events/delivery/health.h"

namespace takt::events {

class ClientWatch;

// Learns what a watch finds, in a dispatcher's thread. It has one watch after the other if clients take each
// other's place.
class WatchedClient {
 public:
  virtual ~WatchedClient() = default;
  virtual void answers(const ClientWatch&) {}
  // Nothing is sent to it until it answers.
  virtual bool is_held() const { return false; }
  // It does not exist, or did not answer for too long.
  virtual void is_dead(const ClientWatch& found) = 0;
};

// Asks the client by _non_existent. When it does not answer, it is asked again after growing pauses. Any
// thread.
class ClientWatch final : public Task, public std::enable_shared_from_this<ClientWatch> {
 public:
  // `client` has the timeout of calls. `while_held`: the reference by which the client is asked while it is
  // held; nil: `client`. The limits must outlive the watch.
  ClientWatch(CORBA::object_reference<CORBA::Object> client,
              CORBA::object_reference<CORBA::Object> while_held, const Limits& limits,
              std::weak_ptr<WatchedClient> watched);

  // Asks the client now.
  void check(Dispatcher& dispatcher);
  // Asks it if it has not been heard for Limits::ping_after.
  void check_if_silent(Clock::time_point now, Dispatcher& dispatcher);

  std::optional<Clock::time_point> run() override;
  Standing standing() const override { return health_.standing(); }
  bool is_suspect() const { return health_.is_suspect(); }

 private:
  const CORBA::object_reference<CORBA::Object> client_, while_held_;
  const Limits& limits_;
  const std::weak_ptr<WatchedClient> watched_;
  std::mutex mutex_;
  bool scheduled_ = false;  // it is ready, running, or waits for a time
  bool again_ = false;
  Health health_;
};

}  // namespace takt::events
