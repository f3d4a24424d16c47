// The object adapter of an ORB whose calls are counted.
#pragma once

#include "adapter/counting/operation_counts.h"
#include "adapter/upcalls/object_adapter.h"

namespace takt::adapter {

// Takes the adapter's place; the adapter must outlive it. Counts upcalls, from the time when the adapter gets
// the request until its answer is encoded, and calls within the process.
class CountingDispatcher final : public server::Dispatcher {
 public:
  explicit CountingDispatcher(ObjectAdapter& adapter) : adapter_(adapter) {}

  const OperationCounts& counts() const { return counts_; }

  void dispatch(server::ServerCall& call) noexcept override;
  reference::LocateAnswer locate(ByteView object_key) noexcept override {
    return adapter_.locate(object_key);
  }
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override;

 private:
  // For the first call of an operation, and for calls that raise exceptions or have no operation.
  [[gnu::noinline, gnu::cold]] void add_rare(const server::ServerCall& call, std::uint64_t duration) noexcept;
  OperationCount& count_of(std::uintptr_t key, std::string_view operation,
                           const ByteView& object_key) noexcept;

  ObjectAdapter& adapter_;
  OperationCounts counts_;
};

}  // namespace takt::adapter
