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

#include "connection/mux/mux.h"
#include "connection/references/target.h"
#include "connection/server/request_formats.h"
#include "giop/bidirectional.h"
#include "giop/connection.h"
#include "os/threads/priority_mutex.h"

namespace takt::connection {

class OrbCore;
class QueuedChannel;
class WorkerPool;

// Of one ORB. Such connections belong to a pool of their own, whose one thread reads them all the time and
// whose workers run upcalls, so that a caller can wait for its reply while the peer calls back. Any thread.
class Bidirectional {
 public:
  // Whose offers a server accepts. A client may name any listen points as its own, and would get the calls
  // that are meant for whoever is there.
  enum class Accept : std::uint8_t { off, same_address, any };

  explicit Bidirectional(Accept accept) : accept_(accept) {}
  ~Bidirectional();

  // What starts the pool, once the first connection needs it. Before any other use.
  void start_with(std::function<std::shared_ptr<WorkerPool>()> start) { start_ = std::move(start); }
  // An adapter asks for it.
  void accept_from_same_address();
  // Calls may go over connections that their servers have opened.
  bool accepts() const { return accept_.load(std::memory_order_relaxed) != Accept::off; }

  // The server's side. The listen points of an offer that count; none: it is not accepted. Allocates.
  std::vector<giop::Address> accepted(ByteView context, const transport::Stream& stream) const;
  // Calls to these places go over that connection from now on, in place of one that named them before.
  void go_back_over(const std::shared_ptr<QueuedChannel>& connection, std::vector<giop::Address> points);
  // Takes over a connection from a strategy whose threads cannot read while they serve, with the request that
  // made the offer; or closes it, where there is no room.
  void hand_over(std::unique_ptr<transport::Stream> stream, giop::Connection&& protocol,
                 const RequestFormats& formats, std::vector<giop::Address> points);

  // The client's side. How a call gets there, if not as usual.
  struct Way {
    Mux* mux;
    ConnectionKey key;
  };
  std::optional<Way> way_to(OrbCore& core, const Route& route, const Route::Address& address,
                            const ConnectionKey& usual, bool offers);

  // As ServerConcurrency::stop(), with all of them.
  void stop(std::chrono::nanoseconds bound);

 private:
  // Over connections that clients have opened.
  class Back final : public Mux {
   public:
    explicit Back(Bidirectional& all) : all_(all) {}
    std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> open(
        OrbCore& core, const Route::Address& address, const ConnectionKey& key,
        std::chrono::steady_clock::time_point deadline) override;

   private:
    Bidirectional& all_;
  };
  // Over our own, one to each server for all threads.
  class Offering final : public Mux {
   public:
    explicit Offering(Bidirectional& all) : all_(all) {}
    std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> open(
        OrbCore& core, const Route::Address& address, const ConnectionKey& key,
        std::chrono::steady_clock::time_point deadline) override;

   private:
    Bidirectional& all_;
    os::PriorityMutex mutex_;
    std::map<ConnectionKey, std::weak_ptr<QueuedChannel>> connections_;
  };
  using Place = std::pair<std::string, std::uint16_t>;
  struct Known {
    std::weak_ptr<QueuedChannel> connection;
    std::uint64_t id;
  };

  std::shared_ptr<WorkerPool> pool();
  std::shared_ptr<QueuedChannel> find(const transport::Endpoint& endpoint, std::uint64_t* id = nullptr) const;

  std::atomic<Accept> accept_;
  std::function<std::shared_ptr<WorkerPool>()> start_;
  Back back_{*this};
  Offering offering_{*this};
  os::PriorityMutex pool_mutex_;
  std::shared_ptr<WorkerPool> pool_;
  bool stopped_ = false;
  mutable os::PriorityMutex mutex_;
  std::map<Place, Known> known_;
  // Number of places at which those of closed connections are looked for: twice what was left the last time,
  // so that the search costs each new place a constant amount of work.
  static constexpr std::size_t fewest_to_forget_from = 256;
  std::size_t forget_from_ = fewest_to_forget_from;
  std::uint64_t next_id_ = 0;
};

}  // namespace takt::connection
