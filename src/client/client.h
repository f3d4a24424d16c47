// State shared by the calls of one ORB.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <takt/reference/policy.h>
#include <takt/transport/endpoint.h>
#include <takt/transport/transport.h>

#include "base/event_log.h"
#include "base/part_of.h"
#include "base/step.h"
#include "client/channel/channel_registry.h"
#include "client/client_options.h"
#include "client/connection_strategy.h"
#include "client/feature_slot.h"
#include "giop/contexts/priorities.h"
#include "reference/references.h"
#include "reference/target.h"
#include "threads/owning_process.h"
#include "threads/scheduling/scheduling.h"
#include "transport/stream_observers.h"

namespace takt::invocation {
class InterceptedCalls;
}

namespace takt::client {

// A feature that sends some calls over other connections. Any thread.
class ConnectionOverride {
 public:
  // The connection that the calls use.
  struct KeyedStrategy {
    ConnectionStrategy* strategy;
    reference::ConnectionKey key;
  };
  virtual ~ConnectionOverride() = default;
  // nullopt if the feature does not apply. `offers`: a policy of the call offers the connection for
  // call-backs.
  virtual std::optional<KeyedStrategy> connection_for(const reference::Route& route,
                                                      const reference::Route::Address& address,
                                                      const reference::ConnectionKey& usual, bool offers) = 0;
  // Whether it may start to apply to any reference at any time.
  virtual bool may_apply_to_any() const = 0;
  // Whether it has a connection that the peer has opened, and has offered for calls to that address.
  virtual bool was_offered(const reference::Route&, const reference::Route::Address&) const { return false; }
};

// Part of the ORB. Public data is set before the first call and outlives the last one. Everything else is
// safe from any thread. It is large because what all calls of the ORB share is here.
class Client : public PartOf<Client> {
 public:
  explicit Client(reference::References& references);
  ~Client();

  reference::References& references;
  const giop::ProtocolOptions& protocol;
  ClientOptions options;
  AsynchronousDefaults asynchronous_defaults;
  std::unique_ptr<ConnectionStrategy> strategy;
  std::vector<ConnectionOverride*> connection_overrides;  // asked in this order
  invocation::InterceptedCalls* interceptors = nullptr;   // opaque here; null if there are none
  StepLog* steps = nullptr;       // the log of time probes; null: calls are not probed
  std::shared_ptr<EventLog> log;  // the ORB's; may be null
  std::shared_ptr<const transport::StreamObservers> observers;  // the ORB's; null: streams have none
  // Sets the priority of the calling thread, which must be an ORB thread, as far as permitted. A negative
  // one: the thread runs as it did before it got its first one. May be empty.
  std::function<void(giop::Priority)> run_at;
  // The scheduling of a new thread of that priority; empty: as its creator. The function may be empty.
  std::function<std::optional<os::Scheduling>(giop::Priority)> scheduling_at;
  // Reports to the operator, each text once; may be empty.
  std::function<void(const std::string&)> report;
  // Makes a policy of a server's priority bands, for _validate_connection(); may be empty.
  std::function<CORBA::object_reference<CORBA::Policy>(const giop::PriorityPolicies&)> bands_policy;

  // Connects to the endpoint through its transport. Blocks until the deadline at most.
  transport::ConnectResult connect(const transport::Endpoint& endpoint,
                                   std::chrono::steady_clock::time_point deadline,
                                   const transport::StreamOptions& stream_options);
  // Connects to the address of a route, by a local road if it has one that can be taken.
  transport::ConnectResult connect(const reference::Route::Address& address,
                                   std::chrono::steady_clock::time_point deadline);
  // A local road to the address that was prepared since a connection went there by TCP; null if there is
  // none. Does not block.
  std::unique_ptr<transport::Stream> take_prepared(const reference::Route::Address& address);

  // Sets `log`, for connections as well.
  void set_log(std::shared_ptr<EventLog> orbs);

  // The process that the ORB's connections and ports belong to.
  os::OwningProcess process;

  // State of asynchronous calls.
  FeatureSlot& asynchronous() { return asynchronous_; }

  // All open connections, for the shutdown.
  const std::shared_ptr<ChannelRegistry>& channels() const { return channels_; }
  // Makes current and later calls fail with BAD_INV_ORDER minor 4.
  void shut_down();

 private:
  std::unique_ptr<transport::Stream> observed(std::unique_ptr<transport::Stream> stream) const;
  void note_failure(const transport::Endpoint& endpoint, const transport::ConnectError& error) const;

  const std::shared_ptr<ChannelRegistry> channels_;
  FeatureSlot asynchronous_;
};

// The client that makes the calls on references of this ORB.
inline Client& client_of(const reference::References& references) { return *references.client; }

}  // namespace takt::client
