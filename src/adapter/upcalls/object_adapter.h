// The object adapter of an ORB: from an object key to an upcall.
#pragma once

#include <takt/base/bytes.h>

#include "adapter/resolver/request_resolver.h"
#include "server/pipeline/dispatcher.h"
#include "server/request/request_urgency.h"

namespace takt::adapter {

class ObjectAdapter final : public server::Dispatcher, public server::RequestUrgency {
 public:
  // Both must outlive the adapter.
  ObjectAdapter(reference::References& references, server::Server& server) : resolver(references, server) {}

  RequestResolver resolver;
  AdapterTree& tree() { return resolver.tree; }
  ObjectTable& table() { return resolver.tree.table; }

  void dispatch(server::ServerCall& call) noexcept override;
  // The same, for dispatchers in the adapter's place that record requests. Reports each step to `probe`, a
  // function of a Step. Defined for the probes of these dispatchers.
  template <class Probe>
  void dispatch(server::ServerCall& call, Probe probe) noexcept;
  // With a handle that holds, table accesses alone lead to the servant and the skeleton's operation.
  void dispatch_by_handle(server::ServerCall& call, giop::lite::OperationHandle& handle) noexcept override;
  void dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept override;
  reference::LocateAnswer locate(ByteView object_key) noexcept override;
  int urgency_of(ByteView object_key, std::int16_t asked) noexcept override;
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override;

 private:
  // For adapters with policies for upcalls, and holding managers. `object` is entered; the function leaves
  // it.
  [[gnu::noinline]] void dispatch_by_policies(server::ServerCall& call, ActiveObject& object);
  // For handles that are empty or do not hold: looks the request up, and remembers the result in the handle.
  // `stale`: the object to which the handle led; entered, and may be null.
  [[gnu::noinline]] void dispatch_and_remember(server::ServerCall& call, giop::lite::OperationHandle& handle,
                                               ActiveObject* stale) noexcept;
  void remember(server::ServerCall& call, giop::lite::OperationHandle& handle, ActiveObject& object);
  // For requests that have to wait, or whose object is not found by its key.
  void dispatch_to_destination(server::ServerCall& call);
  // The upcall runs if `may_begin`, which is called when the servant is known.
  template <class MayBegin>
  void dispatch_to_destination(server::ServerCall& call, MayBegin may_begin);
  using LocalAnswer = reference::LocalAnswer;
  [[gnu::noinline]] LocalAnswer call_local_by_policies(const OperationId& operation, void* arguments,
                                                       const ByteView& key);
  [[gnu::noinline]] LocalAnswer leave_and_call_local(const OperationId& operation, void* arguments,
                                                     const ByteView& key, ActiveObject& object);
  LocalAnswer call_destination_local(const OperationId& operation, void* arguments, const ByteView& key);
};

}  // namespace takt::adapter
