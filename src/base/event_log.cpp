#include "base/event_log.h"

#include <cstdio>

namespace takt {

[[gnu::cold]] void log_octets_left(EventLog* log, const char* message, std::size_t octets,
                                   std::string_view operation, std::string_view peer) noexcept {
  if (!takes(log, LogEvent::octets_left)) return;
  char reason[128];
  const int size =
      std::snprintf(reason, sizeof reason,
                    "the %s has %zu octets more than the IDL of this side says: are both sides made from the "
                    "same IDL?",
                    message, octets);
  log->write({.event = LogEvent::octets_left,
              .peer = peer,
              .operation = operation,
              .reason = {reason, static_cast<std::size_t>(size)}});
}

}  // namespace takt
