// Options for opening and marking connections.
#pragma once

#include <takt/transport/marking.h>
#include <takt/transport/stream_options.h>

namespace takt::reference {

// Shared by references, client and server of one ORB; set before the first reference is made.
struct ConnectionOptions {
  transport::StreamOptions streams;  // for outgoing connections, unless policies override them
  // Marking of connections by the priority of their requests, in addition to `streams`.
  transport::MarkingByPriority marking;
  // Whether connections are also marked by the class and importance of their calls.
  bool marks_quality = false;
  bool marks_calls() const { return marks_quality || !marking.empty(); }
};

}  // namespace takt::reference
