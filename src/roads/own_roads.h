// The local roads of one ORB.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/event_log.h"
#include "reference/local_roads.h"
#include "roads/closed_roads.h"
#include "roads/open_road.h"
#include "roads/prepared_roads.h"
#include "roads/road_acceptor.h"
#include "roads/road_offer.h"
#include "roads/trust.h"
#include "threads/locks/priority_mutex.h"

namespace takt::roads {

class OwnRoads final : public reference::LocalRoads {
 public:
  // `offers`: false for a server that demands TLS of its clients. `place`: see road_offer.h. `log` may be
  // null.
  OwnRoads(const RoadOptions& options, bool offers, std::uint64_t place, const Trust& trust,
           std::shared_ptr<EventLog> log);

  std::vector<std::unique_ptr<transport::Acceptor>> listen_beside(
      std::span<const transport::Endpoint> bound, std::span<const transport::Endpoint> published,
      const transport::ListenOptions& options) override;
  std::optional<giop::TaggedComponent> offer_for(std::span<const giop::HostPort> addresses) const override;
  std::optional<reference::RoadOffer> read(const giop::TaggedComponent& component) const override;
  std::unique_ptr<transport::Stream> open(const reference::RoadOffer& offer, const transport::Endpoint& to,
                                          os::TimePoint deadline,
                                          const transport::StreamOptions& options) override;
  void prepare_later(std::function<void()> ready) override { prepared_.on_ready(std::move(ready)); }
  bool has_led_to(const reference::RoadOffer& offer, const transport::Endpoint& to) const override {
    return prepared_.has_led_to(offer, to);
  }
  std::unique_ptr<transport::Stream> take_prepared(const reference::RoadOffer& offer,
                                                   const transport::Endpoint& to,
                                                   const transport::StreamOptions& options) override;
  void stop() override { prepared_.stop(); }
  std::vector<Count> counts() const override;

 private:
  using Acceptors = std::vector<std::unique_ptr<transport::Acceptor>>;
  // Adds the acceptors of all roads beside an address, unless `names` has their sockets' names. False if the
  // system refuses one; then it adds none.
  bool listen_at(const transport::Endpoint& endpoint, bool any_host, const transport::ListenOptions& options,
                 std::set<std::string>& names, Acceptors& acceptors,
                 const RoadAcceptor::Listening& listening);
  // The fastest road that can be taken. Null: `then` says what the last failure means.
  std::unique_ptr<transport::Stream> open_fastest(const PreparedRoads::Target& target, os::TimePoint until,
                                                  Impassable::Then& then);
  PreparedRoads::Attempt prepare(const PreparedRoads::Target& target, os::TimePoint until);
  void report(const std::string& name, Road road, const std::string& why) const;

  const std::uint8_t roads_;  // bits of Road
  const std::chrono::nanoseconds timeout_;
  const bool offers_;
  const std::uint64_t place_;
  const Trust trust_;
  const std::shared_ptr<EventLog> log_;

  mutable os::PriorityMutex mutex_;
  struct Served {
    bool any_host;
    std::weak_ptr<const void> listening;  // ends with the acceptors beside the address
  };
  std::map<std::pair<std::string, std::uint16_t>, Served> served_;

  ClosedRoads closed_;
  std::array<AcceptedCounts, 2> accepted_;
  std::array<std::atomic<std::uint64_t>, 2> opened_{};
  std::atomic<std::uint64_t> by_tcp_{0};
  PreparedRoads prepared_;  // the last member: its thread uses the others
};

// Null if the options turn them off, or the system does not say in which namespaces this process is; then the
// log says so. The error says which option is wrong.
std::expected<std::shared_ptr<reference::LocalRoads>, std::string> make_local_roads(
    const RoadOptions& options, bool offers, std::shared_ptr<EventLog> log);

}  // namespace takt::roads
