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

namespace {

// The number of octets that follow the first one of a character; negative if no character begins with it.
int octets_after(unsigned char lead) {
  if (lead < 0x80) return 0;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  return lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
}

// Whether the character may be encoded with that many octets after the first.
bool is_valid(char32_t character, int octets_after_first) {
  if (octets_after_first == 2) return character >= 0x800 && (character < 0xd800 || character >= 0xe000);
  return octets_after_first < 3 || (character >= 0x10000 && character <= 0x10ffff);
}

// Takes a character from the front. Nothing, if the text does not begin with one.
std::optional<char32_t> take_character(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const int more = octets_after(lead);
  if (more < 0 || text.size() <= static_cast<std::size_t>(more)) return std::nullopt;
  char32_t character = more == 0 ? lead : lead & (0x3fu >> more);
  for (const char c : text.substr(1, static_cast<std::size_t>(more))) {
    const auto octet = static_cast<unsigned char>(c);
    if ((octet & 0xc0) != 0x80) return std::nullopt;
    character = character << 6 | (octet & 63u);
  }
  if (!is_valid(character, more)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(more) + 1);
  return character;
}

}  // namespace

std::optional<std::u32string> characters_of(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) {
    const auto character = take_character(text);
    if (!character) return std::nullopt;
    characters += *character;
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
