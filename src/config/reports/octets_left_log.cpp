#include "config/reports/octets_left_log.h"

#include <takt/server/server_call.h>

#include "base/event_log.h"

namespace takt::orb {

[[gnu::cold]] void OctetsLeftLog::stand_before(server::Dispatcher& first, bool watches) {
  first_ = &first;
  watch(watches);
}

[[gnu::cold]] void OctetsLeftLog::watch(bool watches) { server_.dispatcher = watches ? this : first_.load(); }

[[gnu::cold]] void OctetsLeftLog::dispatch(server::ServerCall& call) noexcept {
  call.watch_octets_left();
  first_.load()->dispatch(call);
  log(call);
}

[[gnu::cold]] void OctetsLeftLog::dispatch_early(server::ServerCall& call,
                                                 server::EarlyReply& early) noexcept {
  call.watch_octets_left();
  first_.load()->dispatch_early(call, early);
  log(call);
}

[[gnu::cold]] void OctetsLeftLog::log(const server::ServerCall& call) {
  if (const std::size_t left = call.octets_left(); left != 0)
    log_octets_left(server_.log.get(), "request", left, call.operation());
}

[[gnu::cold]] reference::LocateAnswer OctetsLeftLog::locate(ByteView object_key) noexcept {
  return first_.load()->locate(object_key);
}

[[gnu::cold]] reference::LocalAnswer OctetsLeftLog::call_local(const OperationId& operation, void* arguments,
                                                               const ByteView& object_key) {
  return first_.load()->call_local(operation, arguments, object_key);
}

}  // namespace takt::orb
