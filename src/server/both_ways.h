// What the server room asks of whoever makes requests over connections that clients have opened.
#pragma once

#include <memory>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/transport/stream.h>

#include "giop/bidirectional.h"
#include "giop/connection.h"
#include "server/request_formats.h"

namespace takt::server {

class QueuedChannel;

// Any thread.
class BidirectionalConnections {
 public:
  virtual ~BidirectionalConnections() = default;
  // An adapter asks for call-backs: offers of those who are at the address that they name count from now on.
  virtual void accept_from_same_address() = 0;
  // The listen points of an offer that count; none: it is not accepted. Allocates.
  virtual std::vector<giop::Address> accepted(ByteView context, const transport::Stream& stream) const = 0;
  // Opens the connection for requests of ours; calls to these places go over it from now on, in place of one
  // that named them before.
  virtual void use_for_callbacks(const std::shared_ptr<QueuedChannel>& connection,
                                 std::vector<giop::Address> points) = 0;
  // Takes over a connection from a strategy whose threads cannot read while they serve, with the request that
  // made the offer; or closes it, where there is no room.
  virtual void hand_over(std::unique_ptr<transport::Stream> stream, giop::Connection&& protocol,
                         const RequestFormats& formats, std::vector<giop::Address> points) = 0;
};

// The requests that we make over one connection, as its reader sees them.
class OwnRequests {
 public:
  // How the connection ended, for those without a reply.
  enum class Ending : bool { in_good_order, without_a_word };

  virtual ~OwnRequests() = default;
  // A reply, or a refused one. The reader's.
  virtual void deliver(const giop::Event& reply) = 0;
  // Nothing more will come; the first ending counts. Any thread.
  virtual void end(Ending how) = 0;
  virtual bool waits() const = 0;
};

}  // namespace takt::server
