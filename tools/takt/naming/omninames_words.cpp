#include "naming/omninames_words.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace takt::command {
namespace {

bool is_port(const std::string& word) {
  return !word.empty() && word.size() <= 5 &&
         std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c); });
}

// Parses "giop:tcp:HOST:PORT", where HOST and PORT may be empty.
std::string endpoint_of(const std::string& word) {
  constexpr std::string_view tcp = "giop:tcp:";
  if (!word.starts_with(tcp)) return {};
  const std::string rest = word.substr(tcp.size());
  return "iiop://" + (rest.ends_with(':') ? rest + "0" : rest);
}

}  // namespace

namespace {

// The words of omniNames, as they are read.
class OmninamesWords {
 public:
  explicit OmninamesWords(const std::vector<std::string>& words) : words_(words) {}

  // Returns why the words cannot be used; empty if they can.
  std::string read() {
    while (next_ < words_.size())
      if (std::string problem = read_option(words_[next_++]); !problem.empty()) return problem;
    return {};
  }

  std::vector<std::string> words_for_naming() const {
    std::vector<std::string> result{"naming"};
    std::string folder = folder_;
    if (folder.empty())
      if (const char* given = std::getenv("OMNINAMES_DATADIR")) folder = given;
    if (!folder.empty()) result.insert(result.end(), {"--store", folder + "/takt-naming.db"});
    result.insert(result.end(), {"--listen", endpoints_.empty() ? "iiop://:" + port_ : endpoints_});
    result.insert(result.end(), orb_options_.begin(), orb_options_.end());
    return result;
  }

 private:
  std::string value() { return next_ < words_.size() ? words_[next_++] : std::string(); }

  std::string read_option(const std::string& word) {
    if (word == "-start") {
      if (next_ < words_.size() && is_port(words_[next_])) port_ = value();
    } else if (word == "-logdir" || word == "-datadir") {
      folder_ = value();
    } else if (word == "-ORBendPoint") {
      const std::string endpoint = endpoint_of(value());
      if (endpoint.empty()) return "-ORBendPoint takes giop:tcp:HOST:PORT here";
      endpoints_ += (endpoints_.empty() ? "" : ",") + endpoint;
    } else if (word == "-errlog") {
      if (!std::freopen(value().c_str(), "a", stderr)) return "-errlog: the file cannot be written";
    } else if (word.starts_with("-ORB")) {
      orb_options_.insert(orb_options_.end(), {word, value()});
    } else if (!is_needless(word)) {
      return "'" + word +
             "' is unknown; the options are -start, -datadir, -logdir, -errlog, -always, "
             "-ignoreport, -nohostname and -ORBendPoint; see takt naming --help for more";
    }
    return {};
  }

  // A store knows whether it is new, and contains no port or host.
  static bool is_needless(const std::string& word) {
    return word == "-always" || word == "-ignoreport" || word == "-nohostname";
  }

  const std::vector<std::string>& words_;
  std::size_t next_ = 0;
  std::string port_ = "2809", folder_, endpoints_;
  std::vector<std::string> orb_options_;
};

}  // namespace

std::expected<std::vector<std::string>, std::string> words_for_omninames(
    const std::vector<std::string>& words) {
  OmninamesWords given(words);
  if (std::string problem = given.read(); !problem.empty()) return std::unexpected(std::move(problem));
  return given.words_for_naming();
}

}  // namespace takt::command
