#include "tls/tls_acceptor.h"

#include <algorithm>
#include <array>
#include <functional>
#include <ranges>

#include "os/net/address.h"
#include "os/net/stream_sockets.h"
#include "os/reserve_descriptor.h"
#include "tls/tls_stream.h"

namespace takt::transport {

using os::Interest;

namespace {

constexpr std::size_t steps_at_once = 8;  // then accept() turns to new connections
constexpr std::uint8_t handshake_record = 22;
constexpr int reads_of_plain = 16;

// An eighth of the descriptors at most: connections may have three quarters, and the program needs some.
std::size_t most_openings(const TlsOptions& options) {
  const long descriptors = os::most_descriptors();
  const std::size_t share = descriptors > 0 ? static_cast<std::size_t>(descriptors) / 8 : options.handshakes;
  return std::max<std::size_t>(std::min(options.handshakes, share), 1);
}

// A hash, or 0 if it is not known.
std::size_t network_of(const Stream& stream) {
  const auto address = os::Address::parse(stream.peer_host(), 0);
  return address ? std::hash<std::string>()(address->network_text()) : 0;
}

}  // namespace

TlsAcceptor::TlsAcceptor(std::unique_ptr<Acceptor> listener, std::unique_ptr<os::ReadySet> ready,
                         std::string protocol, TlsContexts& contexts, const TlsOptions& options)
    : listener_(std::move(listener)),
      ready_(std::move(ready)),
      protocol_(std::move(protocol)),
      contexts_(contexts),
      options_(options),
      most_openings_(most_openings(options)) {
  ready_->add(listener_->native_handle(), Interest::read, listener_.get());
}

TlsAcceptor::~TlsAcceptor() = default;

Endpoint TlsAcceptor::local_endpoint() const {
  Endpoint endpoint = listener_->local_endpoint();
  endpoint.protocol = protocol_;
  return endpoint;
}

AcceptResult TlsAcceptor::accept() {
  for (;;) {
    std::array<void*, steps_at_once> tokens;
    const std::size_t count = ready_->ready(tokens, blocking_);
    AcceptResult taken = take({tokens.data(), count});
    const bool nobody = !taken.has_value() && taken.error() == AcceptError::would_block;
    if (!nobody || !blocking_) return taken;
  }
}

// Returns the first completed connection; other ready ones are handled by the next call.
AcceptResult TlsAcceptor::take(std::span<void* const> tokens) {
  drop_late();
  for (void* const token : tokens) {
    if (token != listener_.get()) {
      const auto known = std::ranges::find(openings_, token, [](Opening& one) -> void* { return &one; });
      if (known == openings_.end()) continue;
      if (auto stream = go_on(*known)) return stream;  // NOLINT: the result owns it
    } else if (const auto taken = take_new(); !taken && taken.error() != AcceptError::would_block) {
      return std::unexpected(taken.error());
    }
  }
  return std::unexpected(AcceptError::would_block);
}

std::expected<void, AcceptError> TlsAcceptor::take_new() {
  auto stream = listener_->accept();
  if (!stream && stream.error() == AcceptError::exhausted && !openings_.empty()) {
    drop(first_to_drop(0), "the process has no descriptor for another connection");
    stream = listener_->accept();
  }
  if (!stream) return std::unexpected(stream.error());
  const std::size_t network = network_of(**stream);
  if (openings_.size() >= most_openings_)
    drop(first_to_drop(network), "too many others are in their handshakes");
  (*stream)->set_blocking(false);
  Opening& one = openings_.emplace_back();
  one.network = network;
  one.self = std::prev(openings_.end());
  one.stream = std::move(*stream);
  one.since = os::Clock::now();
  if (!ready_->add(one.stream->native_handle(), Interest::read, &one)) {
    openings_.pop_back();
    return std::unexpected(AcceptError::exhausted);
  }
  wake_for_first();
  return {};
}

// The oldest handshake of `network` (0: not known) if that has more than a quarter of all, or else of
// another network that has, so that a flood makes room for all clients. Without such a network, the oldest of
// all.
TlsAcceptor::Opening& TlsAcceptor::first_to_drop(std::size_t network) {
  // Misra and Gries (1982): a network with more than a quarter ends up among three candidates.
  struct Candidate {
    std::size_t network = 0, count = 0;
  };
  std::array<Candidate, 4> candidates;  // `network` is looked at first
  candidates.front().network = network;
  const std::span others = std::span(candidates).subspan(1);
  for (const Opening& one : openings_) {
    auto known = std::ranges::find(others, one.network, &Candidate::network);
    if (known == others.end()) known = std::ranges::find(others, 0u, &Candidate::count);
    if (known != others.end())
      *known = {one.network, known->count + 1};
    else
      for (Candidate& each : others) --each.count;
  }
  for (const Candidate& each : candidates) {
    std::size_t count = 0;
    Opening* oldest = nullptr;
    for (Opening& one : openings_ | std::views::reverse) {
      if (one.network != each.network) continue;
      oldest = &one;
      ++count;
    }
    if (count > openings_.size() / 4) return *oldest;
  }
  return openings_.front();
}

// Null: the handshake continues, or has failed.
std::unique_ptr<Stream> TlsAcceptor::go_on(Opening& one) {
  if (!one.engine) {
    std::uint8_t first = 0;
    const IoResult peeked = os::peek(one.stream->native_handle(), {&first, 1});
    if (peeked.status == IoStatus::would_block) return nullptr;
    one.begins_plain = first != handshake_record;
    if (peeked.status == IoStatus::ok && one.begins_plain && options_.plain_too) return finish(one);
    const std::string why = peeked.status != IoStatus::ok ? "" : begin(one);
    if (!one.engine) {
      drop(one, why);
      return nullptr;
    }
  }
  if (!send(one)) return nullptr;
  if (!one.done && !shake_hands(one)) return nullptr;
  return one.done ? finish(one) : nullptr;
}

// One step of the handshake. False: it must wait for the peer, or `one` was dropped.
bool TlsAcceptor::shake_hands(Opening& one) {
  const IoResult arrived = one.stream->read(one.engine->handshake_space());
  if (arrived.status == IoStatus::would_block) return false;
  if (arrived.status != IoStatus::ok) {
    drop(one, "the client ended the connection during the handshake");
    return false;
  }
  one.engine->input_arrived(arrived.bytes);
  const TlsEngine::Step step = one.engine->handshake();
  one.done = step == TlsEngine::Step::done;
  one.engine->take_output(one.output);
  if (step != TlsEngine::Step::failed) return send(one);
  if (one.begins_plain && one.output.empty()) refuse_plain(one);
  static_cast<void>(one.stream->write(one.output));
  drop(one, one.engine->reason());
  return false;
}

// OpenSSL sends no alert to a client that does not speak TLS, so this one explains the refusal. Unread octets
// would make the system reset the connection, possibly before the alert arrives, so they are read first.
void TlsAcceptor::refuse_plain(Opening& one) {
  constexpr std::uint8_t alert[] = {21, 3, 1, 0, 2, 2, 70};  // fatal, protocol_version (RFC 5246, 7.2)
  one.output.assign(std::begin(alert), std::end(alert));
  std::array<std::uint8_t, 4096> unread;
  for (int reads = 0; reads < reads_of_plain && one.stream->read(unread).status == IoStatus::ok; ++reads) {
  }
}

// Returns an error text if it could not create the engine.
std::string TlsAcceptor::begin(Opening& one) {
  auto context = contexts_.context();
  if (!context) return context.error();
  auto end = (*context)->server_end();
  if (!end) return "out of memory";
  one.context = std::move(*context);
  one.engine = std::make_unique<TlsEngine>(std::move(end));
  return {};
}

// False: the output was not sent completely, or the connection was dropped.
bool TlsAcceptor::send(Opening& one) {
  if (one.output.empty()) return true;
  const IoResult result = one.stream->write(one.output);
  if (result.status == IoStatus::ok)
    one.output.erase(one.output.begin(), one.output.begin() + static_cast<std::ptrdiff_t>(result.bytes));
  else if (result.status != IoStatus::would_block) {
    drop(one, "the client ended the connection during the handshake");
    return false;
  }
  ready_->change(one.stream->native_handle(), one.output.empty() ? Interest::read : Interest::write, &one);
  return one.output.empty();
}

std::unique_ptr<Stream> TlsAcceptor::finish(Opening& one) {
  ready_->remove(one.stream->native_handle());
  one.stream->set_blocking(true);
  Opening done = std::move(one);
  openings_.erase(done.self);
  wake_for_first();
  if (!done.engine) return std::move(done.stream);
  return std::make_unique<TlsStream>(std::move(done.stream), std::move(done.context), std::move(done.engine));
}

void TlsAcceptor::drop(Opening& one, const std::string& why) {
  if (options_.on_refusal && !why.empty())
    options_.on_refusal("TLS: the connection " + one.stream->describe() + " is refused: " + why);
  ready_->remove(one.stream->native_handle());
  openings_.erase(one.self);
  wake_for_first();
}

void TlsAcceptor::drop_late() {
  const auto now = os::Clock::now();
  while (!openings_.empty() && patience_ends(openings_.front()) <= now)
    drop(openings_.front(), "its handshake has taken longer than -ORBTLSHandshakeTimeout");
  wake_for_first();  // the option may have changed
}

void TlsAcceptor::wake_for_first() {
  const auto first = openings_.empty() ? os::no_deadline : patience_ends(openings_.front());
  if (first == wakes_at_) return;
  wakes_at_ = first;
  ready_->wake_at(first);
}

}  // namespace takt::transport
