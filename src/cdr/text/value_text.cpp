#include <takt/cdr/mapping/value_text.h>

#include <cstdio>

#include "cdr/text/escape_controls.h"

namespace takt::cdr {

namespace {
constexpr std::size_t longest = 4000;
}

void ValueText::add(std::string_view text) {
  if (is_full_) return;
  if (text.size() > longest - text_.size()) {
    is_full_ = true;
    text = text.substr(0, longest - text_.size());
  }
  text_ += text;
  if (is_full_) text_ += "...";
}

void ValueText::add_character(char character) {
  const auto octet = static_cast<unsigned char>(character);
  if (octet >= ' ' && octet != 0x7f) return add({&character, 1});
  char escaped[8];
  std::snprintf(escaped, sizeof escaped, "\\x%02x", octet);
  add(escaped);
}

const char* ExceptionText::keep(std::string text) const {
  text_ = std::make_shared<const std::string>(std::move(text));
  return text_->c_str();
}

ValueText& ValueText::operator<<(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%g", value);
  return *this << text;
}

std::string escape_controls(std::string_view text) {
  constexpr std::size_t most = 200;
  ValueText shown;
  for (const char each : text.substr(0, most)) shown << each;
  if (text.size() > most) shown << "...";
  return std::move(shown).take();
}

}  // namespace takt::cdr
