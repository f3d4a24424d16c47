#include "reference/text/stringified_ior.h"

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

#include "reference/text/hex.h"

namespace takt::reference {

namespace {

bool has_prefix(std::string_view text) {
  return text.size() >= 4 && (text[0] | 0x20) == 'i' && (text[1] | 0x20) == 'o' && (text[2] | 0x20) == 'r' &&
         text[3] == ':';
}

}  // namespace

std::string ior_to_text(const cdr::Ior& ior) {
  const auto octets = cdr::encapsulate([&](cdr::Encoder& encoder) { cdr::write_ior(encoder, ior); });
  std::string text = "IOR:";
  text.reserve(text.size() + 2 * octets.size());
  for (const std::uint8_t octet : octets) append_hex(text, octet);
  return text;
}

std::expected<cdr::Ior, IorTextError> ior_from_text(std::string_view text) {
  if (!has_prefix(text)) return std::unexpected(IorTextError::no_prefix);
  text.remove_prefix(4);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  if (text.size() % 2 != 0) return std::unexpected(IorTextError::digits);
  std::vector<std::uint8_t> octets(text.size() / 2);
  for (std::size_t i = 0; i < octets.size(); ++i) {
    const int octet = hex_octet(text[2 * i], text[2 * i + 1]);
    if (octet < 0) return std::unexpected(IorTextError::digits);
    octets[i] = static_cast<std::uint8_t>(octet);
  }
  cdr::Ior ior;
  if (!cdr::decapsulate(octets, [&](cdr::Decoder& in) { cdr::read_ior(in, ior); }))
    return std::unexpected(IorTextError::contents);
  return ior;
}

}  // namespace takt::reference
