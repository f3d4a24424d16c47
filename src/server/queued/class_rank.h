// Which requests of several communication classes give way where not all can be kept.
#pragma once

#include <takt/reference/quality.h>

namespace takt::server {

// The lower gives way: bulk data first, which can come later, then messages, streams of messages, and media
// last.
constexpr int class_rank(CommunicationClass communication) noexcept {
  switch (communication) {
    case CommunicationClass::burst:
      return 0;
    case CommunicationClass::message:
      return 1;
    case CommunicationClass::message_stream:
      return 2;
    case CommunicationClass::isochronous:
      break;
  }
  return 3;
}

}  // namespace takt::server
