// Graceful closing of connections when a server stops.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include <takt/transport/acceptor.h>
#include <takt/transport/stream.h>

#include "giop/header/version.h"
#include "server/output/write_buffer.h"

namespace takt::server {

// A connection that will serve no further request. Its stream and write buffer must outlive this object.
struct GracefulClose {
  transport::Stream* stream;
  WriteBuffer* out;
  giop::Version version;
  bool mid_message = false;  // the peer is still sending the rest of a message
};

// Sends each peer the rest of its replies, then CloseConnection, and ends the sending direction. Octets from
// peers are read and discarded, because closing a socket with unread octets resets the connection, and the
// reset may overtake these last messages. A peer with a request under way closes its end when it reads
// CloseConnection; this waits for it, for at most a second. It does not wait for other peers, unless their
// streams still hold unsent octets. No other thread may use the streams; close them next. Blocks until the
// deadline at most. Allocates.
void close_gracefully(std::span<const GracefulClose> peers, std::chrono::steady_clock::time_point deadline);

// Time for the system to complete connection attempts that had begun before the listener was closed: a round
// trip.
inline constexpr std::chrono::milliseconds handshake_time{20};

// Closes the listener, and gracefully closes connections that the system has made but that were not accepted.
// No client is connected and then ignored: each learns that its requests were not begun, so it may repeat
// them elsewhere. Call in the thread that accepts, or while no thread accepts. Blocks and allocates like
// close_gracefully().
void reject_waiting(transport::Acceptor& acceptor, std::chrono::steady_clock::time_point deadline);
void reject(const std::vector<std::unique_ptr<transport::Stream>>& streams,
            std::chrono::steady_clock::time_point deadline);

}  // namespace takt::server
