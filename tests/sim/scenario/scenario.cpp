#include "scenario/scenario.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <takt/corba.h>
#include <takt/rt/rtcorba.h>

#include "interposed/memory.h"
#include "machine/finding.h"
#include "machine/machine.h"
#include "scenario/actors.h"
#include "scenario/ledger.h"
#include "scenario/points.h"

namespace takt::sim {

using namespace std::chrono_literals;
using Orb = CORBA::object_reference<CORBA::ORB>;

namespace {

constexpr unsigned client_host = 0, server_host = 1;
constexpr Time threads_leave_within = 30min;  // the watchman checks at least every five minutes

void enter_host(unsigned host) { Scheduler::current()->host = host; }

Orb make_orb(std::vector<std::string> options, const char* name) {
  options.insert(options.begin(), "simulation");
  std::vector<char*> argv;
  for (auto& option : options) argv.push_back(option.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(options.size());
  return CORBA::ORB_init(argc, argv.data(), name);
}

class Run {
 public:
  Run(const Plan& plan, std::uint64_t seed) : plan_(plan), seed_(seed), ledger_(plan.clients, plan.calls) {}

  void play() {
    try {
      start_server();
      enter_host(client_host);
      client_ = make_orb(plan_.client_options(), "client");
      if (plan_.bidirectional) serve_call_backs();
    } catch (const CORBA::SystemException& failure) {
      if (plan_.calm()) report_finding(std::string("nothing starts: ") + failure.what());
      end_client();  // exists if its own server failed to start
      return end_server();
    }
    play_clients();
    // Clients that the server has not accepted when it ends cannot be notified; nor can clients to which a
    // datagram is late or lost, which may lose oneways.
    const bool disturbed = machine().datagrams.disturbed();
    const bool told = machine().network.turned_away() == 0 && !disturbed;
    ledger_.check(plan_.calm(), disturbed, plan_.mood == Plan::Mood::drained && told);
    end_client();
    // Upcalls in lanes, and those that begin before the client's offer has arrived, call back over
    // connections of their own threads, which these keep.
    if (plan_.calm() && !plan_.bidirectional && !machine().datagrams.disturbed()) check_server_is_alone();
    end_server();
  }

 private:
  void start_server() {
    enter_host(server_host);
    server_ = make_orb(plan_.server_options(), "server");
    const auto root =
        IDL::traits<PortableServer::POA>::narrow(server_->resolve_initial_references("RootPOA"));
    const auto poa = plan_.with_threadpool ? make_pooled(root) : root;
    const auto id = poa->activate_object(worker_ = CORBA::make_reference<Worker>(ledger_, plan_));
    ior_ = server_->object_to_string(poa->id_to_reference(id));
    poa->the_POAManager()->activate();
    for (unsigned i = 0; i < plan_.run_threads; ++i)
      serving_.push_back(std::make_unique<Actor>("run", [this] { server_->run(); }));
  }

  CORBA::object_reference<PortableServer::POA> make_pooled(
      const CORBA::object_reference<PortableServer::POA>& root) {
    const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(server_->resolve_initial_references("RTORB"));
    const auto pool = rt->create_threadpool(0, plan_.server_threads, plan_.dynamic_threads, 0, plan_.buffered,
                                            plan_.max_queued, 0);
    return root->create_POA("pooled", root->the_POAManager(), {rt->create_threadpool_policy(pool)});
  }

  // Callbacks use the connections that the client has opened; nothing can connect to the client.
  void serve_call_backs() {
    const auto root =
        IDL::traits<PortableServer::POA>::narrow(client_->resolve_initial_references("RootPOA"));
    const auto id = root->activate_object(CORBA::make_reference<Watcher>());
    watcher_ = IDL::traits<Sim::Watcher>::narrow(root->id_to_reference(id));
    root->the_POAManager()->activate();
  }

  void play_clients() {
    std::vector<std::unique_ptr<Actor>> actors;
    for (unsigned i = 0; i < plan_.clients; ++i)
      actors.push_back(std::make_unique<Actor>(
          "client", [this, i] { Caller(plan_, ledger_, seed_, i).run(client_, ior_, watcher_); }));
    const auto later = [&](Time when, const char* name, auto what) {
      if (when == never) return;
      actors.push_back(std::make_unique<Actor>(name, [when, what] {
        machine().sleep(when);
        what();
      }));
    };
    later(plan_.server_ends_at, "server's end", [this] { shut_down_server(); });
    later(plan_.client_ends_at, "client's end", [this] { client_->shutdown(true); });
    later(plan_.all_cut_at, "cutter", [] {
      machine().network.cut_all();
      machine().datagrams.cut_all();
    });
    for (const auto& actor : actors) actor->join();
    machine().sleep(300ms);  // lets data in transit arrive
  }

  void end_client() {
    watcher_ = nullptr;
    if (client_) client_->destroy();
    client_ = nullptr;
  }

  void shut_down_server() {
    const Time before = machine().scheduler.now();
    server_->shutdown(true);
    const Time took = machine().scheduler.now() - before;
    if (took > plan_.shutdown_timeout + plan_.longest_upcall * 20 + 100 * plan_.faults.longest_stall + 1s)
      report_finding("shutting down took " + std::to_string(took / 1us) + " us");
  }

  void end_server() {
    if (server_) shut_down_server();
    for (const auto& actor : serving_) actor->join();
    if (worker_) worker_->watch(nullptr);  // drops a reference that keeps the server alive
    worker_ = {};
    if (server_) server_->destroy();
    server_ = nullptr;
  }

  // Checks that the server has noticed that its clients are gone.
  void check_server_is_alone() {
    machine().sleep(300ms);
    const std::size_t connected = machine().descriptors.connections_of(server_host);
    if (connected != 0)
      report_finding("the server keeps " + std::to_string(connected) +
                     " connections that its clients have closed");
  }

  const Plan& plan_;
  const std::uint64_t seed_;
  Ledger ledger_;
  Orb server_, client_;
  CORBA::servant_reference<Worker> worker_;
  CORBA::object_reference<Sim::Watcher> watcher_;  // nil: no callbacks
  std::string ior_;
  std::vector<std::unique_ptr<Actor>> serving_;
};

void check_nothing_remains() {
  Scheduler& scheduler = machine().scheduler;
  scheduler.wait(
      "the last thread", [&] { return scheduler.running() == 0; }, scheduler.now() + threads_leave_within);
  if (scheduler.threads() != 0) report_finding("threads remain");
  if (machine().descriptors.count() != 0) report_finding("descriptors remain");
}

}  // namespace

Outcome run_scenario(const Plan& plan, std::uint64_t seed, std::size_t blocks) {
  Outcome outcome;
  if (plan.interceptors != 0) {
    const std::size_t before = live_blocks();
    Points::register_initializer();  // the process keeps it
    if (blocks != 0) blocks += live_blocks() - before;
  }
  {
    std::optional<Points> points;
    if (plan.interceptors != 0) points.emplace(plan, seed);
    Machine simulated(seed, plan.faults);
    {
      Actor scenario("scenario", [&] { Run(plan, seed).play(); });
    }
    check_nothing_remains();
    if (points) points->check();
    const Scheduler& scheduler = simulated.scheduler;
    outcome = {scheduler.digest(), scheduler.steps(), scheduler.now()};
  }
  if (blocks != 0 && live_blocks() != blocks) {
    list_live_blocks(blocks);
    report_finding("memory: " + std::to_string(live_blocks()) + " blocks are in use, and not " +
                   std::to_string(blocks));
  }
  return outcome;
}

}  // namespace takt::sim
