// The object adapter of an ORB whose calls are counted.
#pragma once

#include "adapter/counting/operation_counts.h"
#include "adapter/upcalls/object_adapter.h"
#include "base/step.h"

namespace takt::adapter {

// The probe of calls that are counted: notes the operation in the call.
struct Counting {
  void operator()(Step) const {}
};

// The same for calls whose steps are recorded, too.
struct CountingSteps : Counting {
  explicit CountingSteps(StepLog& steps) : log(steps) {}
  void operator()(Step step) const {
    if (step != Step::server_parse_key) log.begin(step);
  }
  StepLog& log;
};

// Takes the adapter's place; the adapter must outlive it. Counts upcalls, from the time when the adapter gets
// the request until its answer is encoded, and calls within the process.
class CountingDispatcher : public server::Dispatcher {
 public:
  explicit CountingDispatcher(ObjectAdapter& adapter) : adapter_(adapter) {}

  const OperationCounts& counts() const { return counts_; }

  void dispatch(server::ServerCall& call) noexcept override;
  void dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept override;
  reference::LocateAnswer locate(ByteView object_key) noexcept override {
    return adapter_.locate(object_key);
  }
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override;

 protected:
  ObjectAdapter& adapter() const { return adapter_; }
  // Counts a call that has been answered.
  void note(const server::ServerCall& call, std::uint64_t duration) noexcept {
    const auto key = reinterpret_cast<std::uintptr_t>(call.noted_operation());
    if (call.raised() || !counts_.count(key, duration)) [[unlikely]]
      add_rare(call, duration);
  }

 private:
  // For the first call of an operation, and for calls that raise exceptions or have no operation.
  [[gnu::noinline, gnu::cold]] void add_rare(const server::ServerCall& call, std::uint64_t duration) noexcept;
  OperationCount& count_of(std::uintptr_t key, std::string_view operation,
                           const ByteView& object_key) noexcept;

  ObjectAdapter& adapter_;
  OperationCounts counts_;
};

// The same if the steps of finding the servant are recorded, too.
class ProbedCountingDispatcher final : public CountingDispatcher {
 public:
  ProbedCountingDispatcher(ObjectAdapter& adapter, StepLog& log) : CountingDispatcher(adapter), log_(log) {}

  void dispatch(server::ServerCall& call) noexcept override;

 private:
  StepLog& log_;
};

}  // namespace takt::adapter
