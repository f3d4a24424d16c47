#include "cdr/text/utf.h"

#include <takt/cdr/text_bound.h>

namespace takt::cdr {

char32_t next_utf_8(std::string_view& text) {
  constexpr char32_t ill_formed = 0xffffffff;
  const auto lead = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < static_cast<std::size_t>(more)) return ill_formed;
  char32_t character = lead & (0x3f >> more);
  for (int i = 0; i < more; ++i) {
    const auto next = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
    if ((next & 0xc0) != 0x80) return ill_formed;
    character = character << 6 | (next & 0x3f);
  }
  text.remove_prefix(static_cast<std::size_t>(more));
  constexpr char32_t least[] = {0, 0x80, 0x800, 0x10000};
  if (character < least[more] || character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
    return ill_formed;
  return character;
}

bool is_beyond(std::string_view text, std::uint32_t bound) {
  if (text.size() <= bound) return false;
  for (std::uint32_t characters = 0; !text.empty(); next_utf_8(text))
    if (characters++ == bound) return true;
  return false;
}

bool from_utf_8(std::string_view text, CodeSetId to, std::string& converted) {
  if (to != CodeSetId::iso_8859_1 && to != CodeSetId::iso_646)
    return convert_with_iconv(text, CodeSetId::utf_8, to, converted);
  const char32_t last = to == CodeSetId::iso_646 ? 0x7f : 0xff;
  while (!text.empty()) {
    const char32_t c = next_utf_8(text);
    if (c > last) return false;
    converted.push_back(static_cast<char>(c));
  }
  return true;
}

bool to_utf_8(std::string_view octets, CodeSetId from, std::string& text) {
  if (from != CodeSetId::iso_8859_1) return convert_with_iconv(octets, from, CodeSetId::utf_8, text);
  for (const char c : octets) {
    const auto character = static_cast<unsigned char>(c);
    if (character >= 0x80) text.push_back(static_cast<char>(0xc0 | character >> 6));
    text.push_back(static_cast<char>(character < 0x80 ? character : 0x80 | (character & 0x3f)));
  }
  return true;
}

}  // namespace takt::cdr
