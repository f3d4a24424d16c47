#include "server/reports.h"

#include <string>

#include "server/server.h"

namespace takt::server {

void report_version_refused(const giop::Event& error, Server& server) {
  const unsigned least = server.protocol.limits->least_giop_minor;
  if (!server.report || error.version.minor >= least) return;
  server.report(LogEvent::warning, "messages of GIOP 1." + std::to_string(error.version.minor) +
                                       " are refused: -ORBMinGIOPVersion allows none below 1." +
                                       std::to_string(least));
}

void report_lost(const std::exception& why, Server& server) noexcept {
  try {
    if (server.report)
      server.report(LogEvent::connection_lost,
                    std::string("a connection, or a request to a group, is given up: ") + why.what());
  } catch (const std::exception&) {  // there is no memory to say so
  }
}

void report_not_taken(Server& server) noexcept {
  try {
    if (server.report)
      server.report(
          LogEvent::warning,
          "connections are closed whose clients do not read their replies: -ORBConnectionMemory, or "
          "-ORBServerMemory, allows no more to be kept");
  } catch (const std::exception&) {  // there is no memory to say so
  }
}

}  // namespace takt::server
