// Strings and characters in the transmission code sets.
#include <algorithm>

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

#include "cdr/text/utf.h"

namespace takt::cdr {

namespace {

bool is_ascii(std::string_view text) {
  std::uint64_t seen = 0;
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t eight;
    std::memcpy(&eight, text.data(), 8);
    seen |= eight;
  }
  for (const char c : text) seen |= static_cast<unsigned char>(c);
  return (seen & 0x8080808080808080u) == 0;
}

// Whether UTF-16 without a byte order mark is little-endian.
bool is_little(const Format& format) {
  return format.code_sets->wide == CodeSetId::utf_16_of_message && format.order == ByteOrder::little;
}

void put_utf_16(GatherBuffer& buffer, char32_t c, bool little) {
  const auto unit = [&](std::uint32_t u) {
    const auto high = static_cast<std::uint8_t>(u >> 8), low = static_cast<std::uint8_t>(u);
    const std::uint8_t octets[2] = {little ? low : high, little ? high : low};
    buffer.append(octets, 2);
  };
  if (c < 0x10000) return unit(c);
  unit(0xd800 + ((c - 0x10000) >> 10));
  unit(0xdc00 + ((c - 0x10000) & 0x3ff));
}

bool is_character(wchar_t c) {
  const auto code = static_cast<char32_t>(c);
  return code < 0xd800 || (code >= 0xe000 && code < 0x110000);
}

// A first character that looks like a byte order mark must be preceded by a byte order mark.
constexpr char32_t byte_order_mark = 0xfeff;
bool looks_like_mark(wchar_t c) {
  return static_cast<char32_t>(c) == byte_order_mark || static_cast<char32_t>(c) == 0xfffe;
}

constexpr bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
constexpr bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

constexpr std::uint32_t utf_16_unit(ByteView octets, std::size_t at, bool little) {
  const unsigned first = octets[at], second = octets[at + 1];
  return little ? first | second << 8 : first << 8 | second;
}

// Decodes UTF-16. A byte order mark decides the byte order; `little`: without one it is little-endian.
bool get_utf_16(ByteView octets, std::wstring& text, bool little) {
  if (octets.size() % 2) return false;
  if (octets.empty()) return true;
  const bool marked_little = utf_16_unit(octets, 0, true) == byte_order_mark;
  const bool marked = marked_little || utf_16_unit(octets, 0, false) == byte_order_mark;
  if (marked) little = marked_little;
  for (std::size_t at = marked ? 2 : 0; at < octets.size(); at += 2) {
    std::uint32_t c = utf_16_unit(octets, at, little);
    if (is_low_surrogate(c)) return false;
    if (is_high_surrogate(c)) {
      at += 2;
      if (at >= octets.size()) return false;
      const std::uint32_t low = utf_16_unit(octets, at, little);
      if (!is_low_surrogate(low)) return false;
      c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    text.push_back(static_cast<wchar_t>(c));
  }
  return true;
}

}  // namespace

void Encoder::put_raw_string(std::string_view text) {
  put_count(text.size() + 1);
  buffer_.ensure(text.size() + 1);
  std::uint8_t* cursor = buffer_.cursor();
  if (!text.empty()) std::memcpy(cursor, text.data(), text.size());
  cursor[text.size()] = 0;
  buffer_.advance_to(cursor + text.size() + 1);
}

void Encoder::put_string(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return fail(Error::bad_value);
  if (format_.code_sets->narrow == CodeSetId::utf_8 || is_ascii(text)) return put_raw_string(text);
  std::string converted;
  if (!from_utf_8(text, format_.code_sets->narrow, converted)) return fail(Error::unmappable);
  put_raw_string(converted);
}

// A char is a single octet, so a char beyond ASCII is not a UTF-8 character by itself. UTF-8 and ISO 8859-1
// leave the octet unchanged. No other code set has room for it.
void Encoder::put_converted(char value) {
  if (!chars_unchanged(format_)) return fail(Error::unmappable);
  put(static_cast<std::uint8_t>(value));
}

bool Decoder::convert(char&) {
  if (!chars_unchanged(format_)) fail(Error::unmappable);
  return ok();
}

bool Decoder::get_string(std::string& text) {
  const std::string_view octets = get_raw_string_view();
  if (octets.find('\0') != std::string_view::npos) [[unlikely]] {  // NUL is not a character of a string
    fail(Error::bad_string);
    text.clear();
    return false;
  }
  if (octets.size() > text.capacity() && !charge(octets.size())) return false;
  if (format_.code_sets->narrow == CodeSetId::utf_8 || is_ascii(octets)) {
    text = octets;
    return ok();
  }
  text.clear();
  if (!to_utf_8(octets, format_.code_sets->narrow, text)) fail(Error::unmappable);
  return ok();
}

void Encoder::put(wchar_t value) {
  if (format_.giop_minor == 0) return fail(Error::wide_in_giop_1_0);
  if (format_.code_sets->wide == CodeSetId::none) return fail(Error::no_wide_code_set);
  if (!is_character(value)) return fail(Error::unmappable);
  const auto c = static_cast<char32_t>(value);
  if (format_.giop_minor == 1) {
    if (c > 0xffff) return fail(Error::unmappable);
    return put(static_cast<std::uint16_t>(c));
  }
  put(static_cast<std::uint8_t>(c < 0x10000 && !looks_like_mark(value) ? 2 : 4));
  const bool little = is_little(format_);
  if (looks_like_mark(value)) put_utf_16(buffer_, byte_order_mark, little);
  put_utf_16(buffer_, c, little);
}

void Encoder::put_wstring(std::wstring_view text) {
  if (format_.giop_minor == 0) return fail(Error::wide_in_giop_1_0);
  if (format_.code_sets->wide == CodeSetId::none) return fail(Error::no_wide_code_set);
  if (format_.giop_minor == 1) {
    put_count(text.size() + 1);
    for (const wchar_t c : text) put(c);
    return put(static_cast<std::uint16_t>(0));
  }
  if (!std::all_of(text.begin(), text.end(), is_character)) return fail(Error::unmappable);
  const bool marked = !text.empty() && looks_like_mark(text.front());
  std::size_t octets = marked ? 2 : 0;
  for (const wchar_t c : text) octets += static_cast<char32_t>(c) < 0x10000 ? 2 : 4;
  put_count(octets);
  const bool little = is_little(format_);
  if (marked) put_utf_16(buffer_, byte_order_mark, little);
  for (const wchar_t c : text) put_utf_16(buffer_, static_cast<char32_t>(c), little);
}

bool Decoder::get(wchar_t& value) {
  value = 0;
  if (format_.giop_minor == 0) {
    fail(Error::wide_in_giop_1_0);
    return false;
  }
  if (format_.giop_minor == 1) {
    value = static_cast<wchar_t>(get_u16());
    if (!is_character(value)) {
      fail(Error::bad_value);
      value = 0;
    }
    return ok();
  }
  std::wstring text;
  const std::uint8_t length = get_u8();
  const ByteView octets = get_octets_view(length);
  // Two octets are a character, even U+FEFF, which omniORB sends without a byte order mark.
  if (octets.size() == 2)
    text.push_back(static_cast<wchar_t>(utf_16_unit(octets, 0, is_little(format_))));
  else if (!get_utf_16(octets, text, is_little(format_)))
    text.clear();
  if (text.size() != 1 || !is_character(text[0])) fail(Error::bad_value);
  if (ok()) value = text[0];
  return ok();
}

bool Decoder::get_wstring(std::wstring& text) {
  text.clear();
  if (format_.giop_minor == 0) {
    fail(Error::wide_in_giop_1_0);
    return false;
  }
  std::uint32_t count;
  if (format_.giop_minor == 1) {
    if (!get_count(count, 2)) return false;
    for (std::uint32_t i = 0; i + 1 < count && ok(); ++i) text.push_back(take<wchar_t>());
    if (count && get_u16() != 0) fail(Error::bad_string);
    return charge(text.size() * sizeof(wchar_t)) && ok();
  }
  if (!get_count(count, 1) || !charge(std::size_t{count} / 2 * sizeof(wchar_t))) return false;
  if (!get_utf_16(get_octets_view(count), text, is_little(format_))) fail(Error::bad_value);
  return ok();
}

}  // namespace takt::cdr
