// Why a server's connections end, for the log.
#pragma once

#include <takt/os/io_result.h>

#include "giop/message/event.h"

namespace takt::server {

// A value. `why`: static text, or null if the connection does not know; `error`: errno or 0.
struct ConnectionEnding {
  const char* why = nullptr;
  int error = 0;
  bool is_moved = false;  // the connection goes on in other hands

  // A read that did not succeed.
  static ConnectionEnding of(const os::IoResult& result);
  // The peer's last message.
  static ConnectionEnding of(const giop::Event& event);
};

inline constexpr const char* not_read_in_time = "the peer does not read its replies (-ORBSendTimeout)";
inline constexpr const char* message_not_complete =
    "the rest of a message did not come in time (-ORBMessageTimeout)";
inline constexpr const char* reply_not_sent = "a reply could not be sent";

}  // namespace takt::server
