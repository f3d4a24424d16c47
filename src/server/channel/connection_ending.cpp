#include "server/channel/connection_ending.h"

namespace takt::server {

using transport::IoStatus;

ConnectionEnding ConnectionEnding::of(const os::IoResult& result) {
  switch (result.status) {
    case IoStatus::end_of_stream:
      return {"the peer closed it"};
    case IoStatus::timed_out:
      return {"the peer was silent for longer than -ORBIdleTimeout, or -ORBMessageTimeout, allows"};
    default:
      return {"it failed", result.error};
  }
}

ConnectionEnding ConnectionEnding::of(const giop::Event& event) {
  switch (event.kind) {
    case giop::EventKind::close:
      return {"the peer closed it in good order"};
    case giop::EventKind::message_error:
      return {"the peer did not understand a message (MessageError)"};
    case giop::EventKind::protocol_error:
      return {event.reason};
    case giop::EventKind::locate_request:
    case giop::EventKind::refused_request:
      return {reply_not_sent};
    default:
      return {"the peer sent a message that only servers send"};
  }
}

}  // namespace takt::server
