#include "trace/http_post.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string_view>

#include <takt/orb/own_transports.h>
#include <takt/transport/transport.h>

#include "os/error_text.h"

namespace takt::command {
namespace {

constexpr std::size_t most_reply_bytes = 65536;
constexpr std::chrono::milliseconds least_wait(1);

bool has_end_of_head(const std::string& octets) { return octets.find("\r\n\r\n") != std::string::npos; }

// The value of Content-Length in a head; 0 if there is none that makes sense.
std::size_t length_in(std::string_view head) {
  std::string lower(head);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : static_cast<char>(c);
  });
  constexpr std::string_view name = "\r\ncontent-length:";
  const auto at = lower.find(name);
  if (at == std::string::npos) return 0;
  const auto digits = lower.find_first_not_of(' ', at + name.size());
  std::size_t length = 0;
  if (digits != std::string::npos)
    std::from_chars(lower.data() + digits, lower.data() + lower.size(), length);
  return length;
}

// Whether the reply is whole, as far as its head tells; without a length it ends with the connection.
bool is_whole(const std::string& octets) {
  const auto end = octets.find("\r\n\r\n");
  if (end == std::string::npos) return false;
  const std::size_t length = length_in(std::string_view(octets).substr(0, end + 2));
  return length != 0 && octets.size() >= end + 4 && octets.size() - end - 4 >= length;
}

std::string request_of(const HttpUrl& url, const std::string& json) {
  const bool is_ipv6 = url.host.find(':') != std::string::npos;
  return "POST " + url.path + " HTTP/1.1\r\nHost: " + (is_ipv6 ? "[" + url.host + "]" : url.host) + ":" +
         std::to_string(url.port) +
         "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(json.size()) +
         "\r\nConnection: close\r\n\r\n" + json;
}

// One exchange with a deadline for the whole.
class Exchange {
 public:
  Exchange(transport::Stream& stream, os::TimePoint end) : stream_(stream), end_(end) {}

  // Empty, or what failed.
  std::string send(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      if (!set_timeouts()) return "no answer in time";
      const auto* const octets = reinterpret_cast<const std::uint8_t*>(text.data()) + at;
      const os::IoResult result = stream_.write({octets, text.size() - at});
      if (result.status != os::IoStatus::ok) return why(result);
      at += result.bytes;
    }
    return {};
  }
  std::string receive(std::string& reply) {
    std::uint8_t piece[4096];
    while (!is_whole(reply) && reply.size() < most_reply_bytes) {
      if (!set_timeouts()) return "no answer in time";
      const os::IoResult result = stream_.read({piece, sizeof piece});
      if (result.status == os::IoStatus::end_of_stream) break;
      if (result.status != os::IoStatus::ok) return why(result);
      reply.append(reinterpret_cast<const char*>(piece), result.bytes);
    }
    return {};
  }

 private:
  bool set_timeouts() {
    const auto left = end_ - os::Clock::now();
    return left >= least_wait && stream_.set_timeouts(left, left);
  }
  static std::string why(const os::IoResult& result) {
    return result.status == os::IoStatus::failed ? os::error_text(result.error)
                                                 : std::string("no answer in time");
  }

  transport::Stream& stream_;
  const os::TimePoint end_;
};

}  // namespace

std::expected<HttpUrl, std::string> http_url_from(const std::string& text) {
  constexpr std::string_view scheme = "http://";
  const std::unexpected<std::string> wrong(
      "'" + text +
      "' is not http://HOST[:PORT][/PATH]; for https, let a collector on this machine pass the spans on");
  if (!text.starts_with(scheme) || text.find_first_of(" \t\r\n") != std::string::npos) return wrong;
  HttpUrl url;
  std::string_view rest = std::string_view(text).substr(scheme.size());
  if (const auto slash = rest.find('/'); slash != rest.npos) {
    url.path = rest.substr(slash);
    rest = rest.substr(0, slash);
  }
  auto colon = rest.rfind(':');
  if (rest.starts_with('[')) {
    const auto bracket = rest.find(']');
    if (bracket == rest.npos) return wrong;
    if (bracket + 1 < rest.size() && rest[bracket + 1] != ':') return wrong;
    url.host = rest.substr(1, bracket - 1);
    colon = bracket + 1 < rest.size() ? bracket + 1 : rest.npos;
  } else {
    url.host = rest.substr(0, colon);
  }
  if (colon != rest.npos) {
    const std::string_view port = rest.substr(colon + 1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
    if (error != std::errc() || end != port.data() + port.size() || url.port == 0) return wrong;
  }
  if (url.host.empty()) return wrong;
  return url;
}

std::expected<HttpReply, std::string> read_http_reply(const std::string& octets) {
  constexpr std::string_view version = "HTTP/1.";
  HttpReply reply;
  if (!octets.starts_with(version) || octets.size() < 13 || octets[8] != ' ' || !has_end_of_head(octets))
    return std::unexpected("the answer is not HTTP/1.1");
  const auto [end, error] = std::from_chars(octets.data() + 9, octets.data() + 12, reply.status);
  if (error != std::errc() || end != octets.data() + 12) return std::unexpected("the answer is not HTTP/1.1");
  reply.body = octets.substr(octets.find("\r\n\r\n") + 4);
  return reply;
}

std::expected<HttpReply, std::string> post_json(const HttpUrl& url, const std::string& json,
                                                std::chrono::nanoseconds most) {
  const auto end = os::Clock::now() + most;
  const auto tcp = make_own_transport("iiop");
  auto stream = tcp->connect({.protocol = "iiop", .host = url.host, .port = url.port}, end, {});
  if (!stream) return std::unexpected(stream.error().text);
  Exchange exchange(**stream, end);
  std::string octets;
  std::string failure = exchange.send(request_of(url, json));
  if (failure.empty()) failure = exchange.receive(octets);
  if (!failure.empty()) return std::unexpected(failure);
  return read_http_reply(octets);
}

}  // namespace takt::command
