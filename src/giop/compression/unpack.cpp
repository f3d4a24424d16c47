#include "giop/compression/unpack.h"

#include <cstring>

#include <zlib.h>

#include "giop/compression/format.h"

namespace takt::giop::compression {

namespace {

// False: it is not what fills `all` to its last octet.
bool inflate_all(ByteView deflated, MutableBytes all) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return false;
  stream.next_in = const_cast<Bytef*>(deflated.data());  // which zlib does not change
  stream.avail_in = static_cast<uInt>(deflated.size());
  stream.next_out = all.data();
  stream.avail_out = static_cast<uInt>(all.size());
  const int result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return result == Z_STREAM_END && stream.avail_out == 0;
}

}  // namespace

std::expected<ByteView, const char*> unpack(const MessageHeader& header, ByteView message,
                                            const Bounds& bounds, std::vector<std::uint8_t>& inflated) {
  if (message.size() < head_bytes) return std::unexpected("a compressed message shorter than its own head");
  const std::size_t claimed = load_u32(message.data() + header_size, header.order != cdr::native_order);
  if (claimed < header_size) return std::unexpected("a compressed message with less than a header inside");
  if (claimed > bounds.message_bytes)
    return std::unexpected("a compressed message longer inside than the limit");
  const ByteView inside = message.subspan(head_bytes);
  if (message[method_index] == static_cast<std::uint8_t>(Method::as_it_is)) {
    if (inside.size() != claimed) return std::unexpected("a packed message of another length than it says");
    return inside;
  }
  if (claimed > bounds.expansion * message.size())
    return std::unexpected("a compressed message that expands more than the limit");
  inflated.resize(claimed);
  if (!inflate_all(inside, inflated)) return std::unexpected("a compressed message that is not what it says");
  return inflated;
}

std::uint16_t expansion_of(const MessageHeader& header, ByteView message) {
  std::uint16_t expansion;
  std::memcpy(&expansion, message.data() + expansion_index, sizeof expansion);
  return header.order == cdr::native_order ? expansion : __builtin_bswap16(expansion);
}

}  // namespace takt::giop::compression
