// A client's callback, which a filter tells of changes of the types of its constraints.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "CosNotifyCommC.h"
#include "events/delivery/task.h"
#include "notification_parts/model/event_types.h"

namespace takt::notification {

// The types of the constraints of a filter at one time. Immutable.
struct TypesOfFilter {
  explicit TypesOfFilter(std::set<TypeName> all) : names(std::move(all)), bytes(bytes_of(names)) {}
  const std::set<TypeName> names;
  const std::uint64_t bytes;
};

// Calls the client for one change after the other. Those that come while a call is under way, or waits for a
// thread, are one change for the next call, so that a client that hangs costs no memory. A client that cannot
// be reached is called again after ever longer pauses, and is told of what it has missed when it can be;
// after most_tries, with the next change. One that is gone is told nothing more. Any thread.
class FilterCallback final : public events::Task {
 public:
  using Client = CORBA::object_reference<CosNotifyComm::NotifySubscribe>;
  using Types = std::shared_ptr<const TypesOfFilter>;

  // `client` has the timeout of calls; `known`: the types now.
  FilterCallback(Client client, Types known)
      : client_(std::move(client)), told_(known), now_(std::move(known)) {}

  // Returns whether the caller must make the task ready.
  bool note(Types types);
  // The client is told nothing more. The callback keeps no types, even if the dispatcher still has it.
  void end();
  // Adds the lists of types that it keeps.
  void add_to(std::set<Types>& kept) const;

  static constexpr int most_tries = 8;  // within half a minute

  std::optional<events::Clock::time_point> run() override;
  // A callback is not known to answer.
  events::Standing standing() const override { return events::Standing::suspect; }

 private:
  // When the client, which knows the types `before`, is to be called again.
  std::optional<events::Clock::time_point> try_again(Types before);

  const Client client_;
  mutable std::mutex mutex_;
  Types told_, now_;
  int tries_ = 0;  // that did not reach the client
  bool scheduled_ = false, ended_ = false;
};

// The types of `now` that `before` does not have, and the contrary.
Subscription::Change difference(const std::set<TypeName>& before, const std::set<TypeName>& now);

}  // namespace takt::notification
