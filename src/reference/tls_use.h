// How references speak of TLS.
#pragma once

#include <cstdint>

#include "giop/references/secure_transport.h"

namespace takt::reference {

// How references speak of TLS, and what they are followed by. Where it is used at all, nothing falls back
// from it.
struct TlsUse {
  enum class When : std::uint8_t {
    required,  // by the server
    offered,
    always,  // instead of TCP; servers that do not offer it cannot be reached by TCP
  };
  When when = When::required;
  giop::association::Options supports = 0, requires_ = 0;  // what our servers say
  bool plain_too = false;                                  // on the same port
};

}  // namespace takt::reference
