#include "giop/header/message_header.h"

namespace takt::giop {

const char* to_text(HeaderError error) {
  switch (error) {
    case HeaderError::none:
      return "";
    case HeaderError::not_giop:
      return "octets that are not the beginning of a GIOP message";
    case HeaderError::version:
      return "a version of GIOP above 1.2";
    case HeaderError::flags:
      return "a byte order that is not valid, or unknown flags";
    case HeaderError::type:
      return "a message of unknown type";
  }
  return "";
}

}  // namespace takt::giop
