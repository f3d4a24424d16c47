#include "idl/lsp/text.h"

#include <algorithm>
#include <utility>

namespace takt::command::lsp {
namespace {

// The octets of the UTF-8 sequence that begins with `lead`. Octets that begin none count as one each.
std::size_t sequence_size(unsigned char lead) {
  return lead >= 0xf0 && lead < 0xf8   ? 4
         : lead >= 0xe0 && lead < 0xf0 ? 3
         : lead >= 0xc2 && lead < 0xe0 ? 2
                                       : 1;
}

}  // namespace

bool is_name_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

Text::Text(std::string octets) : octets_(std::move(octets)), starts_{0} {
  for (std::size_t i = 0; i < octets_.size(); ++i)
    if (octets_[i] == '\n') starts_.push_back(i + 1);
}

std::string_view Text::line(std::size_t number) const {
  if (number >= starts_.size()) return {};
  const std::size_t end = number + 1 < starts_.size() ? starts_[number + 1] - 1 : octets_.size();
  std::string_view text = std::string_view(octets_).substr(starts_[number], end - starts_[number]);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

Position Text::position(std::size_t number, std::size_t octet) const {
  const std::string_view text = line(number);
  std::size_t at = 0, units = 0;
  while (at < std::min(octet, text.size())) {
    const std::size_t size = sequence_size(static_cast<unsigned char>(text[at]));
    units += size == 4 ? 2 : 1;
    at += size;
  }
  return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(units)};
}

std::size_t Text::column(Position position) const {
  const std::string_view text = line(position.line);
  std::size_t at = 0, units = 0;
  while (at < text.size() && units < position.character) {
    const std::size_t size = sequence_size(static_cast<unsigned char>(text[at]));
    units += size == 4 ? 2 : 1;
    at += size;
  }
  return std::min(at, text.size());
}

std::size_t Text::offset(Position position) const {
  return position.line < starts_.size() ? starts_[position.line] + column(position) : octets_.size();
}

bool Text::has_name(std::size_t number, std::size_t octet, std::string_view name, std::size_t& length) const {
  std::string_view text = line(number);
  if (octet >= text.size() || name.empty()) return false;
  text.remove_prefix(octet);
  const std::size_t escape = text.starts_with('_') && !name.starts_with('_') ? 1 : 0;
  length = escape + name.size();
  return text.substr(escape).starts_with(name) && (text.size() == length || !is_name_character(text[length]));
}

}  // namespace takt::command::lsp
