// How requests reach etcd: HTTP, without a choice of library.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <memory>
#include <string>

namespace takt::etcd {

struct HttpFault {
  std::string text;
  bool maybe_sent = false;  // the server may have the request
  bool too_long = false;    // the answer was
  bool timed_out = false;
};

struct HttpAnswer {
  int status = 0;
  std::string body;
};

// An answer that goes on. One thread at a time.
class HttpStream {
 public:
  virtual ~HttpStream() = default;
  // The octets that have arrived; waits for them for `most`. Empty: none came. The reason if the stream has
  // ended.
  virtual std::expected<std::string, std::string> read(std::chrono::milliseconds most) = 0;
};

// Thread-safe.
class Http {
 public:
  virtual ~Http() = default;
  // Posts JSON and reads the answer, in `most` at most. An answer of more than `most_bytes` is a fault.
  virtual std::expected<HttpAnswer, HttpFault> post(const std::string& url, const std::string& json,
                                                    std::chrono::milliseconds most,
                                                    std::size_t most_bytes) = 0;
  // Posts JSON, and gives the answer as it comes. Does not block; read() tells of faults.
  virtual std::unique_ptr<HttpStream> open(const std::string& url, const std::string& json) = 0;
  // Later requests have the token as their Authorization.
  virtual void authorize(const std::string& token) = 0;
};

}  // namespace takt::etcd
