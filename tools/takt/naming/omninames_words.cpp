#include "naming/omninames_words.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string_view>

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

std::expected<std::vector<std::string>, std::string> words_for_omninames(
    const std::vector<std::string>& words) {
  std::string port = "2809", folder, endpoints;
  std::vector<std::string> result{"naming"}, others;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto value = [&]() -> std::string { return i + 1 < words.size() ? words[++i] : std::string(); };
    if (word == "-start") {
      if (i + 1 < words.size() && is_port(words[i + 1])) port = words[++i];
    } else if (word == "-logdir" || word == "-datadir") {
      folder = value();
    } else if (word == "-ORBendPoint") {
      const std::string endpoint = endpoint_of(value());
      if (endpoint.empty()) return std::unexpected("-ORBendPoint takes giop:tcp:HOST:PORT here");
      endpoints += (endpoints.empty() ? "" : ",") + endpoint;
    } else if (word == "-always" || word == "-ignoreport" || word == "-nohostname") {
      continue;  // not needed: a store knows whether it is new, and contains no port or host
    } else if (word == "-errlog") {
      if (!std::freopen(value().c_str(), "a", stderr))
        return std::unexpected("-errlog: the file cannot be written");
    } else if (word.starts_with("-ORB")) {
      others.insert(others.end(), {word, value()});
    } else {
      return std::unexpected("'" + word +
                             "' is unknown; the options are -start, -datadir, -logdir, -errlog, -always, " +
                             "-ignoreport, -nohostname and -ORBendPoint; see takt naming --help for more");
    }
  }
  if (folder.empty())
    if (const char* given = std::getenv("OMNINAMES_DATADIR")) folder = given;
  if (!folder.empty()) result.insert(result.end(), {"--store", folder + "/takt-naming.db"});
  result.insert(result.end(), {"--listen", endpoints.empty() ? "iiop://:" + port : endpoints});
  result.insert(result.end(), others.begin(), others.end());
  return result;
}

}  // namespace takt::command
