// State shared by the references of one ORB.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <takt/base/append_only_list.h>
#include <takt/base/bytes.h>
#include <takt/cdr/code_sets.h>
#include <takt/cdr/environment.h>
#include <takt/cdr/ior.h>
#include <takt/reference/object.h>
#include <takt/reference/policy.h>
#include <takt/reference/policy_control.h>
#include <takt/transport/endpoint.h>
#include <takt/transport/transport.h>

#include "base/part_of.h"
#include "giop/protocol_options.h"
#include "giop/references/secure_transport.h"
#include "reference/connection_ids.h"
#include "reference/own_endpoints.h"
#include "reference/policies/connection_options.h"
#include "reference/publication.h"
#include "reference/server_routes.h"
#include "reference/tls_use.h"
#include "threads/locks/priority_mutex.h"

namespace takt::client {
class Client;
}

namespace takt::reference {

class Forwarder;
class LocalCalls;
class LocalRoads;
class ObjectRef;
class Overrides;

struct ReferenceOptions {
  TlsUse tls;
  bool groups = false;              // allow calls to group references
  bool probed = false;              // record the steps of calls
  bool overlapping = false;         // the ORB may serve several requests of a connection at the same time
  bool intercepted = false;         // calls on references that are made now may have interceptors
  bool served_intercepted = false;  // the same for references that are made now to objects of this ORB
  bool traced = false;              // calls may have spans; `intercepted` is set, too
};

// The names by which other processes know this machine and process.
struct HostIdentity {
  std::string host;     // this machine's name
  std::string machine;  // identifies the machine since its last boot: os::machine_identity()
  std::string process;  // os::process_identity()
};

// Operations of CORBA::Object that need a call. Implemented by the invocation room.
class ObjectOperations {
 public:
  virtual ~ObjectOperations() = default;
  virtual bool is_a(const CORBA::Object& target, std::string_view repository_id) = 0;
  virtual bool non_existent(const CORBA::Object& target) = 0;
  virtual std::string repository_id(const CORBA::Object& target) = 0;
  virtual CORBA::object_reference<CORBA::Object> component(const CORBA::Object& target) = 0;
};

// Part of the ORB; every reference keeps it alive. Public data is set before the first reference is made and
// outlives the last call. Everything else is safe from any thread. It is large because what all references of
// the ORB share is here.
class References : public PartOf<References> {
 public:
  References(const giop::ProtocolOptions& protocol, const ConnectionOptions& connections);
  ~References();

  const giop::ProtocolOptions& protocol;
  const ConnectionOptions& connections;
  ReferenceOptions options;
  HostIdentity here;
  // Our code sets, for publishing and negotiation.
  std::shared_ptr<const cdr::CodeSetComponentInfo> code_sets;
  transport::TransportRegistry transports;
  // Each control chooses from what the previous one has left. Adding one must begin a generation.
  static constexpr std::size_t most_controls = 8;
  AppendOnlyList<const PolicyControl, most_controls> controls;
  OwnEndpoints own_endpoints;
  ServerRoutes server_routes;
  ConnectionIds connection_ids;  // equal for routes that may share a connection
  // Set by the ORB.
  cdr::Environment* environment = nullptr;
  ObjectOperations* operations = nullptr;
  LocalCalls* local_calls = nullptr;
  LocalRoads* roads = nullptr;                               // null: this ORB takes and offers none
  client::Client* client = nullptr;                          // opaque here: the client that makes the calls
  std::function<CORBA::object_reference<CORBA::ORB>()> orb;  // for Object::_get_orb

  // Makes a reference to an object of this ORB. `where`: null for the ORB's defaults. Allocates.
  std::shared_ptr<ObjectRef> make_reference(std::string type_id, ByteView object_key,
                                            const Publication* where = nullptr);
  // Makes a reference to any object; null for nil. A reference without a usable profile is made too: it can
  // be passed on, but calls on it throw. Allocates.
  std::shared_ptr<ObjectRef> from_ior(cdr::Ior ior);

  // The process that forwards calls on our persistent objects; null if there is none.
  const Forwarder* forwarder() const { return forwarder_.load(std::memory_order_acquire); }
  // False, without any effect, if there is one already.
  bool set_forwarder(std::shared_ptr<const Forwarder> forwarder);

  // Increases whenever calls may need another target or treatment: with each forward, and each change of the
  // ORB's policies. Threads use it to detect outdated caches.
  std::uint32_t generation() const { return generation_.load(std::memory_order_acquire); }
  void begin_generation() { generation_.fetch_add(1, std::memory_order_release); }

  // The policies of all calls; null if there are none. Locks briefly.
  std::shared_ptr<const Overrides> overrides() const;
  // Throws InvalidPolicies and NO_PERMISSION.
  void override_policies(const CORBA::PolicyList& policies, CORBA::SetOverrideType set_add);

  // Marks the ORB as shut down: no more calls, no new adapters.
  void shut_down() { down_.store(true, std::memory_order_relaxed); }
  bool down() const { return down_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> down_{false};
  std::atomic<std::uint32_t> generation_{0};
  std::atomic<const Forwarder*> forwarder_{nullptr};
  mutable os::PriorityMutex mutex_;
  std::shared_ptr<const Overrides> overrides_;
  std::shared_ptr<const Forwarder> owned_forwarder_;
};

}  // namespace takt::reference
