// Order in which requests of different communication classes are given up when not all can be kept.
#pragma once

#include <takt/reference/quality.h>

namespace takt::server {

// The lowest rank is given up first: bulk data, which can be sent again later, then messages, message
// streams, and media last.
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
