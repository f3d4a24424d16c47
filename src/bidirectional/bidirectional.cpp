#include "bidirectional/bidirectional.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <takt/transport/transport.h>

#include "bidirectional/bidirectional_channel.h"
#include "client/channel/probed_channel.h"
#include "queued/worker_pool.h"
#include "server/output/graceful_close.h"

namespace takt::bidirectional {

using transport::ConnectError;
using Clock = std::chrono::steady_clock;

namespace {

// Bits that keep these ids distinct from those of ConnectionIds.
constexpr std::uint64_t offering_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t back_bit = std::uint64_t{1} << 62;

// The listen points of this ORB's objects. Only IIOP has listen points.
std::vector<giop::HostPort> listen_points(const reference::References& references) {
  std::vector<giop::HostPort> points;
  for (const transport::Endpoint& endpoint : references.own_endpoints.published())
    if (endpoint.protocol == "iiop") points.push_back({endpoint.host, endpoint.port});
  return points;
}

}  // namespace

Bidirectional::~Bidirectional() = default;

void Bidirectional::accept_from_same_address() {
  auto off = Accept::off;
  accept_.compare_exchange_strong(off, Accept::same_address);
}

std::vector<giop::HostPort> Bidirectional::accepted(ByteView context, const transport::Stream& stream) const {
  const Accept accept = accept_.load(std::memory_order_relaxed);
  if (accept == Accept::off) return {};
  auto points = giop::read_listen_points(context);
  if (!points) return {};
  if (accept == Accept::same_address) {
    const std::string peer = stream.peer_host();
    std::erase_if(*points, [&](const giop::HostPort& point) { return point.host != peer; });
  }
  return std::move(*points);
}

std::shared_ptr<server::QueuedChannel> Bidirectional::Connection::usable() const {
  auto locked = channel.lock();
  return locked && !locked->over() ? locked : nullptr;
}

Bidirectional::Connection Bidirectional::open(const std::shared_ptr<server::QueuedChannel>& channel,
                                              std::vector<std::uint8_t> offer,
                                              const cdr::CodeSets* chosen) const {
  auto requests = std::make_shared<BidirectionalRequests>(client_.protocol.limits->outstanding_requests,
                                                          channel->reader_loan(), std::move(offer));
  channel->open_bidirectional(requests, chosen);
  return {channel, std::move(requests)};
}

void Bidirectional::use_for_callbacks(const std::shared_ptr<server::QueuedChannel>& channel,
                                      std::vector<giop::HostPort> points) {
  const Connection connection = open(channel, {});
  std::lock_guard lock(mutex_);
  if (known_.size() >= forget_from_) {
    std::erase_if(known_, [](const auto& known) { return !known.second.connection.usable(); });
    forget_from_ = std::max(fewest_to_forget_from, 2 * known_.size());
  }
  const std::uint64_t id = back_bit | ++next_id_;
  for (giop::HostPort& point : points)
    known_.emplace(Place(std::move(point.host), point.port), Known{connection, id});
}

std::optional<Bidirectional::Known> Bidirectional::find(const transport::Endpoint& endpoint) const {
  const Place place(endpoint.host, endpoint.port);
  std::lock_guard lock(mutex_);
  for (auto after = known_.upper_bound(place); after != known_.begin();) {
    --after;
    if (after->first != place) break;
    if (after->second.connection.usable()) return after->second;
  }
  return std::nullopt;
}

// A claimed address proves nothing, so this must not replace an authenticated (TLS) connection.
std::optional<Bidirectional::Known> Bidirectional::back_to(const reference::Route& route,
                                                           const reference::Route::Address& address) const {
  if (route.server->giop_minor < 2 || address.endpoint.protocol != "iiop") return std::nullopt;
  return find(address.endpoint);
}

bool Bidirectional::was_offered(const reference::Route& route,
                                const reference::Route::Address& address) const {
  return accepts() && back_to(route, address).has_value();
}

std::unique_ptr<client::ClientChannel> Bidirectional::channel_of(
    const Connection& connection, const std::shared_ptr<server::QueuedChannel>& channel) const {
  return client::make_channel<BidirectionalChannel>(client_.steps, channel, connection.requests,
                                                    client_.options.round_trip_timeout);
}

std::shared_ptr<server::WorkerPool> Bidirectional::pool() {
  std::lock_guard lock(pool_mutex_);
  if (!pool_ && !stopped_ && start_) pool_ = start_();
  return pool_;
}

void Bidirectional::hand_over(std::unique_ptr<transport::Stream> stream, giop::Connection&& protocol,
                              const server::RequestFormats& formats, std::vector<giop::HostPort> points) {
  std::shared_ptr<server::WorkerPool> workers;
  try {
    workers = pool();
  } catch (const CORBA::SystemException&) {  // without threads or descriptors there are no callbacks
  }
  if (!workers) {
    std::vector<std::unique_ptr<transport::Stream>> alone;
    alone.push_back(std::move(stream));
    return server::reject(alone, Clock::now());
  }
  workers->adopt(std::move(stream), std::move(protocol), formats,
                 [&](const auto& connection) { use_for_callbacks(connection, std::move(points)); });
}

Bidirectional::OfferedStrategy& Bidirectional::offering_in(const cdr::CodeSets& chosen) {
  std::lock_guard lock(mutex_);
  return offering_.try_emplace({chosen.narrow, chosen.wide}, *this, chosen).first->second;
}

std::optional<client::ConnectionOverride::KeyedStrategy> Bidirectional::connection_for(
    const reference::Route& route, const reference::Route::Address& address,
    const reference::ConnectionKey& usual, bool offers) {
  if (route.server->giop_minor < 2) return std::nullopt;
  if (const auto known = back_to(route, address)) return KeyedStrategy{&back_, {.connection_id = known->id}};
  const reference::References& references = client_.references;
  const transport::Transport* const transport = references.transports.find(address.endpoint.protocol);
  if (!offers || !transport || !transport->supports_bidirectional() || listen_points(references).empty())
    return std::nullopt;
  return KeyedStrategy{&offering_in(route.server->code_sets),
                       {.connection_id = offering_bit | usual.connection_id, .reference = usual.reference}};
}

std::expected<std::unique_ptr<client::ClientChannel>, ConnectError> Bidirectional::Back::open(
    client::Client&, const reference::Route::Address& address, const reference::ConnectionKey&,
    Clock::time_point) {
  if (const auto known = all_.find(address.endpoint))
    if (const auto channel = known->connection.usable()) return all_.channel_of(known->connection, channel);
  return std::unexpected(ConnectError{
      ConnectError::Phase::connect, ECONNRESET,
      to_text(address.endpoint).append(": the connection that its client had opened has just ended")});
}

std::unique_ptr<client::ClientChannel> Bidirectional::OfferedStrategy::channel_of(
    const reference::ConnectionKey& key) const {
  const auto found = connections_.find(key);
  const auto channel = found == connections_.end() ? nullptr : found->second.usable();
  return channel ? all_.channel_of(found->second, channel) : nullptr;
}

// Connecting may take long, so it happens outside the lock. If two threads connect at once, one connection is
// kept.
std::expected<std::unique_ptr<client::ClientChannel>, ConnectError> Bidirectional::OfferedStrategy::open(
    client::Client& client, const reference::Route::Address& address, const reference::ConnectionKey& key,
    Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  if (auto channel = channel_of(key)) return channel;
  lock.unlock();
  const auto workers = all_.pool();
  if (!workers)
    return std::unexpected(ConnectError{ConnectError::Phase::connect, ESHUTDOWN,
                                        to_text(address.endpoint).append(": the ORB has been shut down")});
  auto stream = client.connect(address.endpoint, deadline, address.streams);
  if (!stream) return std::unexpected(std::move(stream.error()));
  lock.lock();
  if (auto channel = channel_of(key)) return channel;
  const auto offer = [&](const std::shared_ptr<server::QueuedChannel>& channel) {
    connections_[key] =
        all_.open(channel, giop::write_listen_points(listen_points(client.references)), &chosen_);
  };
  const auto channel = workers->serve_client_end(std::move(*stream), offer);
  if (!channel)
    return std::unexpected(ConnectError{
        ConnectError::Phase::connect, EMFILE,
        to_text(address.endpoint).append(": no room for one more connection (-ORBMaxConnections)")});
  auto made = all_.channel_of(connections_[key], channel);
  std::erase_if(connections_, [](const auto& known) { return known.second.channel.expired(); });
  return made;
}

void Bidirectional::stop(std::chrono::nanoseconds bound) {
  std::shared_ptr<server::WorkerPool> workers;
  {
    std::lock_guard lock(pool_mutex_);
    stopped_ = true;
    workers = pool_;
  }
  if (!workers) return;
  workers->stop(bound);
  // The pool holds the ORB, which holds this object.
  std::lock_guard lock(pool_mutex_);
  pool_.reset();  // not the last reference: `workers` is released without the lock
}

}  // namespace takt::bidirectional
