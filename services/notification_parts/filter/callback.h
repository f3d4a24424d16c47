// A client's callback, which a filter tells of changes of the types of its constraints.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "CosNotifyCommC.h"
#include "events/delivery/task.h"
#include "notification_parts/model/event_types.h"

namespace takt::notification {

// Calls the client for one change after the other. Those that come while a call is under way, or waits for a
// thread, are one change for the next call, so that a client that hangs costs no memory. Any thread.
class FilterCallback final : public events::Task {
 public:
  using Client = CORBA::object_reference<CosNotifyComm::NotifySubscribe>;
  using Types = std::shared_ptr<const std::set<TypeName>>;

  // `client` has the timeout of calls; `known`: the types now.
  FilterCallback(Client client, Types known)
      : client_(std::move(client)), told_(known), now_(std::move(known)) {}

  // Returns whether the caller must make the task ready.
  bool note(Types types);
  // The client is told nothing more.
  void end();

  std::optional<events::Clock::time_point> run() override;
  // A callback is not known to answer.
  events::Standing standing() const override { return events::Standing::suspect; }

 private:
  const Client client_;
  std::mutex mutex_;
  Types told_, now_;
  bool scheduled_ = false, ended_ = false;
};

// The types of `now` that `before` does not have, and the contrary.
Subscription::Change difference(const std::set<TypeName>& before, const std::set<TypeName>& now);

}  // namespace takt::notification
