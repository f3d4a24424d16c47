// The server side of an ORB: listens, opens lanes, serves, and stops.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <takt/base/live_setting.h>
#include <takt/transport/transport.h>

#include "concurrency/strategy/concurrency.h"
#include "config/lanes/lane_admission.h"
#include "config/lanes/missing_lanes.h"
#include "config/settings.h"
#include "orb/server/listeners.h"
#include "orb/server/serving_gate.h"
#include "orb/server/strategies.h"
#include "orb/server/thread_setup.h"
#include "orb/wiring/orb_parts.h"
#include "rt/lane_host.h"

namespace takt::orb {

// Phases reported to a server's watcher: `serving` when clients are served, possibly repeatedly; `stopping`
// when they are no longer.
enum class ServerPhase : std::uint8_t { serving, stopping };

// Any thread. A stopped server cannot be restarted. It is large because start, lanes and shutdown share one
// lock.
class OrbServer final : public rt::LaneHost {
 public:
  OrbServer(std::shared_ptr<OrbParts> parts, const Settings& settings);
  ~OrbServer();

  // Listens, once, and publishes the endpoints. Connections are accepted when the adapters are complete or
  // AdapterTimeout has passed. Throws INITIALIZE with the address on failure.
  void listen();
  // The same, with `relay` in front of the parts' dispatcher. `release_bridge_targets` is called in the
  // shutdown, after the last request. Throws BAD_INV_ORDER if the server already listens.
  void listen_as_bridge(std::shared_ptr<server::Stage> relay, std::function<void()> release_bridge_targets);
  // Listens at a further endpoint and, unless PublishedEndpoints is set, publishes it. Throws INITIALIZE on
  // failure, BAD_PARAM for a malformed endpoint, BAD_INV_ORDER if the server does not listen yet.
  void listen_at(const std::string& text);
  // Listens at an endpoint for another strategy, at once. Publishes nothing. Throws like listen_at().
  void listen_for(server::ServerConcurrency& concurrency, const std::string& text);
  // The numbers of open connections: of each lane by its id, and of the ORB's own threads by 0.
  std::vector<std::pair<std::uint64_t, std::size_t>> connections() const;
  // Null unless requests are assigned to threads by filters.
  const std::shared_ptr<server::FilterChain>& filters() const { return strategies_->filters(); }
  // Lanes of thread pools. They need no thread in run().
  Opened open_lane(const server::PoolThreads& threads) override;
  void change_dynamic_threads(std::uint64_t id, unsigned most) override;
  unsigned in_each_thread(std::uint64_t id, const std::shared_ptr<server::ThreadRound>& round) override;
  void close_lanes(std::span<const std::uint64_t> ids) override;
  std::string protocol_name(std::uint32_t protocol) const override;
  std::string validate(const reference::ProtocolChoice& choice) const override;
  std::vector<transport::Endpoint> endpoints_for(const reference::ProtocolChoices& choices,
                                                 std::optional<std::int16_t> priority) override;
  std::vector<transport::Endpoint> endpoints_of_lane(const reference::ProtocolChoices& choices,
                                                     const Opened& lane, std::int16_t priority) override;
  // Serves or waits, until stop() or for `timeout`.
  void run(std::chrono::nanoseconds timeout);
  bool work_pending();
  // Serves no more requests, and destroys the adapters. A thread in run() does this as soon as possible;
  // without one, the calling thread does.
  void stop();
  // Waits for the first thread in run(), if the server listens: one that prepares to serve should not find
  // its adapters gone. Threads of the ORB serve without run(), once no adapter manager is holding.
  void await_run(std::chrono::nanoseconds bound);
  // Blocks for ShutdownTimeout and little more, even if an upcall in run() does not end.
  void wait_until_stopped();
  // Applies ShutdownTimeout, MaxLaneUtilisation, queue limits and FilterBudget.
  void change_limits(const Settings& settings);
  bool stopping() const { return life_ != Life::open; }
  // Call before it listens. The watcher must not call the server or throw. While it waits, the start
  // or the shutdown waits too.
  void watch(std::function<void(ServerPhase)> watcher);

 private:
  // In this order, each once.
  enum class Life : std::uint8_t {
    open,       // listens, or may
    stopping,   // takes no more requests
    finishing,  // a thread carries out the shutdown
    stopped
  };
  // The thread in run() that runs the strategy, if that needs one.
  enum class RunThread : std::uint8_t {
    none,
    serving,
    left_behind  // the shutdown has not waited for its upcall
  };

  void listen_first(std::chrono::nanoseconds adapter_timeout);
  void add_roads(Listening& listening) const;
  void accept_at(const std::shared_ptr<server::ServerConcurrency>& concurrency, Listening& listening,
                 const giop::Messaging& messaging);
  void serve_until(std::chrono::steady_clock::time_point deadline);
  void release_held_requests();
  void finish_shutdown_if_last(std::unique_lock<std::mutex>& lock);
  void finish_shutdown(std::unique_lock<std::mutex>& lock, std::chrono::steady_clock::time_point deadline);
  // Throws BAD_INV_ORDER if the server does not listen.
  std::shared_ptr<server::ServerConcurrency> listening() const;
  // The server of an endpoint: the lane with that id, or the ORB if it is 0.
  struct ServedBy {
    std::uint64_t lane = 0;
    std::optional<std::int16_t> priority = {};
  };
  bool is_usual(const reference::ProtocolChoice& choice) const;
  std::vector<transport::Endpoint> endpoints_in(const ServedBy& by,
                                                const std::vector<transport::Endpoint>& usual,
                                                const reference::ProtocolChoices& choices);
  std::vector<transport::Endpoint> listen_with_options(const ServedBy& by,
                                                       const transport::Transport& transport,
                                                       const reference::ProtocolChoice& choice);
  // Throws BAD_INV_ORDER if the lane is closed.
  std::shared_ptr<server::ServerConcurrency> lane_of(std::uint64_t id) const;

  const std::shared_ptr<OrbParts> parts_;
  LiveSetting<std::chrono::nanoseconds> patience_;  // for the shutdown
  const std::shared_ptr<ThreadSetup> setup_;
  const std::shared_ptr<LaneAdmission> admission_;
  const std::shared_ptr<const ServerStrategies> strategies_;
  const Listeners listeners_;
  const std::chrono::nanoseconds adapter_timeout_;
  MissingLanes missing_lanes_;  // after those that check the options' values
  const std::shared_ptr<ServingGate> gate_ = std::make_shared<ServingGate>();
  std::mutex listen_mutex_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<server::ServerConcurrency> concurrency_;  // null until listening
  std::map<std::uint64_t, std::shared_ptr<server::ServerConcurrency>> lanes_;
  std::map<std::uint64_t, LaneAdmission::Share> shares_;  // for lanes with a declared load
  // Endpoints with stream options of a policy, keyed by lane, and by protocol with those options.
  std::map<std::pair<std::uint64_t, std::string>, std::vector<transport::Endpoint>> endpoints_with_options_;
  std::uint64_t next_lane_ = 1;
  std::function<void(ServerPhase)> watcher_;
  std::atomic<Life> life_{Life::open};  // written under mutex_
  RunThread strategy_thread_ = RunThread::none;
  unsigned running_ = 0;  // threads in run()
  bool entered_ = false;  // a thread has been in run()
};

}  // namespace takt::orb
