#include "cdr/text/utf.h"

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

void append_utf_8(std::string& text, char32_t c) {
  const auto add = [&](char32_t octet) { text.push_back(static_cast<char>(octet)); };
  if (c < 0x80) return add(c);
  if (c < 0x800) {
    add(0xc0 | c >> 6);
  } else {
    if (c < 0x10000) {
      add(0xe0 | c >> 12);
    } else {
      add(0xf0 | c >> 18);
      add(0x80 | (c >> 12 & 0x3f));
    }
    add(0x80 | (c >> 6 & 0x3f));
  }
  add(0x80 | (c & 0x3f));
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
  for (const char c : octets) append_utf_8(text, static_cast<unsigned char>(c));
  return true;
}

}  // namespace takt::cdr
