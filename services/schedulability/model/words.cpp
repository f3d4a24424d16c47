#include "schedulability/model/words.h"

#include <algorithm>
#include <charconv>

namespace takt::scheduling {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};
constexpr Unit units[] = {{"s", 1'000'000'000}, {"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}};

bool same_letter(char a, char b) {
  const auto plain = [](char c) {
    return c == '_' || c == '-' ? ' ' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  };
  return plain(a) == plain(b);
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string listed(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::optional<std::size_t> place_of(std::string_view word, std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::ranges::equal(word, names[i], same_letter)) return i;
  return std::nullopt;
}

std::string text_of(Time time) {
  const std::int64_t count = time.count();
  const std::uint64_t size =
      count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  for (const auto& [name, each] : units) {
    const auto unit = static_cast<std::uint64_t>(each);
    if (size < unit && each != 1) continue;
    std::string text = (count < 0 ? "-" : "") + std::to_string(size / unit);
    if (std::uint64_t rest = size % unit; rest != 0) {
      std::string digits = std::to_string(unit + rest).substr(1);
      digits.erase(digits.find_last_not_of('0') + 1);
      if (digits.size() > 6) continue;
      text += '.' + digits;
    }
    return text + ' ' + std::string(name);
  }
  return "0 ns";
}

std::string rounded(Time time) {
  return text_of(std::chrono::duration_cast<Time>(std::chrono::round<std::chrono::microseconds>(time)));
}

namespace {

// Takes the unit, which a digit or a blank precedes, from the end. 0: there is none.
std::int64_t take_unit(std::string_view& text) {
  for (const auto& [name, unit] : units) {
    if (!text.ends_with(name) || text.size() == name.size()) continue;
    const char before = text[text.size() - name.size() - 1];
    if (before != ' ' && (before < '0' || before > '9')) continue;
    text = trimmed(text.substr(0, text.size() - name.size()));
    return unit;
  }
  return 0;
}

// The digits after the point, of which there is at least one; empty without a point. None if there is
// something else.
std::optional<std::string_view> fraction_in(std::string_view rest) {
  if (rest.empty()) return rest;
  if (!rest.starts_with('.') || rest.size() == 1) return std::nullopt;
  rest.remove_prefix(1);
  if (rest.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return rest;
}

}  // namespace

std::optional<Time> time_of(std::string_view text) {
  text = trimmed(text);
  if (text == "0") return Time(0);
  std::int64_t unit = take_unit(text);
  if (unit == 0) return std::nullopt;
  std::int64_t whole = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error != std::errc() || whole < 0 || whole > longest_time.count() / unit) return std::nullopt;
  const auto fraction = fraction_in({rest, text.data() + text.size()});
  if (!fraction) return std::nullopt;
  std::int64_t total = whole * unit;
  for (const char digit : *fraction) {
    if (unit % 10 != 0 && digit != '0') return std::nullopt;
    unit /= 10;
    total += (digit - '0') * unit;
  }
  if (total > longest_time.count()) return std::nullopt;
  return Time(total);
}

}  // namespace takt::scheduling
