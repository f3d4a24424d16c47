// Messaging::PolicyValueSeq: policies on the wire, in references and requests.
#pragma once

#include <cstdint>

#include <takt/base/bytes.h>
#include <takt/cdr/decoder.h>

namespace takt::giop {

// Calls visit(type, octets of the value) for each policy of the encapsulated sequence, in order. Returns
// false if the sequence is malformed; the policies before the error have been visited.
template <class Visit>
bool for_each_policy(ByteView data, Visit visit) {
  return cdr::decapsulate(data, [&](cdr::Decoder& decoder) {
    std::uint32_t count = 0;
    decoder.get_count(count, 8);
    for (std::uint32_t i = 0; i < count && decoder.ok(); ++i) {
      const std::uint32_t type = decoder.get_u32();
      std::uint32_t size = 0;
      if (!decoder.get_count(size, 1)) return;
      visit(type, decoder.get_octets_view(size));
    }
  });
}

}  // namespace takt::giop
