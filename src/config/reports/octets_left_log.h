// Logs requests with more octets than their operation's IDL has.
#pragma once

#include <atomic>

#include "server/pipeline/dispatcher.h"
#include "server/server.h"

namespace takt::orb {

// Stands before the first dispatcher of a server whose log takes these lines, so that other servers have no
// cost. Any thread.
class OctetsLeftLog final : public server::Dispatcher {
 public:
  // `server` must outlive it.
  explicit OctetsLeftLog(server::Server& server) : server_(server) {}

  // Makes requests pass this log before `first` if `watches`, else go to `first` at once.
  void stand_before(server::Dispatcher& first, bool watches);
  void watch(bool watches);

  void dispatch(server::ServerCall& call) noexcept override;
  void dispatch_early(server::ServerCall& call, server::EarlyReply& early) noexcept override;
  reference::LocateAnswer locate(ByteView object_key) noexcept override;
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override;

 private:
  void log(const server::ServerCall& call);

  server::Server& server_;
  std::atomic<server::Dispatcher*> first_{nullptr};
};

}  // namespace takt::orb
