// Posts documents by HTTP, with libcurl.
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <string>

namespace takt::command {

// The URL with `default_path` if it has none. The schemes are http and https. The error is for people.
std::expected<std::string, std::string> post_url_from(const std::string& text, const char* default_path);

struct HttpReply {
  int status = 0;
  std::string body;  // up to 64 KiB of it
};

// Keeps its connection for the next document. Heeds http_proxy and no_proxy as curl does, and follows no
// redirection. One thread at a time.
class HttpPoster {
 public:
  // `url`: from post_url_from(). `authorities`: PEM file with the authorities that the server's certificate
  // is verified by; empty: those of the system. Throws std::bad_alloc.
  explicit HttpPoster(std::string url, const std::string& authorities = {});
  ~HttpPoster();
  HttpPoster(const HttpPoster&) = delete;
  HttpPoster& operator=(const HttpPoster&) = delete;

  // Blocks for `most` at most, which counts in milliseconds. The error is for people.
  std::expected<HttpReply, std::string> post_json(const std::string& json, std::chrono::nanoseconds most);

 private:
  struct Curl;
  const std::string url_;
  const std::unique_ptr<Curl> curl_;
};

}  // namespace takt::command
