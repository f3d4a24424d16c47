// Sends recorded calls to an object, and reads the replies.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <takt/transport/stream.h>
#include <takt/transport/transport.h>

#include "record/recorded_calls.h"
#include "reference/references.h"

namespace takt::command {

// Each recorded connection gets one of its own, since what is negotiated belongs to a connection. One thread.
class CallSender {
 public:
  // `references`: of an ORB with the transports to use. `contexts`: those that are sent.
  CallSender(std::shared_ptr<reference::References> references, transport::Endpoint to,
             std::chrono::nanoseconds timeout, SentContexts contexts)
      : references_(std::move(references)),
        to_(std::move(to)),
        timeout_(timeout),
        contexts_(std::move(contexts)) {}

  // The reply; none if the call expects none. The error is for people, and ends the connection. If the server
  // has closed the connection in order, as it does when that was idle, sends the call once more by a new one.
  // Blocks for the timeout at most for each of connecting, writing and reading. Takes replies of up to 1 GiB,
  // fragments and their headers included.
  std::expected<std::optional<RecordedReply>, std::string> send(const RecordedCall& call, ByteView key);

 private:
  struct Connection {
    std::unique_ptr<transport::Stream> stream;
    std::uint32_t last_id = 0;
  };
  struct Failure {
    std::string why;
    bool was_closed = false;  // by a CloseConnection, so the server has not begun the call
  };
  std::expected<std::optional<RecordedReply>, Failure> send_once(const RecordedCall& call, ByteView key);
  std::expected<std::optional<RecordedReply>, Failure> receive(transport::Stream& stream, std::uint32_t id);
  std::expected<Connection*, std::string> connection(std::uint32_t number);
  std::string write(transport::Stream& stream, ByteView octets) const;
  // A message of at most that many octets.
  std::expected<Octets, std::string> read_message(transport::Stream& stream, os::TimePoint until,
                                                  std::size_t most_bytes) const;
  std::string read(transport::Stream& stream, MutableBytes into, os::TimePoint until) const;

  const std::shared_ptr<reference::References> references_;
  const transport::Endpoint to_;
  const std::chrono::nanoseconds timeout_;
  const SentContexts contexts_;
  std::map<std::uint32_t, Connection> connections_;
};

}  // namespace takt::command
