// All adapters of one ORB: from an object key to an upcall.
#pragma once

#include <takt/base/bytes.h>

#include "adapter/resolver/request_resolver.h"
#include "connection/dispatcher.h"
#include "connection/probes/step.h"

namespace takt::adapter {

class ObjectAdapter final : public connection::Dispatcher {
 public:
  // `core` outlives the adapter.
  explicit ObjectAdapter(connection::OrbCore& core) : resolver(core) {}

  RequestResolver resolver;
  AdapterTree& tree() { return resolver.tree; }
  ObjectTable& table() { return resolver.tree.table; }

  void dispatch(connection::ServerCall& call) noexcept override;
  connection::LocateAnswer locate(ByteView object_key) noexcept override;
  connection::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                     const ByteView& object_key) override;

 private:
  friend class ProbedDispatcher;
  // Finds the object and runs the call, telling `probe` of each step.
  template <class Probe>
  void dispatch(connection::ServerCall& call, Probe probe) noexcept;
  // For adapters with policies for upcalls, and managers that hold requests. `object`: entered, and left
  // there.
  [[gnu::noinline]] void dispatch_by_policies(connection::ServerCall& call, ActiveObject& object);
  // For requests that have to wait, or whose object is not found by its key.
  void dispatch_to_destination(connection::ServerCall& call);
  using LocalAnswer = connection::LocalAnswer;
  [[gnu::noinline]] LocalAnswer call_local_by_policies(const OperationId& operation, void* arguments,
                                                       const ByteView& key);
  [[gnu::noinline]] LocalAnswer leave_and_call_local(const OperationId& operation, void* arguments,
                                                     const ByteView& key, ActiveObject& object);
  LocalAnswer call_destination_local(const OperationId& operation, void* arguments, const ByteView& key);
};

}  // namespace takt::adapter
