#include "transport/udp/datagram.h"

#include <algorithm>

namespace takt::transport {
namespace {

constexpr std::uint8_t magic[] = {'T', 'k', 'U', 1};  // the last octet is the version

template <class Number>
void put(std::uint8_t* at, Number number) {
  for (std::size_t i = sizeof number; i-- > 0; number = static_cast<Number>(number >> 8))
    at[i] = static_cast<std::uint8_t>(number);
}

template <class Number>
Number get(const std::uint8_t* at) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) number = static_cast<Number>(number << 8 | at[i]);
  return number;
}

}  // namespace

Datagram::Head Datagram::encode() const {
  Head head{};
  std::copy(std::begin(magic), std::end(magic), head.begin());
  head[4] = static_cast<std::uint8_t>(kind);
  head[5] = flags;
  put(&head[8], token);
  put(&head[16], position);
  put(&head[20], acknowledged);
  return head;
}

std::optional<Datagram> Datagram::decode(ByteView octets) {
  if (octets.size() < head_bytes || !std::equal(std::begin(magic), std::end(magic), octets.begin()))
    return std::nullopt;
  const std::uint8_t kind = octets[4], flags = octets[5];
  if (kind < static_cast<std::uint8_t>(Kind::hello) || kind > static_cast<std::uint8_t>(Kind::gone) ||
      flags >= 2 * deaf || octets[6] != 0 || octets[7] != 0)
    return std::nullopt;
  return Datagram{static_cast<Kind>(kind), flags, get<std::uint64_t>(&octets[8]),
                  get<std::uint32_t>(&octets[16]), get<std::uint32_t>(&octets[20])};
}

std::array<std::uint8_t, 8> encode_token(std::uint64_t token) {
  std::array<std::uint8_t, 8> body;
  put(body.data(), token);
  return body;
}

std::optional<std::uint64_t> decode_token(ByteView body) {
  if (body.size() != sizeof(std::uint64_t)) return std::nullopt;
  return get<std::uint64_t>(body.data());
}

}  // namespace takt::transport
