// GIOP options of an ORB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "giop/compression/compressor.h"
#include "giop/compression/methods.h"
#include "giop/connection.h"
#include "giop/dialect.h"

namespace takt::giop {

// Shared by the references, the client and the server of one ORB. Limits and compression settings may change
// at run time; everything else is set before the first reference is made.
struct ProtocolOptions {
  std::uint8_t minor = 2;          // the highest GIOP minor version to use
  std::size_t fragment_bytes = 0;  // longer requests and replies are fragmented; 0: never
  Dialect dialect;
  // For connections that are opened or accepted, unless policies override it.
  Messaging messaging = Messaging::giop;
  compression::CompressionSettings compression;  // used if the messaging has compression
  // Compression methods, unless the messaging names some of all_methods.
  compression::MethodList methods = compression::default_methods();
  std::shared_ptr<compression::Methods> all_methods = std::make_shared<compression::Methods>();
  // Shared with the threads of connections, which may end after the ORB.
  std::shared_ptr<Limits> limits = std::make_shared<Limits>();

  bool can_speak(const Messaging& wanted) const {
    return wanted == Messaging::giop || (minor >= 2 && fragment_bytes == 0);
  }
  // Empty without compression. Throws INV_POLICY for an unknown name.
  compression::MethodList methods_of(const Messaging& wanted) const;
  // Null or empty without compression. `own_expansion`: of the connection.
  std::unique_ptr<compression::Compressor> compressor_for(const Messaging& wanted,
                                                          std::uint16_t own_expansion) const;
  compression::OfferData offer_for(const Messaging& wanted, std::uint16_t own_expansion) const;
};

}  // namespace takt::giop
