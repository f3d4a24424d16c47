#include "naming/import/ior_address.h"

#include <takt/cdr/decoder.h>
#include <takt/cdr/ior.h>

namespace takt::naming {
namespace {

constexpr std::uint32_t internet_iop = 0;

// A decoder positioned after the byte order octet of an encapsulation; none if that octet is invalid.
std::optional<cdr::Decoder> encapsulated(ByteView octets) {
  if (octets.empty() || octets[0] > 1) return std::nullopt;
  cdr::Format format;
  format.order = octets[0] ? cdr::ByteOrder::little : cdr::ByteOrder::big;
  return std::optional<cdr::Decoder>(std::in_place, octets.subspan(1), 1, format);
}

}  // namespace

std::optional<IorAddress> address_in(std::string_view octets) {
  const ByteView view(reinterpret_cast<const std::uint8_t*>(octets.data()), octets.size());
  auto decoder = encapsulated(view);
  cdr::Ior ior;
  if (!decoder || !cdr::read_ior(*decoder, ior)) return std::nullopt;
  IorAddress address;
  for (const cdr::TaggedProfile& profile : ior.profiles) {
    if (profile.tag != internet_iop) continue;
    auto body = encapsulated(ByteView(profile.data));
    std::uint8_t major = 0, minor = 0;
    std::uint32_t length = 0;
    if (!body || !body->get(major) || !body->get(minor) || !body->get_string(address.host) ||
        !body->get(address.port) || !body->get_count(length, 1))
      return std::nullopt;
    for (std::uint32_t i = 0; i < length; ++i) {
      std::uint8_t octet = 0;
      body->get(octet);
      address.key += static_cast<char>(octet);
    }
    return body->ok() ? std::optional(address) : std::nullopt;
  }
  return address;
}

}  // namespace takt::naming
