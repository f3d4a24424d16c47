// A reply body encoded by another server.
#pragma once

#include <cstddef>
#include <cstdint>

#include <takt/base/bytes.h>
#include <takt/cdr/byte_order.h>

namespace takt::giop {
class ServiceContexts;
enum class ReplyStatus : std::uint8_t;
}  // namespace takt::giop

namespace takt::reference {

// The body begins at CDR index `body_index` and has the given byte order.
struct EncodedAnswer {
  giop::ReplyStatus status{};
  cdr::ByteOrder order = cdr::native_order;
  ByteView body;
  std::size_t body_index = 0;
  const giop::ServiceContexts* contexts = nullptr;  // to forward with the body; may be null
};

}  // namespace takt::reference
