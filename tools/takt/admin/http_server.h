// A small HTTP server for one page.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace takt::command {

// Has a thread of its own, which waits for all clients at once, so that slow ones delay no others. An address
// has 4 connections at most, all have 32: a further one ends the oldest. Connections without progress end
// after 10 s. A request has at most 32 KiB.
class HttpServer {
 public:
  // `page` makes the content of /metrics. It must not throw.
  // Throws a Failure if the address cannot be listened to. `host` is a number or localhost; port 0: any.
  HttpServer(const std::string& host, std::uint16_t port, std::function<std::string()> page);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;

 private:
  struct Running;
  const std::unique_ptr<Running> running_;
};

}  // namespace takt::command
