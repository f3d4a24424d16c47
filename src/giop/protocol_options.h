// How an ORB speaks GIOP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "giop/compression/compressor.h"
#include "giop/compression/methods.h"
#include "giop/connection.h"

namespace takt::giop {

// The same for the references, the client and the server of one ORB. Limits and compression settings may
// change while it runs; all else is set before the first reference is made.
struct ProtocolOptions {
  std::uint8_t minor = 2;          // the highest that we speak
  std::size_t fragment_bytes = 0;  // requests and replies longer than this go in fragments; 0: never
  // Of connections that we open or accept, unless policies say otherwise.
  Messaging messaging = Messaging::giop;
  compression::Settings compression;  // where the messaging has it
  // By which methods, unless the messaging names some of those that there are.
  compression::MethodList methods = compression::usual_methods();
  std::shared_ptr<compression::Methods> all_methods = std::make_shared<compression::Methods>();
  // Shared with the threads of connections, which may still end when the ORB is gone.
  std::shared_ptr<Limits> limits = std::make_shared<Limits>();

  bool can_speak(const Messaging& wanted) const {
    return wanted == Messaging::giop || (minor >= 2 && fragment_bytes == 0);
  }
  // None: it has no compression. INV_POLICY: there is none of a name.
  compression::MethodList methods_of(const Messaging& wanted) const;
  // Null and empty: likewise. `own_expansion`: of the connection.
  std::unique_ptr<compression::Compressor> compressor_for(const Messaging& wanted,
                                                          std::uint16_t own_expansion) const;
  compression::OfferData offer_for(const Messaging& wanted, std::uint16_t own_expansion) const;
};

}  // namespace takt::giop
