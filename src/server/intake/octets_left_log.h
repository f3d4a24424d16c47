// Logs requests with more octets than their operation's IDL has.
#pragma once

#include <atomic>

#include "server/pipeline/dispatcher.h"

namespace takt::server {

class Server;

// Stands before the first dispatcher of a server whose log takes these lines, so that other servers have no
// cost. Any thread.
class OctetsLeftLog final : public Dispatcher {
 public:
  // `server` must outlive it.
  explicit OctetsLeftLog(Server& server) : server_(server) {}

  // Makes requests pass this log before `first` if `watches`, else go to `first` at once.
  void stand_before(Dispatcher& first, bool watches);
  void watch(bool watches);

  void dispatch(ServerCall& call) noexcept override;
  void dispatch_early(ServerCall& call, EarlyReply& early) noexcept override;
  reference::LocateAnswer locate(ByteView object_key) noexcept override;
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override;

 private:
  void log(const ServerCall& call);

  Server& server_;
  std::atomic<Dispatcher*> first_{nullptr};
};

}  // namespace takt::server
