// How a server closes connections in good order when it stops.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include <takt/transport/acceptor.h>
#include <takt/transport/stream.h>

#include "giop/header/version.h"
#include "server/write_buffer.h"

namespace takt::server {

// A connection that serves no further request. Its stream and write buffer outlive this.
struct GracefulClose {
  transport::Stream* stream;
  WriteBuffer* out;
  giop::Version version;
  bool mid_message = false;  // of which the peer sends the rest
};

// Sends each peer what is left of its replies, then CloseConnection, and ends the sending direction. What a
// peer has sent meanwhile is read and thrown away, since a socket closed over unread octets is reset, and a
// reset may overtake those last words: a peer that has a request under way closes when it reads them, and is
// waited for, a second at most; others are not, unless their streams hold what has not left yet. Nobody else
// uses the streams, which are closed next. Blocks until the deadline at most; allocates.
void close_gracefully(std::span<const GracefulClose> peers, std::chrono::steady_clock::time_point deadline);

// How long the system may take to connect those who have begun when nobody may any more: a round trip.
inline constexpr std::chrono::milliseconds handshake_time{20};

// Closes the listener. Clients that the system had connected to it already learn that they will not be
// served, and none gets connected unseen: their requests were not begun, so they may make them elsewhere. In
// the thread that accepts, or while none does. As close_gracefully() for the rest.
void reject_waiting(transport::Acceptor& acceptor, std::chrono::steady_clock::time_point deadline);
void reject(const std::vector<std::unique_ptr<transport::Stream>>& streams,
            std::chrono::steady_clock::time_point deadline);

}  // namespace takt::server
