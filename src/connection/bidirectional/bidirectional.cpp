#include "connection/bidirectional/bidirectional.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <takt/transport/transport.h>

#include "connection/bidirectional/two_way_channel.h"
#include "connection/orb_core.h"
#include "connection/probes/probed_channel.h"
#include "connection/server/farewell.h"
#include "connection/server/queued/worker_pool.h"

namespace takt::connection {

using transport::ConnectError;
using Clock = std::chrono::steady_clock;

namespace {

// Apart from those that ConnectionIds gives.
constexpr std::uint64_t offering_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t back_bit = std::uint64_t{1} << 62;

// Where our own objects are; other protocols than IIOP have no listen points.
std::vector<giop::Address> listen_points(const OrbCore& core) {
  std::vector<giop::Address> points;
  for (const transport::Endpoint& endpoint : core.published())
    if (endpoint.protocol == "iiop") points.push_back({endpoint.host, endpoint.port});
  return points;
}

}  // namespace

Bidirectional::~Bidirectional() = default;

void Bidirectional::accept_from_same_address() {
  auto off = Accept::off;
  accept_.compare_exchange_strong(off, Accept::same_address);
}

std::vector<giop::Address> Bidirectional::accepted(ByteView context, const transport::Stream& stream) const {
  const Accept accept = accept_.load(std::memory_order_relaxed);
  if (accept == Accept::off) return {};
  auto points = giop::read_listen_points(context);
  if (!points) return {};
  if (accept == Accept::same_address) {
    const std::string peer = stream.peer_host();
    std::erase_if(*points, [&](const giop::Address& point) { return point.host != peer; });
  }
  return std::move(*points);
}

void Bidirectional::go_back_over(const std::shared_ptr<QueuedChannel>& connection,
                                 std::vector<giop::Address> points) {
  std::lock_guard lock(mutex_);
  if (known_.size() >= forget_from_) {
    std::erase_if(known_, [](const auto& known) {
      const auto alive = known.second.connection.lock();
      return !alive || alive->over();
    });
    forget_from_ = std::max(fewest_to_forget_from, 2 * known_.size());
  }
  const std::uint64_t id = back_bit | ++next_id_;
  for (giop::Address& point : points)
    known_.insert_or_assign(Place(std::move(point.host), point.port), Known{connection, id});
}

std::shared_ptr<QueuedChannel> Bidirectional::find(const transport::Endpoint& endpoint,
                                                   std::uint64_t* id) const {
  std::lock_guard lock(mutex_);
  const auto found = known_.find(Place(endpoint.host, endpoint.port));
  if (found == known_.end()) return nullptr;
  auto connection = found->second.connection.lock();
  if (!connection || connection->over()) return nullptr;
  if (id) *id = found->second.id;
  return connection;
}

std::shared_ptr<WorkerPool> Bidirectional::pool() {
  std::lock_guard lock(pool_mutex_);
  if (!pool_ && !stopped_ && start_) pool_ = start_();
  return pool_;
}

void Bidirectional::hand_over(std::unique_ptr<transport::Stream> stream, giop::Connection&& protocol,
                              const RequestFormats& formats, std::vector<giop::Address> points) {
  std::shared_ptr<WorkerPool> workers;
  try {
    workers = pool();
  } catch (const CORBA::SystemException&) {  // no threads, no descriptors: no call-backs either
  }
  if (!workers) {
    std::vector<std::unique_ptr<transport::Stream>> alone;
    alone.push_back(std::move(stream));
    return turn_away(alone, Clock::now());
  }
  workers->adopt(std::move(stream), std::move(protocol), formats,
                 [&](const auto& connection) { go_back_over(connection, std::move(points)); });
}

std::optional<Bidirectional::Way> Bidirectional::way_to(OrbCore& core, const Route& route,
                                                        const Route::Address& address,
                                                        const ConnectionKey& usual, bool offers) {
  if (route.server->giop_minor < 2) return std::nullopt;
  std::uint64_t id = 0;
  // Nobody proves that an address is his by saying so; where TLS is wanted, that would not do.
  if (address.endpoint.protocol == "iiop" && find(address.endpoint, &id))
    return Way{&back_, {.connection_id = id}};
  const transport::Transport* const transport = core.transports.find(address.endpoint.protocol);
  if (!offers || !transport || !transport->calls_both_ways() || listen_points(core).empty())
    return std::nullopt;
  return Way{&offering_, {.connection_id = offering_bit | usual.connection_id, .reference = usual.reference}};
}

std::expected<std::unique_ptr<ClientChannel>, ConnectError> Bidirectional::Back::open(
    OrbCore& core, const Route::Address& address, const ConnectionKey&, Clock::time_point) {
  const auto connection = all_.find(address.endpoint);
  if (connection)
    return make_channel<TwoWayChannel>(core.probes, connection, core.options.round_trip_timeout);
  return std::unexpected(ConnectError{
      ConnectError::Phase::connect, ECONNRESET,
      to_text(address.endpoint).append(": the connection that its client had opened has just ended")});
}

// Connecting may take long, so it happens outside the lock; of two that connect at once, one is kept.
std::expected<std::unique_ptr<ClientChannel>, ConnectError> Bidirectional::Offering::open(
    OrbCore& core, const Route::Address& address, const ConnectionKey& key, Clock::time_point deadline) {
  const auto usable = [this, &key] {
    const auto found = connections_.find(key);
    auto connection = found == connections_.end() ? nullptr : found->second.lock();
    return connection && !connection->over() ? connection : nullptr;
  };
  std::unique_lock lock(mutex_);
  auto connection = usable();
  if (!connection) {
    lock.unlock();
    const auto workers = all_.pool();
    if (!workers)
      return std::unexpected(ConnectError{ConnectError::Phase::connect, ESHUTDOWN,
                                          to_text(address.endpoint).append(": the ORB has been shut down")});
    auto stream = core.connect(address.endpoint, deadline, address.streams);
    if (!stream) return std::unexpected(std::move(stream.error()));
    lock.lock();
    connection = usable();
    if (!connection) {
      connection =
          workers->serve_client_end(std::move(*stream), giop::write_listen_points(listen_points(core)));
      if (!connection)
        return std::unexpected(ConnectError{
            ConnectError::Phase::connect, EMFILE,
            to_text(address.endpoint).append(": no room for one more connection (-ORBMaxConnections)")});
      std::erase_if(connections_, [](const auto& known) { return known.second.expired(); });
      connections_[key] = connection;
    }
  }
  return make_channel<TwoWayChannel>(core.probes, connection, core.options.round_trip_timeout);
}

void Bidirectional::stop(std::chrono::nanoseconds bound) {
  std::shared_ptr<WorkerPool> workers;
  {
    std::lock_guard lock(pool_mutex_);
    stopped_ = true;
    workers = pool_;
  }
  if (!workers) return;
  workers->stop(bound);
  // The pool holds the ORB, which holds us.
  std::lock_guard lock(pool_mutex_);
  pool_.reset();  // not the last one: `workers` goes without the lock
}

}  // namespace takt::connection
