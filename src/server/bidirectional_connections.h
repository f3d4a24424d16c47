// Interface for making requests over connections that clients have opened (bidirectional GIOP).
#pragma once

#include <memory>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/transport/stream.h>

#include "giop/bidirectional.h"
#include "giop/connection.h"
#include "server/request/received_request.h"

namespace takt::server {

class QueuedChannel;

// Any thread.
class BidirectionalConnections {
 public:
  virtual ~BidirectionalConnections() = default;
  // Called when an adapter wants call-backs: from now on, accepts offers whose listen points have the peer's
  // own address.
  virtual void accept_from_same_address() = 0;
  // The acceptable listen points of an offer; empty if the offer is rejected. Allocates.
  virtual std::vector<giop::HostPort> accepted(ByteView context, const transport::Stream& stream) const = 0;
  // Allows our requests on the connection. From now on calls to `points` use it, instead of an earlier
  // connection that named them.
  virtual void use_for_callbacks(const std::shared_ptr<QueuedChannel>& connection,
                                 std::vector<giop::HostPort> points) = 0;
  // Takes over a connection from a strategy whose threads cannot read while they serve. Its last event is the
  // request that made the offer. Closes the connection if there is no room for it.
  virtual void hand_over(std::unique_ptr<transport::Stream> stream, giop::Connection&& protocol,
                         const RequestFormats& formats, std::vector<giop::HostPort> points) = 0;
};

// Our requests over one connection, as seen by the thread that reads it.
class OwnRequests {
 public:
  // How the connection ended, for requests without a reply: with CloseConnection or without.
  enum class Ending : bool { in_good_order, without_a_word };

  virtual ~OwnRequests() = default;
  // Delivers a reply, possibly a refused one. Called by the thread that reads.
  virtual void deliver(const giop::Event& reply) = 0;
  // Nothing more will arrive. Only the first call has an effect. Any thread.
  virtual void end(Ending how) = 0;
  virtual bool waits() const = 0;
};

}  // namespace takt::server
