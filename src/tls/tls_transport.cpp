#include "tls/tls_transport.h"

#include <cerrno>

#include "os/error_text.h"
#include "os/poll/wait.h"
#include "tls/tls_stream.h"
#include "transport/connect_watch.h"
#include "transport/internet_endpoints.h"

namespace takt::transport {

namespace {

ConnectError refusal(const Endpoint& to, int error, const std::string& why) {
  return {ConnectError::Phase::tls, error, "cannot connect to " + to_text(to) + ": TLS: " + why};
}

// Covers silent peers, peers that hang up, and other failures.
ConnectError refusal(const Endpoint& to, const IoResult& result) {
  if (result.status == IoStatus::timed_out)
    return refusal(to, ETIMEDOUT, "the server does not answer; does it speak TLS on that port?");
  if (result.status == IoStatus::end_of_stream)
    return refusal(to, EPROTO,
                   "the server ended the connection during the handshake; does it speak TLS on that port?");
  return refusal(to, result.error, os::error_text(result.error));
}

IoResult send_all(Stream& stream, TlsEngine& engine) {
  std::vector<std::uint8_t> output;
  engine.take_output(output);
  for (ByteView left = output; !left.empty();) {
    const IoResult result = stream.write(left);
    if (result.status != IoStatus::ok) return result;
    left = left.subspan(result.bytes);
  }
  return {0, IoStatus::ok, 0};
}

// Limit of the next wait; nullopt if the deadline has passed, since zero would mean for ever.
std::optional<std::chrono::nanoseconds> time_left(os::TimePoint deadline) {
  if (deadline == os::no_deadline) return std::chrono::nanoseconds(0);
  const auto left = os::remaining(deadline, os::Clock::now());
  if (left.count() == 0) return std::nullopt;
  return left;
}

std::optional<ConnectError> shake_hands(const Endpoint& to, Stream& stream, TlsEngine& engine,
                                        os::TimePoint deadline) {
  for (;;) {
    const TlsEngine::Step step = engine.handshake();
    const IoResult sent = send_all(stream, engine);
    if (step == TlsEngine::Step::failed)
      return refusal(to, engine.distrusted() ? EACCES : EPROTO, engine.reason());
    if (sent.status != IoStatus::ok) return refusal(to, sent);
    if (step == TlsEngine::Step::done) return std::nullopt;
    const auto arrives = os::wait_ready(stream.native_handle(), os::Interest::read, deadline);
    const auto left = time_left(deadline);
    if (!left || arrives == os::WaitResult::timed_out) return refusal(to, {0, IoStatus::timed_out, 0});
    stream.set_timeouts(*left, *left);
    const IoResult arrived = stream.read(engine.handshake_space());
    if (arrived.status != IoStatus::ok) return refusal(to, arrived);
    engine.input_arrived(arrived.bytes);
  }
}

}  // namespace

ConnectResult TlsTransport::connect(const Endpoint& to, os::TimePoint deadline,
                                    const StreamOptions& options) {
  auto used = context();
  if (!used) return std::unexpected(refusal(to, EACCES, used.error()));
  ConnectWatch::report(ConnectError::Phase::connect);
  auto stream = tcp_.connect(to, deadline, options);
  if (!stream) return std::unexpected(std::move(stream.error()));
  auto end = (*used)->client_end(to.host, to_text(to));
  if (!end) return std::unexpected(refusal(to, ENOMEM, "out of memory"));
  auto engine = std::make_unique<TlsEngine>(std::move(end));
  ConnectWatch::report(ConnectError::Phase::tls);
  if (auto error = shake_hands(to, **stream, *engine, deadline)) return std::unexpected(std::move(*error));
  (*stream)->set_timeouts({}, {});
  return std::make_unique<TlsStream>(std::move(*stream), std::move(*used), std::move(engine));
}

ListenResult TlsTransport::listen(const Endpoint& on, const ListenOptions& options) {
  const auto refuse = [&](int error, const std::string& why) {
    return std::unexpected(ListenError{error, "cannot listen on " + to_text(on) + ": " + why});
  };
  const auto usable = context();
  if (!usable) return refuse(EINVAL, usable.error());
  if (!(*usable)->has_certificate())
    return refuse(EINVAL, "TLS: a server shows a certificate: set -ORBTLSCertificate and -ORBTLSKey");
  auto listener = tcp_.listen(on, options);
  if (!listener) return listener;
  auto ready = os::ReadySet::create();
  if (!ready) return refuse(ready.error(), os::error_text(ready.error()));
  TlsContexts& contexts = *this;
  return std::make_unique<TlsAcceptor>(std::move(*listener), std::move(*ready), on.protocol, contexts,
                                       options_);
}

EndpointResult TlsTransport::parse(std::string_view address) const {
  return internet_endpoints::parse(name(), address);
}

std::expected<std::shared_ptr<TlsContext>, std::string> TlsTransport::context() {
  if (auto present = present_context()) {
    present->warn_daily(options_, os::Clock::now());
    return present;
  }
  const std::lock_guard one_reader(reading_mutex_);
  if (auto present = present_context()) return present;
  return read(true);
}

std::expected<void, std::string> TlsTransport::reload() {
  const std::lock_guard one_reader(reading_mutex_);
  const bool is_first = !present_context();
  if (auto made = read(is_first); !made) return std::unexpected(made.error());
  return {};
}

std::shared_ptr<TlsContext> TlsTransport::present_context() {
  const std::lock_guard lock(mutex_);
  return context_;
}

std::expected<std::shared_ptr<TlsContext>, std::string> TlsTransport::read(bool is_first) {
  auto made = TlsContext::read(options_, is_first);
  if (!made) return made;
  const std::lock_guard lock(mutex_);
  context_ = *made;
  return made;
}

}  // namespace takt::transport
