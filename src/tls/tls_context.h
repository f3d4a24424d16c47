// State shared by the TLS connections of an ORB: certificates, keys, authorities, sessions.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include <takt/os/clock.h>

#include "threads/locks/priority_mutex.h"
#include "tls/openssl.h"
#include "tls/tls_options.h"

namespace takt::transport {

// Sessions that servers have issued to this client, for resumption. Any thread.
class TlsSessions {
 public:
  // Number of servers to remember. The oldest entry is dropped first.
  static constexpr std::size_t most = 256;

  void put(const std::string& server, Owned<SSL_SESSION> session);
  // Removes the session, because a TLS 1.3 ticket must be used only once.
  Owned<SSL_SESSION> take(const std::string& server);

 private:
  os::PriorityMutex mutex_;
  std::unordered_map<std::string, Owned<SSL_SESSION>> sessions_;
  std::deque<std::string> order_;
};

// Immutable except for its sessions and the time of its warnings. Connections keep the context with which
// they were made. Any thread.
class TlsContext {
 public:
  // Reads the files. The error states which option's file is at fault, why, and what to do. `is_first`: no
  // context was read before; then the file of the key's password may be a pipe, for whose writer this waits.
  static std::expected<std::shared_ptr<TlsContext>, std::string> read(const TlsOptions& options,
                                                                      bool is_first = true);

  // The SSL object of one connection; null if out of memory. It keeps the context alive.
  Owned<SSL> server_end() const;
  // `host` is the name that the server's certificate must have. `server` is the key of its sessions.
  Owned<SSL> client_end(const std::string& host, const std::string& server);
  bool has_certificate() const { return has_certificate_; }
  // Warns of this process's certificates as read() has, if the last time was a day ago. Any thread.
  void warn_daily(const TlsOptions& options, os::TimePoint now);

 private:
  TlsContext() = default;

  Owned<SSL_CTX> server_;
  Owned<SSL_CTX> client_;
  TlsSessions sessions_;
  std::atomic<os::TimePoint> warned_at_{os::Clock::now()};
  bool has_certificate_ = false;
  bool check_hosts_ = true;
  bool resumption_ = true;
};

}  // namespace takt::transport
