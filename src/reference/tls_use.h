// The use of TLS by references.
#pragma once

#include <cstdint>

#include "giop/references/secure_transport.h"

namespace takt::reference {

// How references advertise and follow TLS. If it is used, there is no fallback to plain TCP.
struct TlsUse {
  enum class When : std::uint8_t {
    required,  // only if the server requires it
    offered,
    always,  // instead of TCP; servers that do not offer it are not reached by TCP
  };
  When when = When::required;
  giop::association::Options supports = 0, requires_ = 0;  // advertised for our servers
  bool plain_too = false;                                  // the TLS port accepts plain connections too
};

}  // namespace takt::reference
