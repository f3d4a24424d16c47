// What all TLS connections of one ORB have in common: certificates, keys, authorities, sessions.
#pragma once

#include <cstddef>
#include <deque>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "os/threads/priority_mutex.h"
#include "transport/tls/openssl.h"
#include "transport/tls/tls_options.h"

namespace takt::transport {

// The sessions that servers have given this client, for it to resume. Any thread.
class TlsSessions {
 public:
  // So many servers are remembered; the one that came first is forgotten first.
  static constexpr std::size_t most = 256;

  void put(const std::string& server, Owned<SSL_SESSION> session);
  // A ticket of TLS 1.3 is to be used once, so it is gone then.
  Owned<SSL_SESSION> take(const std::string& server);

 private:
  os::PriorityMutex mutex_;
  std::unordered_map<std::string, Owned<SSL_SESSION>> sessions_;
  std::deque<std::string> order_;
};

// Immutable but for its sessions; connections that were made with it keep it. Any thread.
class TlsContext {
 public:
  // Reads the files. The error says which option's file is at fault, why, and what to do.
  static std::expected<std::shared_ptr<TlsContext>, std::string> read(const TlsOptions& options);

  // An end of one connection; null: out of memory. Keeps the context.
  Owned<SSL> server_end() const;
  // `host`: what the server's certificate has to name. `server`: by which its sessions are remembered.
  Owned<SSL> client_end(const std::string& host, const std::string& server);
  bool has_certificate() const { return has_certificate_; }

 private:
  TlsContext() = default;

  Owned<SSL_CTX> server_;
  Owned<SSL_CTX> client_;
  TlsSessions sessions_;
  bool has_certificate_ = false;
  bool check_hosts_ = true;
  bool resumption_ = true;
};

}  // namespace takt::transport
