#include "concurrency/connections/connection_log.h"

#include <exception>
#include <string>

#include "os/error_text.h"

namespace takt::server {

void log_accepted(const transport::Stream& stream, Server& server) noexcept {
  server.connections_accepted.fetch_add(1, std::memory_order_relaxed);
  if (!takes(server.log.get(), LogEvent::connection_accepted)) return;
  try {
    server.log->write({.event = LogEvent::connection_accepted, .peer = stream.describe()});
  } catch (const std::exception&) {
  }
}

void log_closed(ServedConnection& connection, const Server& server, bool stops) noexcept {
  if (!takes(server.log.get(), LogEvent::connection_closed)) return;
  try {
    ConnectionEnding ending = connection.ending();
    if (ending.is_moved) return;
    if (const char* const noted = connection.noted_ending())
      ending = {noted};
    else if (stops)
      ending = {"the server stops"};
    std::string reason = ending.why ? ending.why : "it could not be served";
    if (ending.error != 0) reason += ": " + os::error_text(ending.error);
    server.log->write(
        {.event = LogEvent::connection_closed, .peer = connection.stream().describe(), .reason = reason});
  } catch (const std::exception&) {
  }
}

}  // namespace takt::server
