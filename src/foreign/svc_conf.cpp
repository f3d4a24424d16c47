#include "foreign/svc_conf.h"

#include <algorithm>
#include <iterator>

namespace takt::orb::others {

namespace {

constexpr std::string_view spaces = " \t\r\n";

struct Token {
  std::size_t line;
  std::string_view text;  // without quotes
  bool is_quoted;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) {}

  // An empty token without quotes at the end.
  std::expected<Token, Malformed> next() {
    skip();
    if (rest_.empty()) return Token{line_, {}, false};
    const char quote = rest_.front();
    if (quote != '"' && quote != '\'') {
      const auto end = std::min(rest_.find_first_of(" \t\r\n\"'"), rest_.size());
      return take(end, 0);
    }
    const auto end = rest_.find(quote, 1);
    if (end == rest_.npos) return std::unexpected(Malformed{line_, "a text has no quote at its end"});
    return take(end + 1, 1);
  }

 private:
  void skip() {
    while (!rest_.empty()) {
      if (rest_.front() == '#')
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      else if (spaces.find(rest_.front()) == spaces.npos)
        return;
      else
        take(1, 0);
    }
  }
  Token take(std::size_t length, std::size_t quote) {
    const std::string_view text = rest_.substr(0, length);
    const Token token{line_, text.substr(quote, length - 2 * quote), quote != 0};
    line_ += static_cast<std::size_t>(std::ranges::count(text, '\n'));
    rest_.remove_prefix(length);
    return token;
  }

  std::string_view rest_;
  std::size_t line_ = 1;
};

bool is_end(const Token& token) { return token.text.empty() && !token.is_quoted; }

bool begins_directive(const Token& token) {
  constexpr std::string_view words[] = {"static", "dynamic", "suspend", "resume", "remove", "stream"};
  return !token.is_quoted && std::ranges::find(words, token.text) != std::end(words);
}

}  // namespace

std::expected<std::vector<Directive>, Malformed> directives_in(std::string_view text) {
  std::vector<Directive> directives;
  Lexer lexer(text);
  std::expected<Token, Malformed> token = lexer.next();
  while (token && !is_end(*token)) {
    if (!begins_directive(*token)) {
      if (token->text.starts_with('<'))
        return std::unexpected(Malformed{token->line,
                                         "settings in XML are not read: write directives, as in "
                                         "static Resource_Factory \"-ORBNativeCharCodeSet UTF-8\""});
      return std::unexpected(Malformed{token->line, "'" + std::string(token->text.substr(0, 100)) +
                                                        "' begins no directive; static, dynamic, suspend, "
                                                        "resume, remove and stream do"});
    }
    Directive directive{token->line, token->text, {}, {}, token->line};
    token = lexer.next();
    if (!token) break;
    if (token->is_quoted || is_end(*token) || begins_directive(*token))
      return std::unexpected(Malformed{directive.line, "a directive names a service"});
    directive.service = token->text;
    // The words before the parameters name the code that makes the service.
    for (token = lexer.next(); token && !is_end(*token) && !begins_directive(*token); token = lexer.next())
      if (token->is_quoted) directive.parameters = token->text, directive.parameters_line = token->line;
    directives.push_back(directive);
  }
  if (!token) return std::unexpected(token.error());
  return directives;
}

std::vector<std::string> words_in(std::string_view parameters) {
  std::vector<std::string> words;
  char quote = 0;
  bool in_word = false;
  for (const char c : parameters) {
    if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c;
    } else if (!quote && spaces.find(c) != spaces.npos) {
      in_word = false;
      continue;
    } else {
      if (!in_word) words.emplace_back();
      words.back() += c;
    }
    if (!in_word && quote) words.emplace_back();
    in_word = true;
  }
  return words;
}

}  // namespace takt::orb::others
