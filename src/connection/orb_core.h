// What the rooms of one ORB share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/changeable.h>
#include <takt/base/growing_list.h>
#include <takt/cdr/code_sets.h>
#include <takt/cdr/environment.h>
#include <takt/cdr/ior.h>
#include <takt/connection/object.h>
#include <takt/connection/policy.h>
#include <takt/connection/policy_control.h>
#include <takt/transport/endpoint.h>
#include <takt/transport/stream_options.h>
#include <takt/transport/transport.h>

#include "connection/client/channel_registry.h"
#include "connection/mux/mux.h"
#include "connection/references/connection_ids.h"
#include "connection/references/publication.h"
#include "connection/references/server_routes.h"
#include "giop/compression/compressor.h"
#include "giop/compression/methods.h"
#include "giop/connection.h"
#include "giop/references/secure_transport.h"
#include "os/threads/priority_mutex.h"
#include "transport/miop/group_options.h"

namespace takt::connection {

class Bidirectional;
class Dispatcher;
class Groups;
class ObjectRef;
class Overrides;
class ProbeLog;
class RequestSchedule;

// How references speak of TLS, and what they are followed by. Where it is used at all, nothing falls back
// from it.
struct TlsUse {
  enum class When : std::uint8_t {
    required,  // by the server
    offered,
    always,  // instead of TCP; servers that do not offer it cannot be reached by TCP
  };
  When when = When::required;
  giop::association::Options supports = 0, requires_ = 0;  // what our servers say
  bool plain_too = false;                                  // on the same port
};

// The settings that these rooms read; orb fills them from its options table. Those that are Changeable may
// change while the ORB runs.
struct CoreOptions {
  Changeable<std::chrono::nanoseconds> connect_timeout{std::chrono::seconds(5)};
  // Threads notice a change with the next generation.
  Changeable<std::chrono::nanoseconds> round_trip_timeout{std::chrono::seconds(30)};
  // Of a server, for clients that do not read, and for those without a request; 0: for ever.
  Changeable<std::chrono::nanoseconds> send_timeout{std::chrono::seconds(30)};
  Changeable<std::chrono::nanoseconds> idle_timeout{std::chrono::minutes(2)};
  // How long a request may wait for its start time.
  Changeable<std::chrono::nanoseconds> hold_timeout{std::chrono::seconds(10)};
  // Of requests that wait for a connection's thread.
  Changeable<std::size_t> send_queue_bytes = 4 * 1024 * 1024;
  std::size_t fragment_bytes = 0;  // requests and replies longer than this go in fragments; 0: never
  std::uint8_t giop_minor = 2;     // the highest that we speak
  // Of connections that we open or accept, unless policies say otherwise.
  giop::Messaging messaging = giop::Messaging::giop;
  bool can_speak(const giop::Messaging& wanted) const {
    return wanted == giop::Messaging::giop || (giop_minor >= 2 && fragment_bytes == 0);
  }
  giop::compression::Settings compression;  // where the messaging has it
  // By which methods, unless the messaging names some of those that there are.
  giop::compression::MethodList methods = giop::compression::usual_methods();
  std::shared_ptr<giop::compression::Methods> all_methods = std::make_shared<giop::compression::Methods>();
  // None: it has no compression. INV_POLICY: there is none of a name.
  giop::compression::MethodList methods_of(const giop::Messaging& wanted) const;
  // Null and empty: likewise. `own_expansion`: of the connection.
  std::unique_ptr<giop::compression::Compressor> compressor_for(const giop::Messaging& wanted,
                                                                std::uint16_t own_expansion) const;
  giop::compression::OfferData offer_for(const giop::Messaging& wanted, std::uint16_t own_expansion) const;
  Changeable<unsigned> max_redirections = 10;  // of one call: forwards and reissues
  // Shared with the threads of connections, which may still end when the ORB is gone.
  std::shared_ptr<giop::Limits> limits = std::make_shared<giop::Limits>();
  Changeable<std::size_t> server_connections = 20000;  // open at once, of one way to serve; more are refused
  Changeable<std::size_t> peer_connections = 5000;     // of these, from one address of another machine
  transport::StreamOptions streams;  // of connections that we open, unless policies say otherwise
  // How connections for requests of a priority are marked, beside that.
  transport::MarkingByPriority marking;
  // Connections are marked by the class and importance of their calls, too.
  bool marks_quality = false;
  bool marks_calls() const { return marks_quality || !marking.empty(); }
  // How long at most a connection is not read whose request was refused for its rate.
  std::chrono::nanoseconds refusal_delay{};
  TlsUse tls;
  transport::miop::GroupOptions groups;
};

// Operations of CORBA::Object that take a call; implemented by the invocation room.
class ObjectOperations {
 public:
  virtual ~ObjectOperations() = default;
  virtual bool is_a(const CORBA::Object& target, std::string_view repository_id) = 0;
  virtual bool non_existent(const CORBA::Object& target) = 0;
  virtual std::string repository_id(const CORBA::Object& target) = 0;
  virtual CORBA::object_reference<CORBA::Object> component(const CORBA::Object& target) = 0;
};

// Owned jointly by the ORB and its references. What the ORB plugs in (the raw pointers) is set before
// the first reference is made and outlives the last call; everything else is safe from any thread.
class OrbCore : public std::enable_shared_from_this<OrbCore> {
 public:
  OrbCore();
  ~OrbCore();

