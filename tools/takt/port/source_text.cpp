#include "port/source_text.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace takt::command::port {

namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The language allows a raw string no longer one.
constexpr std::size_t longest_delimiter = 16;

class Reader {
 public:
  explicit Reader(std::string_view source) : rest_(source) {}

  std::vector<SourceLine> lines() {
    while (!rest_.empty()) {
      if (rest_.starts_with("//"))
        skip(rest_.find('\n'));
      else if (rest_.starts_with("/*"))
        skip_to("*/", 2);
      else if (begins_raw_string())
        take_raw_string();
      else if (rest_.front() == '"' || rest_.front() == '\'')
        take_literal(rest_.front());
      else
        take_character();
    }
    if (!line_.code.empty() || !line_.include.empty() || !line_.strings.empty()) end_line();
    return std::move(lines_);
  }

 private:
  void take_character() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (c == '\n') return end_line();
    line_.code += c;
    if (c == '<' && is_include()) take_include('>');
  }

  // "#include " or "# include".
  bool is_include() const {
    std::string_view code = line_.code;
    if (!code.empty() && code.back() == '<') code.remove_suffix(1);
    const auto trim = [&] {
      while (!code.empty() && std::isspace(static_cast<unsigned char>(code.front()))) code.remove_prefix(1);
    };
    trim();
    if (!code.starts_with('#')) return false;
    code.remove_prefix(1);
    trim();
    return code.starts_with("include") && code.find_first_not_of(" \t", 7) == code.npos;
  }

  void take_include(char end) {
    const auto length = rest_.find_first_of(std::string{end, '\n'});
    line_.include = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length, rest_.size()));
    if (rest_.starts_with(end)) rest_.remove_prefix(1);
  }

  // A literal ends at the end of its line at the latest. In 1'000 the quote is no beginning.
  void take_literal(char quote) {
    rest_.remove_prefix(1);
    if (quote == '\'' && !line_.code.empty() && in_name(line_.code.back())) return;
    if (quote == '"' && is_include()) return take_include('"');
    std::string text;
    while (!rest_.empty() && rest_.front() != quote && rest_.front() != '\n') {
      if (rest_.front() == '\\' && rest_.size() > 1 && rest_[1] != '\n') {
        text += rest_.front();
        rest_.remove_prefix(1);
      }
      text += rest_.front();
      rest_.remove_prefix(1);
    }
    if (rest_.starts_with(quote)) rest_.remove_prefix(1);
    line_.code += "\"\"";
    if (quote == '"') line_.strings.push_back(std::move(text));
  }

  bool begins_raw_string() const {
    return rest_.starts_with("R\"") &&
           (line_.code.empty() || !in_name(line_.code.back()) || line_.code.ends_with("u8") ||
            line_.code.ends_with('L')) &&
           rest_.substr(2, longest_delimiter + 1).find('(') != rest_.npos;
  }

  void take_raw_string() {
    const std::size_t open = rest_.find('(');
    const std::string end = ")" + std::string(rest_.substr(2, open - 2)) + "\"";
    const std::size_t length = rest_.find(end, open);
    line_.code += "\"\"";
    line_.strings.emplace_back(rest_.substr(open + 1, length == rest_.npos ? length : length - open - 1));
    skip_to(end, open);
  }

  void skip_to(std::string_view end, std::size_t from) {
    const std::size_t at = rest_.find(end, from);
    skip(at == rest_.npos ? at : at + end.size());
  }

  // Counts the lines that are left out.
  void skip(std::size_t length) {
    for (const char c : rest_.substr(0, length))
      if (c == '\n') end_line();
    rest_.remove_prefix(std::min(length, rest_.size()));
  }

  void end_line() {
    lines_.push_back(std::move(line_));
    line_ = {};
  }

  std::string_view rest_;
  SourceLine line_;
  std::vector<SourceLine> lines_;
};

}  // namespace

std::vector<SourceLine> lines_of(std::string_view source) { return Reader(source).lines(); }

std::vector<std::string_view> names_in(std::string_view code) {
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < code.size();) {
    if (!in_name(code[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    const auto take_name = [&] {
      while (end < code.size() && in_name(code[end])) ++end;
    };
    take_name();
    while (end + 2 < code.size() && code[end] == ':' && code[end + 1] == ':' && in_name(code[end + 2])) {
      end += 2;
      take_name();
    }
    if (!std::isdigit(static_cast<unsigned char>(code[at]))) names.push_back(code.substr(at, end - at));
    at = end;
  }
  return names;
}

}  // namespace takt::command::port
