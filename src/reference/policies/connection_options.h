// How connections are opened and marked.
#pragma once

#include <takt/transport/marking.h>
#include <takt/transport/stream_options.h>

namespace takt::reference {

// The same for the references, the client and the server of one ORB; set before the first reference is made.
struct ConnectionOptions {
  transport::StreamOptions streams;  // of connections that we open, unless policies say otherwise
  // How connections for requests of a priority are marked, beside that.
  transport::MarkingByPriority marking;
  // Connections are marked by the class and importance of their calls, too.
  bool marks_quality = false;
  bool marks_calls() const { return marks_quality || !marking.empty(); }
};

}  // namespace takt::reference
