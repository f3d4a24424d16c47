#include "giop/compression/compressor.h"

#include <algorithm>
#include <cstring>

#include "giop/header/lite_format.h"

namespace takt::giop::compression {

namespace {

// A Request or Reply of GIOP 1.2, or one with a short head.
bool can_be_packed(const std::uint8_t* head) {
  const auto type = static_cast<MessageType>(head[7]);
  const bool known = head[0] == lite::mark || head[5] == 2;
  return known && (type == MessageType::request || type == MessageType::reply);
}

}  // namespace

void Compressor::agree(Wanted wanted) {
  wanted_ = wanted;
  method_ = wanted.expansion < min_expansion ? nullptr : methods_.find(wanted.method);
}

GatherBuffer& Compressor::pack(GatherBuffer& message) {
  if (!method_ || !can_be_packed(message.owned())) return message;
  const bool packed = message.size() > settings_.threshold_bytes && shrink(message);
  if (!packed && !announces_) return message;
  if (!packed) wrap(message);
  announces_ = false;
  finish_message(packed_);
  return packed_;
}

void Compressor::begin(const GatherBuffer& message, std::uint8_t method) {
  packed_.clear();
  pieces_.clear();
  message.gather(pieces_);
  const std::uint8_t head[] = {mark,
                               format_version,
                               method,
                               wanted_.method,
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
  begin(message, wanted_.method);
  const std::size_t room = whole - 1 - head_bytes;  // with more, nothing would be saved
  packed_.ensure(room);
  std::uint8_t* const at = packed_.cursor();
  const std::size_t deflated = method_->compress(pieces_, {at, room}, settings_.level);
  if (deflated == 0 || deflated > room) return false;
  // Pads with zeros: the peer limits the expansion ratio, because a shorter message might be a decompression
  // bomb.
  const std::size_t least = (whole + wanted_.expansion - 1) / wanted_.expansion;
  const std::size_t padded = std::max(deflated, least > head_bytes ? least - head_bytes : 0);
  if (padded > room) return false;
  std::memset(at + deflated, 0, padded - deflated);
  packed_.advance_to(at + padded);
  return true;
}

void Compressor::wrap(const GatherBuffer& message) {
  begin(message, as_it_is);
  for (const ByteView piece : pieces_) packed_.borrow(piece);
}

}  // namespace takt::giop::compression
