#include "json/text.h"

#include <algorithm>
#include <array>
#include <set>

#include "nearest.h"
#include "octets/base64.h"

namespace takt::json {
namespace {

// Refuses duplicate names, and more than the limits allow, while the parser runs.
class Checks {
 public:
  explicit Checks(const Limits& limits) : limits_(limits) {}

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (static_cast<std::size_t>(depth) > limits_.depth)
      throw Failure("", "nested deeper than " + std::to_string(limits_.depth));
    if (++values_ > 2 * limits_.values)
      throw Failure("", "more than " + std::to_string(limits_.values) + " values");
    if (event == Event::object_start) names_.emplace_back();
    if (event == Event::object_end) names_.pop_back();
    if (event == Event::key && !names_.back().insert(parsed.get<std::string>()).second)
      throw Failure("", "an object has the member " + quoted(parsed.get<std::string>()) + " twice");
    return true;
  }

 private:
  const Limits& limits_;
  std::vector<std::set<std::string>> names_;  // one set for each open object
  std::size_t values_ = 0;
};

// The parser's message without its own number, as "line 1, column 5: unexpected end of input".
std::string fault_of(const Json::exception& failure) {
  std::string text = failure.what();
  if (const auto end = text.find("] "); end != text.npos) text.erase(0, end + 2);
  if (text.starts_with("parse error at ")) text.erase(0, std::string_view("parse error at ").size());
  return text;
}

}  // namespace

std::expected<Json, std::string> parse(std::string_view text, const Limits& limits) {
  if (text.size() > limits.bytes)
    return std::unexpected("longer than " + std::to_string(limits.bytes) + " octets");
  if (text.find_first_not_of(" \t\r\n") == text.npos) return std::unexpected("it is empty");
  try {
    Checks checks(limits);
    return Json::parse(text, [&](int depth, Json::parse_event_t event, Json& parsed) {
      return checks(depth, event, parsed);
    });
  } catch (const Json::exception& failure) {
    return std::unexpected(fault_of(failure));
  } catch (const Failure& failure) {
    return std::unexpected(failure.what());
  }
}

std::string base64(ByteView octets) {
  return octets::to_base64({reinterpret_cast<const char*>(octets.data()), octets.size()});
}

std::optional<std::vector<std::uint8_t>> octets_of_base64(std::string_view text) {
  return octets::from_base64<std::vector<std::uint8_t>>(text);
}

void append_utf_8(std::string& text, char32_t c) {
  const auto put = [&](char32_t octet) { text += static_cast<char>(octet); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xc0 | c >> 6);
    return put(0x80 | (c & 63));
  }
  if (c < 0x10000) {
    put(0xe0 | c >> 12);
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 63));
  }
  put(0x80 | (c >> 6 & 63));
  put(0x80 | (c & 63));
}

std::optional<std::u32string> characters_of(std::string_view text) {
  std::u32string characters;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    const int more = lead < 0x80 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4) return std::nullopt;
    char32_t c = more == 0 ? lead : lead & (0x3fu >> more);
    for (int j = 0; j < more; ++j) {
      if (i == text.size()) return std::nullopt;
      const auto next = static_cast<unsigned char>(text[i++]);
      if ((next & 0xc0) != 0x80) return std::nullopt;
      c = c << 6 | (next & 63u);
    }
    const bool longer_than_needed = (more == 2 && c < 0x800) || (more == 3 && c < 0x10000);
    if (longer_than_needed || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return std::nullopt;
    characters += c;
  }
  return characters;
}

std::string quoted(const std::string& text) {
  constexpr std::size_t most = 40;
  std::string shown = Json(text.substr(0, most)).dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > most) shown.insert(shown.size() - 1, "...");
  return shown;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
  constexpr std::size_t most = 100;
  if (names.empty() || word.size() > most) return {};
  return "; the nearest is " + quoted(command_line::nearest(word, names));
}

std::string one_line(const std::string& text) {
  constexpr std::size_t most = 1000;
  std::string line = text.substr(0, most);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  return text.size() > most ? line + "..." : line;
}

std::string found(const Json& json) {
  switch (json.type()) {
    case Json::value_t::object:
      return json.empty() ? "an empty object" : "an object";
    case Json::value_t::array:
      return json.empty() ? "an empty array" : "an array of " + std::to_string(json.size());
    case Json::value_t::string:
      return "the string " + quoted(json.get_ref<const std::string&>());
    case Json::value_t::null:
      return "null";
    case Json::value_t::boolean:
      return json.get<bool>() ? "true" : "false";
    default:
      return "the number " + json.dump();
  }
}

}  // namespace takt::json
