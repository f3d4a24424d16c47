#include "giop/compression/unpack.h"

#include <cstring>

#include "giop/compression/zlib_method.h"

namespace takt::giop::compression {

std::expected<ByteView, const char*> unpack(const MessageHeader& header, ByteView message,
                                            const Bounds& bounds, const MethodList& methods,
                                            std::vector<std::uint8_t>& inflated) {
  if (message.size() < head_bytes) return std::unexpected("a compressed message shorter than its own head");
  const std::size_t claimed = load_u32(message.data() + header_size, header.order != cdr::native_order);
  if (claimed < header_size) return std::unexpected("a compressed message with less than a header inside");
  if (claimed > bounds.message_bytes)
    return std::unexpected("a compressed message longer inside than the limit");
  const ByteView inside = message.subspan(head_bytes);
  if (message[method_index] == as_it_is) {
    if (inside.size() != claimed) return std::unexpected("a packed message of another length than it says");
    return inside;
  }
  if (claimed > bounds.expansion * message.size())
    return std::unexpected("a compressed message that expands more than the limit");
  const CompressionMethod* const method = methods.find(message[method_index]);
  if (!method) return std::unexpected("a message compressed by a method that was not agreed on");
  if (bounds.memory && !bounds.memory->resize(claimed))
    return std::unexpected("there is no memory for the content of a compressed message");
  inflated.resize(claimed);
  if (!method->expand(inside, inflated))
    return std::unexpected("a compressed message that is not what it says");
  return inflated;
}

Wanted wanted_by_sender(const MessageHeader& header, ByteView message) {
  std::uint16_t expansion;
  std::memcpy(&expansion, message.data() + expansion_index, sizeof expansion);
  const std::uint8_t method = message[wanted_method_index];
  return {.expansion = header.order == cdr::native_order ? expansion : __builtin_bswap16(expansion),
          .method = method == 0 ? zlib_number : method};
}

}  // namespace takt::giop::compression
