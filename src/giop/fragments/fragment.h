// Cutting a long message into fragments (CORBA 3.0.3, 15.4.9).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/gather_buffer.h>

#include "giop/header/message_header.h"

namespace takt::giop {

// The headers of one message's fragments; kept as long as the pieces are. Used again for messages of about
// the same length, it does not allocate.
class FragmentHeaders {
 public:
  using Header = std::array<std::uint8_t, header_size + 4>;
  void clear() { used_ = 0; }
  Header& add();

 private:
  friend void fragment(const GatherBuffer&, std::size_t, std::vector<ByteView>&, FragmentHeaders&);

  std::vector<ByteView> whole_;
  std::deque<Header> headers_;  // whose elements stay where they are
  std::size_t used_ = 0;
};

// Appends the finished message to `pieces`, as it is or, where it is longer than `max_bytes` (0: unbounded)
// and its version lets fragments interleave (1.2), in parts of at most that many octets, each a multiple of
// 8. The first part's header is stored in `headers` too, so that `message` does not change. At least
// min_fragment_bytes are put in a part, whatever `max_bytes`.
void fragment(const GatherBuffer& message, std::size_t max_bytes, std::vector<ByteView>& pieces,
              FragmentHeaders& headers);

inline constexpr std::size_t min_fragment_bytes = 32;

}  // namespace takt::giop
