// What the references of one ORB have in common.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <takt/base/bytes.h>
#include <takt/base/growing_list.h>
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
#include "os/threads/priority_mutex.h"
#include "reference/connection_ids.h"
#include "reference/own_places.h"
#include "reference/policies/connection_options.h"
#include "reference/publication.h"
#include "reference/server_routes.h"
#include "reference/tls_use.h"

namespace takt::client {
class Client;
}

namespace takt::reference {

class LocalCalls;
class ObjectRef;
class Overrides;

struct ReferenceOptions {
  TlsUse tls;
  bool groups = false;  // references to groups can be called
  bool probed = false;  // the steps of calls are recorded
};

// By what other processes know this machine and process.
struct Whereabouts {
  std::string host;     // this machine's name
  std::string machine;  // it since its last start: os::machine_identity()
  std::string process;  // os::process_identity()
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

// Part of the ORB, which each reference keeps. What is public data is set before the first reference is made
// and outlives the last call; everything else is safe from any thread.
class References : public PartOf<References> {
 public:
  References(const giop::ProtocolOptions& protocol, const ConnectionOptions& connections);
  ~References();

  const giop::ProtocolOptions& protocol;
  const ConnectionOptions& connections;
  ReferenceOptions options;
  Whereabouts here;
  std::shared_ptr<const cdr::CodeSetComponentInfo> code_sets;  // ours, published and negotiated with
  transport::TransportRegistry transports;
  // Each chooses from what the one before has left; whoever adds one begins a generation.
  static constexpr std::size_t most_controls = 8;
  GrowingList<const PolicyControl, most_controls> controls;
  OwnPlaces own_places;
  ServerRoutes server_routes;
  ConnectionIds connection_ids;  // equal for routes that may share a connection
  // What the ORB plugs in.
  cdr::Environment* environment = nullptr;
  ObjectOperations* operations = nullptr;
  LocalCalls* local_calls = nullptr;
  client::Client* client = nullptr;                          // by which calls go; nothing here looks inside
  std::function<CORBA::object_reference<CORBA::ORB>()> orb;  // for Object::_get_orb

  // A reference to an object of ours. `where`: null for what holds for the whole ORB. Allocates.
  std::shared_ptr<ObjectRef> make_reference(std::string type_id, ByteView object_key,
                                            const Publication* where = nullptr);
  // A reference to any object; null for nil. Allocates. A reference without a profile that we
  // understand is made all the same: it can be passed on, and calls on it throw.
  std::shared_ptr<ObjectRef> from_ior(cdr::Ior ior);

  // Changes whenever calls may have to go elsewhere, or otherwise: with each forward, and each change of the
  // ORB's policies. By it threads know that what they remember of references is out of date.
  std::uint32_t generation() const { return generation_.load(std::memory_order_acquire); }
  void begin_generation() { generation_.fetch_add(1, std::memory_order_release); }

  // The policies of all calls; null: none. Locks, briefly.
  std::shared_ptr<const Overrides> overrides() const;
  // Throws InvalidPolicies and NO_PERMISSION.
  void override_policies(const CORBA::PolicyList& policies, CORBA::SetOverrideType set_add);

  // The ORB has been shut down: no calls, and no further adapters.
  void shut_down() { down_.store(true, std::memory_order_relaxed); }
  bool down() const { return down_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> down_{false};
  std::atomic<std::uint32_t> generation_{0};
  mutable os::PriorityMutex mutex_;
  std::shared_ptr<const Overrides> overrides_;
};

}  // namespace takt::reference
