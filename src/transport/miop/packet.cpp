#include "transport/miop/packet.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace takt::transport::miop {
namespace {

constexpr std::uint8_t magic[] = {'M', 'I', 'O', 'P'};
constexpr std::uint8_t version_1_0 = 0x10;
enum Flag : std::uint8_t { little_endian = 1, last_packet = 2 };
constexpr std::size_t fixed_bytes = 20;  // up to the octets of the id
constexpr std::size_t most_id_bytes = 252;

constexpr bool native_is_little = std::endian::native == std::endian::little;

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

template <class Number>
Number get(const std::uint8_t* at, bool little) {
  Number number;
  std::memcpy(&number, at, sizeof number);
  return little == native_is_little ? number : std::byteswap(number);
}

template <class Number>
void put(std::uint8_t* at, Number number) {
  std::memcpy(at, &number, sizeof number);
}

}  // namespace

std::optional<MiopPacket> MiopPacket::decode(ByteView datagram) {
  if (datagram.size() < fixed_bytes || !std::equal(std::begin(magic), std::end(magic), datagram.begin()) ||
      datagram[4] != version_1_0)
    return std::nullopt;
  const bool little = (datagram[5] & little_endian) != 0;
  const std::size_t payload_bytes = get<std::uint16_t>(&datagram[6], little);
  const std::size_t id_bytes = get<std::uint32_t>(&datagram[16], little);
  if (id_bytes > most_id_bytes || fixed_bytes + id_bytes > datagram.size()) return std::nullopt;
  // An empty body needs no padding. Octets beyond the stated length do not belong to the message.
  const std::size_t from = aligned(fixed_bytes + id_bytes);
  if (payload_bytes == 0 || from + payload_bytes > datagram.size()) return std::nullopt;
  const MiopPacket packet{(datagram[5] & last_packet) != 0, get<std::uint32_t>(&datagram[8], little),
                          get<std::uint32_t>(&datagram[12], little), datagram.subspan(fixed_bytes, id_bytes),
                          datagram.subspan(from, payload_bytes)};
  if (packet.number == UINT32_MAX) return std::nullopt;
  if (packet.count != 0 &&
      (packet.number >= packet.count || packet.last != (packet.number + 1 == packet.count)))
    return std::nullopt;
  return packet;
}

Packets::Packets(std::span<const ByteView> message, const CollectionId& id, std::size_t datagram_bytes)
    : message_(message),
      id_(id),
      // Each payload begins at a multiple of 8 within the message.
      payload_bytes_((datagram_bytes - packet_head_bytes) & ~std::size_t{7}) {
  for (const ByteView piece : message) left_ += piece.size();
  count_ = static_cast<std::uint32_t>((left_ + payload_bytes_ - 1) / payload_bytes_);
}

bool Packets::next(std::vector<std::uint8_t>& datagram) {
  if (left_ == 0) return false;
  const std::size_t size = std::min(left_, payload_bytes_);
  left_ -= size;
  datagram.resize(packet_head_bytes);
  std::copy(std::begin(magic), std::end(magic), datagram.begin());
  datagram[4] = version_1_0;
  datagram[5] =
      static_cast<std::uint8_t>((native_is_little ? little_endian : 0) | (left_ == 0 ? last_packet : 0));
  put(&datagram[6], static_cast<std::uint16_t>(size));
  put(&datagram[8], number_++);
  put(&datagram[12], count_);
  put(&datagram[16], static_cast<std::uint32_t>(id_.size()));
  std::ranges::copy(id_, datagram.begin() + fixed_bytes);
  for (std::size_t missing = size; missing != 0;) {
    const ByteView piece = message_.front().subspan(offset_);
    const ByteView part = piece.first(std::min(missing, piece.size()));
    datagram.insert(datagram.end(), part.begin(), part.end());
    missing -= part.size();
    offset_ += part.size();
    if (part.size() != piece.size()) continue;
    message_ = message_.subspan(1);
    offset_ = 0;
  }
  return true;
}

}  // namespace takt::transport::miop
