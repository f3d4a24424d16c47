#include "giop/compression/compressor.h"

#include <algorithm>
#include <cstring>

#include <zlib.h>

#include "giop/lite/format.h"

namespace takt::giop::compression {

namespace {

// A Request or Reply of GIOP 1.2, or with a short head.
bool can_be_inside(const std::uint8_t* head) {
  const auto type = static_cast<MessageType>(head[7]);
  const bool known = head[0] == lite::mark || head[5] == 2;
  return known && (type == MessageType::request || type == MessageType::reply);
}

// Of the pieces, into all of the space. Nothing: it does not suffice, or there is no memory.
std::size_t deflate_all(const std::vector<ByteView>& pieces, MutableBytes space, int level) {
  z_stream stream{};
  if (deflateInit(&stream, level) != Z_OK) return 0;
  stream.next_out = space.data();
  stream.avail_out = static_cast<uInt>(space.size());
  int result = Z_OK;
  for (std::size_t i = 0; i < pieces.size() && result == Z_OK && stream.avail_in == 0; ++i) {
    stream.next_in = const_cast<Bytef*>(pieces[i].data());  // which zlib does not change
    stream.avail_in = static_cast<uInt>(pieces[i].size());
    result = deflate(&stream, i + 1 == pieces.size() ? Z_FINISH : Z_NO_FLUSH);
  }
  deflateEnd(&stream);
  return result == Z_STREAM_END ? space.size() - stream.avail_out : 0;
}

}  // namespace

GatherBuffer& Compressor::pack(GatherBuffer& message) {
  if (peer_expansion_ < min_expansion || !can_be_inside(message.owned())) return message;
  const bool packed = message.size() > settings_.threshold_bytes && shrink(message);
  if (!packed && !announces_) return message;
  if (!packed) wrap(message);
  announces_ = false;
  finish_message(packed_);
  return packed_;
}

void Compressor::begin(const GatherBuffer& message, Method method) {
  packed_.clear();
  pieces_.clear();
  message.gather(pieces_);
  const std::uint8_t head[] = {mark,
                               format_version,
                               static_cast<std::uint8_t>(method),
                               0,
                               0,
                               0,
                               static_cast<std::uint8_t>(cdr::native_order),
                               message.owned()[7]};
  const std::uint32_t sizes[] = {0, static_cast<std::uint32_t>(message.size())};
  packed_.append(head, sizeof head);
  packed_.append(sizes, sizeof sizes);
  std::memcpy(packed_.owned() + expansion_index, &own_expansion_, sizeof own_expansion_);
}

bool Compressor::shrink(const GatherBuffer& message) {
  const std::size_t whole = message.size();
  if (whole <= head_bytes + 1) return false;
  begin(message, Method::zlib);
  const std::size_t room = whole - 1 - head_bytes;  // else nothing would be saved
  packed_.ensure(room);
  std::uint8_t* const at = packed_.cursor();
  const std::size_t deflated = deflate_all(pieces_, {at, room}, settings_.level);
  if (deflated == 0) return false;
  // The peer inflates no more than that; of what is shorter still, it is not known that it is no bomb.
  const std::size_t least = (whole + peer_expansion_ - 1) / peer_expansion_;
  const std::size_t padded = std::max(deflated, least > head_bytes ? least - head_bytes : 0);
  if (padded > room) return false;
  std::memset(at + deflated, 0, padded - deflated);
  packed_.advance_to(at + padded);
  return true;
}

void Compressor::wrap(const GatherBuffer& message) {
  begin(message, Method::as_it_is);
  for (const ByteView piece : pieces_) packed_.borrow(piece);
}

}  // namespace takt::giop::compression
