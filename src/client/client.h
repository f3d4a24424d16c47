// What the calls of one ORB have in common.
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

#include "base/part_of.h"
#include "base/step.h"
#include "client/channel/channel_registry.h"
#include "client/client_options.h"
#include "client/mux.h"
#include "giop/contexts/priorities.h"
#include "reference/references.h"

namespace takt::client {

// A feature by which some calls go over other connections than usual. Any thread.
class OtherWay {
 public:
  struct Way {
    Mux* mux;
    reference::ConnectionKey key;
  };
  virtual ~OtherWay() = default;
  // Nothing: not by this. `offers`: the call's policy offers the connection for calls back.
  virtual std::optional<Way> way_to(const reference::Route& route, const reference::Route::Address& address,
                                    const reference::ConnectionKey& usual, bool offers) = 0;
  // It may take calls of any reference, from one moment to the next.
  virtual bool may_take_any() const = 0;
};

// Part of the ORB. What is public data is set before the first call and outlives the last one; everything
// else is safe from any thread.
class Client : public PartOf<Client> {
 public:
  explicit Client(reference::References& references);
  ~Client();

  reference::References& references;
  const giop::ProtocolOptions& protocol;
  ClientOptions options;
  std::unique_ptr<Mux> mux;
  std::vector<OtherWay*> other_ways;  // asked in this order
  // Null: calls are not probed. Then each stream becomes what `probed` makes of it.
  StepLog* steps = nullptr;
  std::function<std::unique_ptr<transport::Stream>(std::unique_ptr<transport::Stream>)> probed;
  // Makes the calling thread, one of ours, run at a priority as far as it may; may be empty.
  std::function<void(giop::Priority)> run_at;
  // Tells whoever runs the program, each text once; may be empty.
  std::function<void(const std::string&)> tell;
  // A server's bands of priorities as a policy, for _validate_connection(); may be empty.
  std::function<CORBA::object_reference<CORBA::Policy>(const giop::PriorityPolicies&)> bands_policy;

  // A stream to the endpoint, by the transport of its protocol. Blocks until the deadline at most.
  transport::ConnectResult connect(const transport::Endpoint& endpoint,
                                   std::chrono::steady_clock::time_point deadline,
                                   const transport::StreamOptions& stream_options);

  // Open connections, whichever thread uses them; for shutdown.
  const std::shared_ptr<ChannelRegistry>& channels() const { return channels_; }
  // No further calls: those in progress and later ones fail with BAD_INV_ORDER minor 4.
  void shut_down();

 private:
  const std::shared_ptr<ChannelRegistry> channels_;
};

// By which calls on the reference go.
inline Client& client_of(const reference::References& references) { return *references.client; }

}  // namespace takt::client
