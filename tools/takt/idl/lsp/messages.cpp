#include "idl/lsp/messages.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>

namespace takt::command::lsp {
namespace {

constexpr std::size_t most_header_octets = 4096;

// A line without its end; nullopt at the end of the input and for lines that are too long.
std::optional<std::string> read_line(std::istream& in) {
  std::string line;
  for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
    if (c == '\n') {
      if (line.ends_with('\r')) line.pop_back();
      return line;
    }
    if (line.size() == most_header_octets) return std::nullopt;
    line += static_cast<char>(c);
  }
  return std::nullopt;
}

bool is_length_header(std::string_view line) {
  constexpr std::string_view name = "content-length:";
  if (line.size() < name.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i)
    if ((line[i] >= 'A' && line[i] <= 'Z' ? static_cast<char>(line[i] + 32) : line[i]) != name[i])
      return false;
  return true;
}

}  // namespace

std::optional<std::string> read_message(std::istream& in) {
  std::optional<std::size_t> size;
  for (auto line = read_line(in); !line || !line->empty(); line = read_line(in)) {
    if (!line) return std::nullopt;
    if (!is_length_header(*line)) continue;
    std::string_view number = std::string_view(*line).substr(std::string_view("content-length:").size());
    while (number.starts_with(' ')) number.remove_prefix(1);
    std::size_t value = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
    if (read.ec != std::errc() || read.ptr != number.data() + number.size() || value > most_message_octets)
      return std::nullopt;
    size = value;
  }
  if (!size) return std::nullopt;
  // In pieces, so that a length that is not true costs no memory.
  std::string content;
  while (content.size() < *size) {
    char piece[65536];
    const std::size_t wanted = std::min(sizeof piece, *size - content.size());
    in.read(piece, static_cast<std::streamsize>(wanted));
    content.append(piece, static_cast<std::size_t>(in.gcount()));
    if (static_cast<std::size_t>(in.gcount()) < wanted) return std::nullopt;
  }
  return content;
}

nlohmann::json parsed(const std::string& content) {
  constexpr int most_levels = 100;
  try {
    return nlohmann::json::parse(content, [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
      if (depth > most_levels) throw std::length_error("nested too deeply");
      return true;
    });
  } catch (const std::exception&) {
    return nlohmann::json(nlohmann::json::value_t::discarded);
  }
}

void write_message(std::ostream& out, const nlohmann::json& message) {
  const std::string content = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  out << "Content-Length: " << content.size() << "\r\n\r\n" << content << std::flush;
}

}  // namespace takt::command::lsp
