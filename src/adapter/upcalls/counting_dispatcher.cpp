#include "adapter/upcalls/counting_dispatcher.h"

#include <exception>
#include <string>

#include <takt/cdr/operation.h>

#include "adapter/resolver/known_servant.h"
#include "os/time/ticks.h"
#include "reference/built_in_calls.h"

namespace takt::adapter {

using reference::LocalAnswer;
using server::ServerCall;

void CountingDispatcher::dispatch(ServerCall& call) noexcept {
  const os::PassedTicks passed;
  adapter_.dispatch(call, Counting());
  note(call, passed.now());
}

void CountingDispatcher::dispatch_early(ServerCall& call, server::EarlyReply& early) noexcept {
  const os::PassedTicks passed;
  call.note_operation(nullptr);
  adapter_.dispatch_early(call, early);
  note(call, passed.now());
}

void ProbedCountingDispatcher::dispatch(ServerCall& call) noexcept {
  const os::PassedTicks passed;
  log_.begin(Step::server_parse_key, call.request_id(), call.operation());
  call.probe(log_);
  adapter().dispatch(call, CountingSteps(log_));
  note(call, passed.now());
}

void CountingDispatcher::add_rare(const ServerCall& call, std::uint64_t duration) noexcept {
  OperationCount& count =
      count_of(reinterpret_cast<std::uintptr_t>(call.noted_operation()), call.operation(), call.object_key());
  count.add(duration);
  if (call.raised()) count.add_exception(call.raised_system_exception());
}

OperationCount& CountingDispatcher::count_of(std::uintptr_t key, std::string_view operation,
                                             const ByteView& object_key) noexcept {
  if (OperationCount* const known = counts_.find(key)) return *known;
  if (key == 0) return counts_.unknown();
  try {
    return counts_.add(key, KnownServant(adapter_.resolver, object_key).repository_id(),
                       std::string(operation));
  } catch (...) {  // out of memory
    return counts_.unknown();
  }
}

LocalAnswer CountingDispatcher::call_local(const OperationId& operation, void* arguments,
                                           const ByteView& key) {
  const os::PassedTicks passed;
  const auto count = [&]() -> OperationCount& {
    return count_of(reference::built_in::has(operation) ? 0 : reinterpret_cast<std::uintptr_t>(&operation),
                    operation.name, key);
  };
  try {
    const LocalAnswer answer = adapter_.call_local(operation, arguments, key);
    if (answer == LocalAnswer::done) count().add(passed.now());
    return answer;
  } catch (const std::exception& raised) {
    OperationCount& failed = count();
    failed.add(passed.now());
    failed.add_exception(dynamic_cast<const CORBA::UserException*>(&raised) == nullptr);
    throw;
  }
}

}  // namespace takt::adapter
