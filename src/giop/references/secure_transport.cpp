#include "giop/references/secure_transport.h"

#include <takt/cdr/encoder.h>

#include "giop/header/head_reader.h"

namespace takt::giop {

TaggedComponent make_secure_transport_component(const SecureTransport& transport) {
  return {ssl_component, cdr::encapsulate([&](cdr::Encoder& encoder) {
            encoder.put(transport.supports);
            encoder.put(transport.requires_);
            encoder.put(transport.port);
          })};
}

std::optional<SecureTransport> read_secure_transport(const TaggedComponent& component) {
  SecureTransport transport;
  if (component.tag != ssl_component || !open_encapsulation(component.data, [&](auto& in) {
        return in.u16(transport.supports) && in.u16(transport.requires_) && in.u16(transport.port);
      }))
    return std::nullopt;
  return transport;
}

}  // namespace takt::giop