  CoreOptions options;
  cdr::Environment* environment = nullptr;
  Dispatcher* dispatcher = nullptr;     // null: no servants here
  RequestSchedule* schedule = nullptr;  // null: nothing is known of requests beforehand
  ObjectOperations* operations = nullptr;
  std::unique_ptr<Mux> mux;
  transport::TransportRegistry transports;
  // Each chooses from what the one before has left; whoever adds one begins a generation.
  static constexpr std::size_t most_controls = 8;
  GrowingList<const PolicyControl, most_controls> controls;
  ServerRoutes server_routes;
  ConnectionIds connection_ids;                                // equal for routes that may share a connection
  std::shared_ptr<const cdr::CodeSetComponentInfo> code_sets;  // ours, published and negotiated with
  std::function<CORBA::object_reference<CORBA::ORB>()> orb;    // for Object::_get_orb
  std::unique_ptr<Bidirectional> bidirectional;                // null: connections are one-way
  std::shared_ptr<Groups> groups;                              // null: no multicast
  std::shared_ptr<ProbeLog> probes;                            // null: calls are not probed
  std::string host_name;                                       // this machine's
  std::string machine;  // it since its last start: os::machine_identity()
  std::string process;  // os::process_identity()

  // Makes the calling thread, one of ours, run at a priority as far as it may; may be empty.
  std::function<void(giop::Priority)> run_at;
  // What each thread of a pool or periodic dispatcher does once it has its priority, before it serves; may be
  // empty. Must not throw.
  std::function<void()> before_serving;
  // Tells whoever runs the program, each text once; may be empty.
  std::function<void(const std::string&)> tell;
  // A server's bands of priorities as a policy, for _validate_connection(); may be empty.
  std::function<CORBA::object_reference<CORBA::Policy>(const giop::PriorityPolicies&)> bands_policy;

  // Where our own objects are found, in order of preference. Set once listening; before it, references
  // to our objects are local only.
  void publish(std::vector<transport::Endpoint> endpoints);
  std::vector<transport::Endpoint> published() const;
  // We listen there too, for some of our objects, with that messaging.
  void add_own(const std::vector<transport::Endpoint>& endpoints, const giop::Messaging& messaging);
  bool is_ours(const transport::Endpoint& endpoint) const;
  // Where we listen.
  giop::Messaging messaging_at(const transport::Endpoint& endpoint) const;

  // A reference to an object of ours. `where`: null for what holds for the whole ORB. Allocates.
  std::shared_ptr<ObjectRef> make_reference(std::string type_id, ByteView object_key,
                                            const Publication* where = nullptr);
  // A reference to any object; null for nil. Allocates. A reference without a profile that we
  // understand is made all the same: it can be passed on, and calls on it throw.
  std::shared_ptr<ObjectRef> from_ior(cdr::Ior ior);

  // A stream to the endpoint, by the transport of its protocol. Blocks until the deadline at most.
  transport::ConnectResult connect(const transport::Endpoint& endpoint,
                                   std::chrono::steady_clock::time_point deadline,
                                   const transport::StreamOptions& stream_options);

  // Changes whenever calls may have to go elsewhere, or otherwise: with each forward, and each change of the
  // ORB's policies. By it threads know that what they remember of references is out of date.
  std::uint32_t generation() const { return generation_.load(std::memory_order_acquire); }
  void begin_generation() { generation_.fetch_add(1, std::memory_order_release); }

  // The policies of all calls; null: none. Locks, briefly.
  std::shared_ptr<const Overrides> overrides() const;
  // Throws InvalidPolicies and NO_PERMISSION.
  void override_policies(const CORBA::PolicyList& policies, CORBA::SetOverrideType set_add);

  // Some client's requests have deadlines: what arrives is stamped from now on, since it may wait to be read.
  std::atomic<bool> expects_deadlines{false};
  // Requests that were not dispatched because their deadlines had passed.
  std::atomic<std::uint64_t> requests_too_late{0};

  // Open client connections, whichever thread uses them; for shutdown.
  const std::shared_ptr<ChannelRegistry>& channels() const { return channels_; }
  // No further calls: those in progress and later ones fail with BAD_INV_ORDER minor 4.
  void shut_down();
  bool down() const { return down_.load(std::memory_order_relaxed); }

 private:
  std::shared_ptr<ChannelRegistry> channels_;
  std::atomic<bool> down_{false};
  std::atomic<std::uint32_t> generation_{0};
  mutable os::PriorityMutex mutex_;
  std::vector<transport::Endpoint> published_;
  struct Own {
    transport::Endpoint endpoint;
    giop::Messaging messaging;
  };
  std::vector<Own> own_;  // where else we listen
  std::shared_ptr<const Overrides> overrides_;
};

}  // namespace takt::connection
