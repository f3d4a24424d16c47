#include "giop/compression/zlib_method.h"

#include <zlib.h>

namespace takt::giop::compression {

std::size_t ZlibMethod::compress(std::span<const ByteView> pieces, MutableBytes room,
                                 int level) const noexcept {
  z_stream stream{};
  if (deflateInit(&stream, level) != Z_OK) return 0;
  stream.next_out = room.data();
  stream.avail_out = static_cast<uInt>(room.size());
  int result = Z_OK;
  for (std::size_t i = 0; i < pieces.size() && result == Z_OK && stream.avail_in == 0; ++i) {
    stream.next_in = const_cast<Bytef*>(pieces[i].data());  // zlib does not change the octets
    stream.avail_in = static_cast<uInt>(pieces[i].size());
    result = deflate(&stream, i + 1 == pieces.size() ? Z_FINISH : Z_NO_FLUSH);
  }
  deflateEnd(&stream);
  return result == Z_STREAM_END ? room.size() - stream.avail_out : 0;
}

bool ZlibMethod::expand(ByteView compressed, MutableBytes whole) const noexcept {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return false;
  stream.next_in = const_cast<Bytef*>(compressed.data());  // zlib does not change the octets
  stream.avail_in = static_cast<uInt>(compressed.size());
  stream.next_out = whole.data();
  stream.avail_out = static_cast<uInt>(whole.size());
  const int result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return result == Z_STREAM_END && stream.avail_out == 0;
}

}  // namespace takt::giop::compression
