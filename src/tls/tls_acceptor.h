// Accepting TLS connections after their handshakes.
#pragma once

#include <cstddef>
#include <expected>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <takt/transport/acceptor.h>
#include "os/poll/ready_set.h"
#include "tls/tls_context.h"
#include "tls/tls_engine.h"
#include "tls/tls_options.h"

namespace takt::transport {

// Supplies the context of new connections. It may change while the ORB runs.
class TlsContexts {
 public:
  virtual ~TlsContexts() = default;
  // The error states which file of the options is wrong, and why.
  virtual std::expected<std::shared_ptr<TlsContext>, std::string> context() = 0;
};

// Runs many handshakes side by side without waiting for any peer; accept() returns those that are complete.
// Slow or silent peers are dropped after TlsOptions::handshake_time, and earlier if there are too many. The
// native handle is ready when any of them can make progress, so accept() may still return `would_block`.
class TlsAcceptor final : public Acceptor {
 public:
  // `listener` is non-blocking. `contexts` and `options` must outlive this object.
  TlsAcceptor(std::unique_ptr<Acceptor> listener, std::unique_ptr<os::ReadySet> ready, std::string protocol,
              TlsContexts& contexts, const TlsOptions& options);
  ~TlsAcceptor() override;

  AcceptResult accept() override;
  void set_blocking(bool blocking) override { blocking_ = blocking; }
  int native_handle() const override { return ready_->fd(); }
  Endpoint local_endpoint() const override;
  void stop_new_attempts() override { listener_->stop_new_attempts(); }
  void close() override { listener_->close(); }

 private:
  struct Opening {
    std::unique_ptr<Stream> stream;
    std::unique_ptr<TlsEngine> engine;  // null until the peer's first octet has arrived
    std::shared_ptr<TlsContext> context;
    std::vector<std::uint8_t> output;
    os::TimePoint since;
    std::size_t network = 0;    // hash of the peer's IPv4 address, or of 64 bits of its IPv6 address
    bool begins_plain = false;  // the first octet does not begin a TLS handshake
    bool done = false;
    std::list<Opening>::iterator self;
  };
  AcceptResult take(std::span<void* const> tokens);
  std::expected<void, AcceptError> take_new();
  Opening& first_to_drop(std::size_t network);
  std::unique_ptr<Stream> go_on(Opening& one);
  std::string begin(Opening& one);
  bool shake_hands(Opening& one);
  static void refuse_plain(Opening& one);
  bool send(Opening& one);
  std::unique_ptr<Stream> finish(Opening& one);
  // An empty `why` is not reported.
  void drop(Opening& one, const std::string& why);
  void drop_late();
  os::TimePoint patience_ends(const Opening& one) const { return one.since + options_.handshake_time.get(); }
  void wake_for_first();

  const std::unique_ptr<Acceptor> listener_;
  const std::unique_ptr<os::ReadySet> ready_;
  const std::string protocol_;
  TlsContexts& contexts_;
  const TlsOptions& options_;
  const std::size_t most_openings_;
  bool blocking_ = false;
  std::list<Opening> openings_;  // oldest first
  os::TimePoint wakes_at_ = os::no_deadline;
};

}  // namespace takt::transport
