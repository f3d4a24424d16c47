#include "concurrency/connections/refusals.h"

#include <takt/cdr/exception.h>

#include "os/error_text.h"
#include "server/server.h"

namespace takt::server {

void report_closing(const std::string& why, Server& server) {
  if (server.report)
    server.report(LogEvent::warning, "connections are closed as soon as they are accepted: " + why);
}

void report_no_thread(int error, Server& server) {
  report_closing("no thread can be started for them: " + std::string(os::error_text(error)), server);
}

void report_not_watched(Server& server) {
  report_closing("the process is out of watches (see fs.epoll.max_user_watches) or memory", server);
}

void report_not_accepted(transport::AcceptError error, Server& server) {
  if (!server.report) return;
  if (error == transport::AcceptError::exhausted)
    server.report(
        LogEvent::accept_failed,
        "connections cannot be accepted: the process is out of descriptors (see ulimit -n) or memory");
  if (error == transport::AcceptError::failed)
    server.report(LogEvent::accept_failed,
                  "an endpoint accepts no connections any more: the system, or a firewall, refuses accept()");
}

void throw_cannot_watch() {
  throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                            "an endpoint cannot be listened to: the process is out of watches or memory");
}

}  // namespace takt::server
