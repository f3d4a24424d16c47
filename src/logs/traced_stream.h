// A stream that logs the messages that pass through it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <takt/base/bytes.h>
#include <takt/transport/stream.h>

#include "base/event_log.h"

namespace takt::logs {

// The beginning of a message.
struct MessageHead {
  static constexpr std::size_t bytes = 12;

  std::string text;            // for people: "Request of GIOP 1.2"
  std::string operation = {};  // may be empty
  std::size_t body_bytes = 0;  // octets after the first `bytes`
};
// Reads what begins with at least MessageHead::bytes octets, of a message that may be incomplete. An empty
// text: this is no message.
using ReadHead = MessageHead (*)(ByteView octets);

// Wraps another stream and keeps its contract, except that nothing is sent or read in place. While the log
// takes messages, it logs each with its first octets, as soon as its head has passed. Octets that belong to
// no message are logged as such, once for each read or write.
std::unique_ptr<transport::Stream> traced_stream(std::unique_ptr<transport::Stream> stream,
                                                 std::shared_ptr<EventLog> log, ReadHead read_head);

}  // namespace takt::logs
