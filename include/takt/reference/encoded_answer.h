// An answer that somebody else has encoded.
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

// An answer that another server has encoded: its body, which begins at that CDR index and is of that order.
struct EncodedAnswer {
  giop::ReplyStatus status{};
  cdr::ByteOrder order = cdr::native_order;
  ByteView body;
  std::size_t body_index = 0;
  const giop::ServiceContexts* contexts = nullptr;  // they go with it
};

}  // namespace takt::reference
