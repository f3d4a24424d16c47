// A client of HTTP/1.1 that posts one document at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>

namespace takt::command {

struct HttpUrl {
  std::string host;  // IPv6 without brackets
  std::uint16_t port = 80;
  std::string path = "/";
};

// "http://HOST[:PORT][/PATH]". The error is for people.
std::expected<HttpUrl, std::string> http_url_from(const std::string& text);

struct HttpReply {
  int status = 0;
  std::string body;  // up to 64 KiB of it
};

// Posts JSON over a new connection. Takes `most` in all. The error is for people.
std::expected<HttpReply, std::string> post_json(const HttpUrl& url, const std::string& json,
                                                std::chrono::nanoseconds most);

// The status and body of a whole reply, or as much of it as has arrived; the error is for people.
std::expected<HttpReply, std::string> read_http_reply(const std::string& octets);

}  // namespace takt::command
