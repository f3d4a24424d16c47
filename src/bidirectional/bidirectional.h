// Connections on which both sides make requests (CORBA 3.0.3, 15.8): who offers, who accepts, and which calls
// go that way.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/transport/stream.h>

#include "bidirectional/accept.h"
#include "client/client.h"
#include "giop/bidirectional.h"
#include "giop/connection.h"
#include "os/threads/priority_mutex.h"
#include "reference/target.h"
#include "server/both_ways.h"

namespace takt::server {
class QueuedChannel;
class WorkerPool;
}  // namespace takt::server

namespace takt::bidirectional {

class TwoWayRequests;

// Of one ORB. Such connections belong to a pool of their own, whose one thread reads them all the time and
// whose workers run upcalls, so that a caller can wait for its reply while the peer calls back. Any thread.
class Bidirectional final : public server::BothWays, public client::OtherWay {
 public:
  Bidirectional(Accept accept, client::Client& client) : accept_(accept), client_(client) {}
  ~Bidirectional() override;

  // What starts the pool, once the first connection needs it. Before any other use.
  void start_with(std::function<std::shared_ptr<server::WorkerPool>()> start) { start_ = std::move(start); }
  void accept_from_same_address() override;
  // Calls may go over connections that their servers have opened.
  bool accepts() const { return accept_.load(std::memory_order_relaxed) != Accept::off; }

  std::vector<giop::Address> accepted(ByteView context, const transport::Stream& stream) const override;
  void go_back_over(const std::shared_ptr<server::QueuedChannel>& connection,
                    std::vector<giop::Address> points) override;
  void hand_over(std::unique_ptr<transport::Stream> stream, giop::Connection&& protocol,
                 const server::RequestFormats& formats, std::vector<giop::Address> points) override;

  std::optional<Way> way_to(const reference::Route& route, const reference::Route::Address& address,
                            const reference::ConnectionKey& usual, bool offers) override;
  bool may_take_any() const override { return accepts(); }

  // As ServerConcurrency::stop(), with all of them.
  void stop(std::chrono::nanoseconds bound);

 private:
  struct Connection {
    std::weak_ptr<server::QueuedChannel> channel;
    std::shared_ptr<TwoWayRequests> requests;
    // Null: it is over.
    std::shared_ptr<server::QueuedChannel> usable() const;
  };
  // Over connections that clients have opened.
  class Back final : public client::Mux {
   public:
    explicit Back(Bidirectional& all) : all_(all) {}
    std::expected<std::unique_ptr<client::ClientChannel>, transport::ConnectError> open(
        client::Client& client, const reference::Route::Address& address, const reference::ConnectionKey& key,
        std::chrono::steady_clock::time_point deadline) override;

   private:
    Bidirectional& all_;
  };
  // Over our own, one to each server for all threads.
  class Offering final : public client::Mux {
   public:
    explicit Offering(Bidirectional& all) : all_(all) {}
    std::expected<std::unique_ptr<client::ClientChannel>, transport::ConnectError> open(
        client::Client& client, const reference::Route::Address& address, const reference::ConnectionKey& key,
        std::chrono::steady_clock::time_point deadline) override;

   private:
    // With the mutex. Null: there is none, or it is over.
    std::unique_ptr<client::ClientChannel> channel_of(const reference::ConnectionKey& key) const;

    Bidirectional& all_;
    os::PriorityMutex mutex_;
    std::map<reference::ConnectionKey, Connection> connections_;
  };
  using Place = std::pair<std::string, std::uint16_t>;
  struct Known {
    Connection connection;
    std::uint64_t id;
  };

  std::shared_ptr<server::WorkerPool> pool();
  // Opens it both ways.
  Connection open(const std::shared_ptr<server::QueuedChannel>& channel,
                  std::vector<std::uint8_t> offer) const;
  std::optional<Known> find(const transport::Endpoint& endpoint) const;
  std::unique_ptr<client::ClientChannel> channel_of(
      const Connection& connection, const std::shared_ptr<server::QueuedChannel>& channel) const;

  std::atomic<Accept> accept_;
  client::Client& client_;
  std::function<std::shared_ptr<server::WorkerPool>()> start_;
  Back back_{*this};
  Offering offering_{*this};
  os::PriorityMutex pool_mutex_;
  std::shared_ptr<server::WorkerPool> pool_;
  bool stopped_ = false;
  mutable os::PriorityMutex mutex_;
  std::map<Place, Known> known_;
  // Number of places at which those of closed connections are looked for: twice what was left the last time,
  // so that the search costs each new place a constant amount of work.
  static constexpr std::size_t fewest_to_forget_from = 256;
  std::size_t forget_from_ = fewest_to_forget_from;
  std::uint64_t next_id_ = 0;
};

}  // namespace takt::bidirectional
