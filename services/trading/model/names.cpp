#include "trading/model/names.h"

#include <algorithm>
#include <charconv>

namespace takt::trading {
namespace {

constexpr std::string_view prefix = "offer-";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; }
bool begins_with_letter(std::string_view text, std::size_t most_bytes) {
  return !text.empty() && text.size() <= most_bytes && is_letter(text.front());
}

}  // namespace

bool is_type_name(std::string_view text, std::size_t most_bytes) {
  constexpr std::string_view marks = ":./-";
  return begins_with_letter(text, most_bytes) &&
         std::ranges::all_of(text, [&](char c) { return is_word(c) || marks.contains(c); });
}

bool is_property_name(std::string_view text, std::size_t most_bytes) {
  return begins_with_letter(text, most_bytes) && std::ranges::all_of(text, is_word);
}

bool is_link_name(std::string_view text, std::size_t most_bytes) {
  return !text.empty() && text.size() <= most_bytes && std::ranges::all_of(text, [](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != '\x7f';
  });
}

std::string id_of(OfferNumber number) { return std::string(prefix) + std::to_string(number); }

std::optional<OfferNumber> number_of(std::string_view id) {
  if (!id.starts_with(prefix)) return std::nullopt;
  id.remove_prefix(prefix.size());
  OfferNumber number = 0;
  const auto read = std::from_chars(id.data(), id.data() + id.size(), number);
  if (read.ec != std::errc() || read.ptr != id.data() + id.size() || number == 0 || id.front() == '0')
    return std::nullopt;
  return number;
}

}  // namespace takt::trading
