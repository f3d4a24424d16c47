// Bidirectional connections (CORBA 3.0.3, 15.8): who offers them, who accepts them, and which calls use them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/code_sets.h>
#include <takt/transport/stream.h>

#include "bidirectional/accept.h"
#include "client/client.h"
#include "giop/bidirectional.h"
#include "giop/connection.h"
#include "reference/target.h"
#include "server/bidirectional_connections.h"
#include "threads/locks/priority_mutex.h"

namespace takt::server {
class QueuedChannel;
class WorkerPool;
}  // namespace takt::server

namespace takt::bidirectional {

class BidirectionalRequests;

// The bidirectional connections of one ORB. They have a worker pool of their own: its one reader thread
// always reads, and its workers run upcalls, so that a caller can wait for a reply while the peer calls back.
// Any thread.
class Bidirectional final : public server::BidirectionalConnections, public client::ConnectionOverride {
 public:
  Bidirectional(Accept accept, client::Client& client) : accept_(accept), client_(client) {}
  ~Bidirectional() override;

  // Starts the pool, when the first connection needs it. Call before any other use.
  void start_with(std::function<std::shared_ptr<server::WorkerPool>()> start) { start_ = std::move(start); }
  void accept_from_same_address() override;
  // Whether calls may use connections that clients have opened to this server.
  bool accepts() const { return accept_.load(std::memory_order_relaxed) != Accept::off; }

  std::vector<giop::HostPort> accepted(ByteView context, const transport::Stream& stream) const override;
  void use_for_callbacks(const std::shared_ptr<server::QueuedChannel>& connection,
                         std::vector<giop::HostPort> points) override;
  void hand_over(std::unique_ptr<transport::Stream> stream, giop::Connection&& protocol,
                 const server::RequestFormats& formats, std::vector<giop::HostPort> points) override;

  std::optional<KeyedStrategy> connection_for(const reference::Route& route,
                                              const reference::Route::Address& address,
                                              const reference::ConnectionKey& usual, bool offers) override;
  bool may_apply_to_any() const override { return accepts(); }
  bool was_offered(const reference::Route& route, const reference::Route::Address& address) const override;

  // Stops all connections, like ServerConcurrency::stop().
  void stop(std::chrono::nanoseconds bound);

 private:
  struct Connection {
    std::weak_ptr<server::QueuedChannel> channel;
    std::shared_ptr<BidirectionalRequests> requests;
    // Null if the connection has ended.
    std::shared_ptr<server::QueuedChannel> usable() const;
  };
  // Connection strategy over connections that clients have opened.
  class Back final : public client::ConnectionStrategy {
   public:
    explicit Back(Bidirectional& all) : all_(all) {}
    std::expected<std::unique_ptr<client::ClientChannel>, transport::ConnectError> open(
        client::Client& client, const reference::Route::Address& address, const reference::ConnectionKey& key,
        std::chrono::steady_clock::time_point deadline) override;

   private:
    Bidirectional& all_;
  };
  // Connection strategy over connections opened here, one per server, shared by all threads. The servers read
  // texts in the `chosen` code sets. Their requests are in them too, unless they say otherwise: other ORBs
  // send the context only in the direction in which the connection was opened.
  class OfferedStrategy final : public client::ConnectionStrategy {
   public:
    OfferedStrategy(Bidirectional& all, const cdr::CodeSets& chosen) : all_(all), chosen_(chosen) {}
    std::expected<std::unique_ptr<client::ClientChannel>, transport::ConnectError> open(
        client::Client& client, const reference::Route::Address& address, const reference::ConnectionKey& key,
        std::chrono::steady_clock::time_point deadline) override;

   private:
    // Precondition: the mutex is held. Null if there is none, or it has ended.
    std::unique_ptr<client::ClientChannel> channel_of(const reference::ConnectionKey& key) const;

    Bidirectional& all_;
    const cdr::CodeSets chosen_;
    os::PriorityMutex mutex_;
    std::map<reference::ConnectionKey, Connection> connections_;
  };
  using Place = std::pair<std::string, std::uint16_t>;
  struct Known {
    Connection connection;
    std::uint64_t id;
  };

  std::shared_ptr<server::WorkerPool> pool();
  // Makes the channel bidirectional. `chosen`: see QueuedChannel::open_bidirectional().
  Connection open(const std::shared_ptr<server::QueuedChannel>& channel, std::vector<std::uint8_t> offer,
                  const cdr::CodeSets* chosen = nullptr) const;
  OfferedStrategy& offering_in(const cdr::CodeSets& chosen);
  std::optional<Known> find(const transport::Endpoint& endpoint) const;
  // The connection by which to call back an object at that address.
  std::optional<Known> back_to(const reference::Route& route, const reference::Route::Address& address) const;
  std::unique_ptr<client::ClientChannel> channel_of(
      const Connection& connection, const std::shared_ptr<server::QueuedChannel>& channel) const;

  std::atomic<Accept> accept_;
  client::Client& client_;
  std::function<std::shared_ptr<server::WorkerPool>()> start_;
  Back back_{*this};
  os::PriorityMutex pool_mutex_;
  std::shared_ptr<server::WorkerPool> pool_;
  bool stopped_ = false;
  mutable os::PriorityMutex mutex_;
  std::map<std::pair<cdr::CodeSetId, cdr::CodeSetId>, OfferedStrategy> offering_;  // by narrow and wide set
  // Several connections may name one place, the latest last: it gets the calls while it is open.
  std::multimap<Place, Known> known_;
  // Size of known_ at which entries of closed connections are removed: twice what was left the last time, so
  // that the amortized cost per new entry is constant.
  static constexpr std::size_t fewest_to_forget_from = 256;
  std::size_t forget_from_ = fewest_to_forget_from;
  std::uint64_t next_id_ = 0;
};

}  // namespace takt::bidirectional
