#include "common/output.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "reference/text/hex.h"

namespace takt::command {
namespace {

constexpr std::size_t longest = 400;
constexpr std::size_t longest_in_a_row = 40;  // for a list on one line

std::string scalar(const Json& json) {
  if (json.is_string()) return escape_non_ascii(json.get<std::string>());
  if (json.is_boolean()) return json.get<bool>() ? "yes" : "no";
  if (json.is_null()) return "unknown";
  return json.dump();
}

std::string label(std::string key) {
  for (char& c : key)
    if (c == '_') c = ' ';
  return key;
}

// Whether a value fits on the line of its label.
bool is_short(const Json& json) {
  if (json.is_object()) return false;
  if (!json.is_array()) return true;
  return std::ranges::none_of(json, [](const Json& each) {
    return each.is_structured() ||
           (each.is_string() && each.get_ref<const std::string&>().size() > longest_in_a_row);
  });
}

std::string short_text(const Json& json) {
  if (!json.is_array()) return scalar(json);
  if (json.empty()) return "none";
  std::string text;
  for (const Json& each : json) text += (text.empty() ? "" : ", ") + scalar(each);
  return text;
}

// Whether the number is a vendor's tag, which is shown in hexadecimal.
bool is_large_tag(const std::string& key, const Json& value) {
  return key == "tag" && value.is_number_unsigned() && value.get<std::uint64_t>() > 0xffff;
}

void append(std::string& page, const Json& json, const std::string& indent, bool begun);

void append_list(std::string& page, const Json& list, const std::string& indent) {
  for (const Json& each : list) {
    page += indent + "- ";
    if (each.is_object())
      append(page, each, indent + "  ", true);
    else
      page += short_text(each) + "\n";
  }
}

// `begun`: the first line is already indented.
void append(std::string& page, const Json& json, const std::string& indent, bool begun) {
  for (const auto& [key, value] : json.items()) {
    if (!begun) page += indent;
    begun = false;
    page += label(key) + ":";
    if (is_short(value)) {
      page += " " + (is_large_tag(key, value) ? hex_number(value.get<std::uint32_t>()) : short_text(value)) +
              "\n";
      continue;
    }
    page += "\n";
    if (value.is_object())
      append(page, value, indent + "  ", false);
    else
      append_list(page, value, indent + "  ");
  }
}

}  // namespace

std::string escape_non_ascii(const std::string& text) {
  std::string shown;
  for (const char c : text.substr(0, longest)) {
    if (c >= ' ' && c <= '~') {
      shown += c;
    } else {
      shown += "\\x";
      reference::append_hex(shown, static_cast<std::uint8_t>(c));
    }
  }
  if (text.size() > longest) shown += "... (" + std::to_string(text.size()) + " characters)";
  return shown;
}

std::string page_of(const Json& json) {
  std::string page;
  append(page, json, "", false);
  return page;
}

std::string text_of(const Json& json) {
  return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::string time_in_words(std::int64_t since_1970_ns) {
  using namespace std::chrono;
  const sys_time<microseconds> time{floor<microseconds>(nanoseconds(since_1970_ns))};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  char text[60];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text;
}

std::string hex_of(ByteView octets) {
  std::string text;
  for (const std::uint8_t octet : octets) reference::append_hex(text, octet);
  return text;
}

std::string hex_number(std::uint32_t number) {
  std::string text = "0x";
  for (int shift = 24; shift >= 0; shift -= 8)
    reference::append_hex(text, static_cast<std::uint8_t>(number >> shift));
  return text;
}

}  // namespace takt::command
