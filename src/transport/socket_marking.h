// Marking of a connected socket.
#pragma once

#include <algorithm>

#include <takt/transport/marking.h>
#include <takt/transport/stream_options.h>

#include "os/net/socket.h"

namespace takt::transport {

// One thread at a time. A socket without packets, such as a UNIX-domain socket, is never marked: begin() is
// not called.
class SocketMarking {
 public:
  // Call once, with the options applied to the socket.
  void begin(const StreamOptions& options) {
    has_packets_ = true;
    first_ = present_ = {options.dscp, options.priority};
    first_by_ = options.marked_by;
  }
  // Like Stream::mark(). A value that the system refuses stays unchanged.
  void mark(os::Socket& socket, const Marking& marking, MarkedBy by) {
    const Marking& now = marking.any() && by >= first_by_ ? marking : first_;
    if (!has_packets_ || now == present_) return;
    present_ = now;
    socket.set_traffic_class(std::max(now.dscp, 0));
    if (now.priority >= 0) socket.set_priority(now.priority);
  }

 private:
  Marking first_, present_;
  MarkedBy first_by_ = MarkedBy::orb;
  bool has_packets_ = false;
};

}  // namespace takt::transport
