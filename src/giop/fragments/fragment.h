// Splits a long message into fragments (CORBA 3.0.3, 15.4.9).
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

// The headers of one message's fragments, which must live as long as the pieces. Reused for messages of
// similar length, it does not allocate.
class FragmentHeaders {
 public:
  using Header = std::array<std::uint8_t, header_size + 4>;
  void clear() { used_ = 0; }
  Header& add();

 private:
  friend void fragment(const GatherBuffer&, std::size_t, std::vector<ByteView>&, FragmentHeaders&);

  std::vector<ByteView> whole_;
  std::deque<Header> headers_;  // a deque, because its elements do not move
  std::size_t used_ = 0;
};

// Appends the finished message to `pieces`. Splits it if it is longer than `max_bytes` (0: unlimited) and its
// version allows interleaved fragments (1.2). Each part has at most max_bytes octets, a multiple of 8, but at
// least min_fragment_bytes. The first part's header is stored in `headers` as well, so `message` does not
// change.
void fragment(const GatherBuffer& message, std::size_t max_bytes, std::vector<ByteView>& pieces,
              FragmentHeaders& headers);

inline constexpr std::size_t min_fragment_bytes = 32;

}  // namespace takt::giop
