#include "admin/services_view.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <takt/corba.h>

#include "Takt_ActivationC.h"
#include "Takt_NamingC.h"
#include "Takt_RtEventsC.h"
#include "Takt_StreamsC.h"
#include "Takt_TradingC.h"
#include "events/rt_json.h"
#include "imr/server_json.h"
#include "ior/target.h"
#include "stream/flow_json.h"
#include "trade/trader_json.h"

namespace takt::command {
namespace {

using Clock = std::chrono::steady_clock;
using Takt::Activation::ServerPhase;
using Takt::Streams::Flow;
using RegisteredServer = Takt::Activation::Server;

// A service that was restarted counts anew.
std::uint64_t since(std::uint64_t before, std::uint64_t now) { return now >= before ? now - before : now; }

// The two last states of a service.
template <class Service, class State>
class LookedAt : public ViewedService {
 public:
  LookedAt(const ClientOrb& orb, std::string target, const char* kind)
      : target_(std::move(target)),
        kind_(kind),
        service_(IDL::traits<Service>::unchecked_narrow(object_at(orb, reference_text(target_)))) {}

  const std::string& target() const override { return target_; }
  void look() override {
    State now = ask(*service_);
    const auto time = Clock::now();
    seconds_ = now_ ? std::chrono::duration<double>(time - looked_).count() : 0;
    before_ = std::exchange(now_, std::move(now));
    looked_ = time;
  }
  Json json() const override {
    Json json{{"target", target_}, {"kind", kind_}};
    json.update(json_of(*now_));
    return json;
  }

 protected:
  virtual State ask(Service& service) const = 0;
  virtual Json json_of(const State& state) const = 0;

  const std::optional<State>& before() const { return before_; }
  const State& now() const { return *now_; }
  // How often something happened in a second; "-" after the first look.
  std::string rate(std::uint64_t count) const {
    return seconds_ > 0 ? formatted("%.1f", static_cast<double>(count) / seconds_) : "-";
  }
  std::string title(const std::string& rest) const { return target_ + ": " + kind_ + ", " + rest; }

 private:
  const std::string target_, kind_;
  const CORBA::object_reference<Service> service_;
  std::optional<State> before_, now_;
  Clock::time_point looked_;
  double seconds_ = 0;
};

std::string number(std::uint64_t value) { return std::to_string(value); }

class ViewedDevice final : public LookedAt<Takt::Streams::Service, Takt::Streams::State> {
  using State = Takt::Streams::State;

 public:
  ViewedDevice(const ClientOrb& orb, const std::string& target) : LookedAt(orb, target, "streams") {}

  void add_to(Lines& lines, std::size_t most_lines) const override {
    lines.add(title("end points " + number(now().end_points()) + ", connections made " +
                    number(now().connections()) + ", refused " + number(now().refusals())));
    lines.add(formatted("%9s %11s %9s %7s %7s %7s %10s %8s  %s", "FRAMES/S", "OCTETS/S", "FRAMES", "LOST",
                        "LATE", "INCOMPL", "JITTER P99", "STATE", "FLOW"));
    for (const Flow& each : now().flows()) {
      if (lines.is_full(most_lines)) break;
      const Flow flow = passed(each);
      lines.add(formatted(
          "%9s %11s %9s %7s %7s %7s %10s %8s  %s", rate(flow.frames()).c_str(), rate(flow.octets()).c_str(),
          number(flow.frames()).c_str(), number(flow.lost()).c_str(), number(flow.late()).c_str(),
          number(flow.incomplete()).c_str(), short_time(static_cast<double>(flow.jitter_p99_ns())).c_str(),
          word_for(flow.state()), name_of(flow).c_str()));
    }
  }

 protected:
  State ask(Takt::Streams::Service& service) const override { return service.look(); }
  Json json_of(const State& state) const override { return json_of_device(state); }

 private:
  static std::string name_of(const Flow& flow) {
    return flow.name() + " of end point " + flow.end_point() +
           (flow.produces() ? ", sends " : ", receives ") +
           (flow.carrier().empty() ? "by no connection" : flow.carrier());
  }
  Flow passed(const Flow& flow) const {
    if (before())
      for (const Flow& each : before()->flows())
        if (each.end_point() == flow.end_point() && each.name() == flow.name() &&
            each.frames() <= flow.frames())
          return passed_since(each, flow);
    return flow;
  }
};

class ViewedTrader final : public LookedAt<Takt::Trading::Service, Takt::Trading::State> {
  using State = Takt::Trading::State;

 public:
  ViewedTrader(const ClientOrb& orb, const std::string& target) : LookedAt(orb, target, "trader") {}

  void add_to(Lines& lines, std::size_t) const override {
    std::uint64_t offers = 0;
    for (const auto& each : now().types()) offers += each.offers() + each.proxies();
    lines.add(title("offers " + number(offers) + ", types " + number(now().types().size()) + ", indexes " +
                    number(now().indexes().size()) + ", links " + number(now().links()) + ", iterators " +
                    number(now().iterators())));
    lines.add(formatted("%9s %9s %9s %11s %9s %9s %9s %9s", "QUERIES/S", "QUERIES", "INDEXED", "LOOKED AT",
                        "EXPORTS", "WITHDRAWN", "TO LINKS", "FAILED"));
    lines.add(
        formatted("%9s %9s %9s %11s %9s %9s %9s %9s", rate(passed(&State::queries)).c_str(),
                  number(passed(&State::queries)).c_str(), number(passed(&State::indexed_queries)).c_str(),
                  number(passed(&State::offers_looked_at)).c_str(), number(passed(&State::exports)).c_str(),
                  number(passed(&State::withdrawals)).c_str(), number(passed(&State::link_queries)).c_str(),
                  number(passed(&State::link_failures)).c_str()));
  }

 protected:
  State ask(Takt::Trading::Service& service) const override { return service.look(); }
  Json json_of(const State& state) const override { return json_of_trader(state); }

 private:
  std::uint64_t passed(Takt::Trading::Count (State::*count)() const) const {
    return since(before() ? ((*before()).*count)() : 0, (now().*count)());
  }
};

class ViewedRepository final : public LookedAt<Takt::Activation::Repository, Takt::Activation::ServerList> {
  using State = Takt::Activation::ServerList;

 public:
  ViewedRepository(const ClientOrb& orb, const std::string& target) : LookedAt(orb, target, "repository") {}

  void add_to(Lines& lines, std::size_t most_lines) const override {
    const auto in_phase = [this](ServerPhase phase) {
      return number(static_cast<std::uint64_t>(
          std::ranges::count_if(now(), [phase](const auto& each) { return each.phase() == phase; })));
    };
    lines.add(title("servers " + number(now().size()) + ", running " + in_phase(ServerPhase::running) +
                    ", failed " + in_phase(ServerPhase::failed)));
    lines.add(formatted("%11s %9s %7s %8s %8s %8s %9s  %s", "FORWARDS/S", "FORWARDS", "STARTS", "FAILURES",
                        "REFUSED", "WAITING", "PHASE", "SERVER"));
    for (const Row& row : busiest_first()) {
      if (lines.is_full(most_lines)) break;
      const RegisteredServer& server = *row.server;
      lines.add(formatted("%11s %9s %7s %8s %8s %8u %9s  %s", rate(row.forwards).c_str(),
                          number(row.forwards).c_str(), number(row.starts).c_str(),
                          number(row.failures).c_str(), number(row.refused).c_str(), server.waiting(),
                          word_for(server.phase()), server.name().c_str()));
    }
  }

 protected:
  State ask(Takt::Activation::Repository& repository) const override { return servers_of(repository); }
  Json json_of(const State& state) const override {
    Json servers = Json::array();
    for (const RegisteredServer& each : state) servers.push_back(json_of_server(each));
    return {{"servers", std::move(servers)}};
  }

 private:
  // The counts of a server since the look before.
  struct Row {
    const RegisteredServer* server;
    std::uint64_t forwards, starts, failures, refused;
  };

  std::vector<Row> busiest_first() const {
    std::map<std::string_view, const RegisteredServer*> olds;
    if (before())
      for (const RegisteredServer& each : *before()) olds.emplace(each.name(), &each);
    const RegisteredServer nothing;
    std::vector<Row> rows;
    for (const RegisteredServer& each : now()) {
      const auto found = olds.find(each.name());
      const RegisteredServer& old = found == olds.end() ? nothing : *found->second;
      rows.push_back({&each, since(old.forwards(), each.forwards()), since(old.starts(), each.starts()),
                      since(old.failures(), each.failures()), since(old.refused(), each.refused())});
    }
    std::ranges::stable_sort(rows, std::greater(),
                             [](const Row& row) { return row.forwards + row.server->waiting(); });
    return rows;
  }
};

class ViewedRtEvents final : public LookedAt<Takt::RtEvents::Service, Takt::RtEvents::State> {
  using State = Takt::RtEvents::State;
  using Client = Takt::RtEvents::Client;
  using Datagrams = Takt::RtEvents::DatagramCounts;
  static constexpr std::uint32_t most_clients = 1'000;

 public:
  ViewedRtEvents(const ClientOrb& orb, const std::string& target)
      : LookedAt(orb, target, "real-time events") {}

  void add_to(Lines& lines, std::size_t most_lines) const override {
    lines.add(title("levels " + number(now().levels().size()) + ", proxies " + number(now().proxies()) +
                    ", events held " + number(now().held()) + ", threads replaced " +
                    number(now().threads_replaced()) + ", dead clients " + number(now().dead())));
    lines.add(formatted("%9s %11s %9s %9s %9s %9s %9s %9s", "EVENTS/S", "EVENTS", "UNWANTED", "REFUSED",
                        "SENT", "LOST", "DISCARDED", "PENDING"));
    const std::uint64_t pushed = passed(&State::pushed);
    lines.add(formatted("%9s %11s %9s %9s %9s %9s %9s %9s", rate(pushed).c_str(), number(pushed).c_str(),
                        number(passed(&State::without_consumer)).c_str(),
                        number(passed(&State::refused)).c_str(), number(passed(&State::sent)).c_str(),
                        number(passed(&State::lost)).c_str(), number(passed(&State::discarded)).c_str(),
                        number(now().pending()).c_str()));
    if (now().datagrams() != Datagrams{} && !lines.is_full(most_lines))
      lines.add("datagrams: sent " + since_before(&Datagrams::sent_datagrams) + " with " +
                since_before(&Datagrams::sent_events) + " events, " + since_before(&Datagrams::unsent) +
                " events unsent; received " + since_before(&Datagrams::received_datagrams) + " with " +
                since_before(&Datagrams::received_events) + " events, " + since_before(&Datagrams::expired) +
                " expired, " + since_before(&Datagrams::failed) + " failed, " +
                since_before(&Datagrams::malformed) + " malformed, " + since_before(&Datagrams::incomplete) +
                " incomplete");
    add_rings(lines, most_lines);
    for (const Client& each : now().clients()) {
      if (lines.is_full(most_lines)) break;
      if (each.consumer())
        lines.add(formatted("%9s %11s %9s  ", "", number(each.events()).c_str(), state_of(each)) +
                  "consumer at " + each.address() + ", pending " + number(each.pending()) + ", lost " +
                  number(each.lost()) + ", discarded " + number(each.discarded()) + ", longest wait " +
                  short_time(static_cast<double>(each.longest_wait_ns())));
    }
  }

 protected:
  State ask(Takt::RtEvents::Service& service) const override { return service.look(most_clients); }
  Json json_of(const State& state) const override { return json_of_rt_channel(state); }

 private:
  using Ring = Takt::RtEvents::Ring;

  // The shared buffers that have been used, and their readers, those with the most losses first.
  void add_rings(Lines& lines, std::size_t most_lines) const {
    for (const Ring& each : now().rings().buffers()) {
      if (lines.is_full(most_lines) || (each.readers() == 0 && each.events() == 0)) continue;
      lines.add("shared buffer of level " + level_name(each.level()) + ": readers " + number(each.readers()) +
                ", events " + of_ring(each, &Ring::events) + ", unwritten " + of_ring(each, &Ring::lost) +
                ", lost by readers " + of_ring(each, &Ring::reader_losses) + ", octets " +
                number(each.occupied()) + " of " + number(each.octets()));
    }
    for (const auto& each : now().rings().readers()) {
      if (lines.is_full(most_lines)) break;
      lines.add("  reader " + number(each.number()) + " in process " + std::to_string(each.process()) +
                " of level " + level_name(each.level()) + ", read " + number(each.read()) + ", lost " +
                number(each.lost()));
    }
  }
  std::string level_name(std::uint32_t level) const {
    return level < now().levels().size() ? now().levels()[level].name() : number(level);
  }
  // Since the last look.
  std::string of_ring(const Ring& ring, Takt::RtEvents::Count (Ring::*count)() const) const {
    std::uint64_t old = 0;
    if (before())
      for (const Ring& each : before()->rings().buffers())
        if (each.level() == ring.level()) old = (each.*count)();
    return number(since(old, (ring.*count)()));
  }
  static const char* state_of(const Client& client) {
    if (!client.connected()) return "-";
    if (!client.answers()) return "silent";
    return client.suspended() ? "suspended" : "served";
  }
  std::uint64_t passed(Takt::RtEvents::Count (State::*count)() const) const {
    return since(before() ? ((*before()).*count)() : 0, (now().*count)());
  }
  std::string since_before(Takt::RtEvents::Count (Datagrams::*count)() const) const {
    return number(since(before() ? (before()->datagrams().*count)() : 0, (now().datagrams().*count)()));
  }
};

class ViewedNaming final : public LookedAt<Takt::Naming::Service, Takt::Naming::State> {
  using State = Takt::Naming::State;
  using Cluster = Takt::Naming::Cluster;

 public:
  ViewedNaming(const ClientOrb& orb, const std::string& target) : LookedAt(orb, target, "naming") {}

  void add_to(Lines& lines, std::size_t) const override {
    const Cluster* const cluster = cluster_of(now());
    lines.add(title("bindings " + number(now().bindings()) + ", contexts " + number(now().contexts()) +
                    ", iterators " + number(now().iterators()) +
                    (!cluster             ? ""
                     : cluster->answers() ? ", etcd answers"
                                          : ", etcd does not answer")));
    if (!cluster) return;
    lines.add(formatted("%9s %9s %9s %9s %9s %9s %9s %12s %9s", "CHANGES/S", "CHANGES", "REPEATED", "FAILED",
                        "QUESTIONS", "FAILED", "READINGS", "REVISION", "AGE"));
    lines.add(formatted(
        "%9s %9s %9s %9s %9s %9s %9s %12s %9s", rate(passed(&Cluster::changes)).c_str(),
        number(passed(&Cluster::changes)).c_str(), number(passed(&Cluster::repeated_changes)).c_str(),
        number(passed(&Cluster::failed_changes)).c_str(), number(passed(&Cluster::questions)).c_str(),
        number(passed(&Cluster::failed_questions)).c_str(), number(passed(&Cluster::readings)).c_str(),
        number(cluster->revision()).c_str(), short_time(static_cast<double>(cluster->age_ns())).c_str()));
  }

 protected:
  State ask(Takt::Naming::Service& service) const override { return service.look(); }
  Json json_of(const State& state) const override {
    Json json{
        {"bindings", state.bindings()}, {"contexts", state.contexts()}, {"iterators", state.iterators()}};
    if (const Cluster* const cluster = cluster_of(state))
      json["etcd"] = {{"answers", cluster->answers()},
                      {"age_ns", cluster->age_ns()},
                      {"revision", cluster->revision()},
                      {"readings", cluster->readings()},
                      {"questions", cluster->questions()},
                      {"failed_questions", cluster->failed_questions()},
                      {"changes", cluster->changes()},
                      {"repeated_changes", cluster->repeated_changes()},
                      {"failed_changes", cluster->failed_changes()}};
    return json;
  }

 private:
  static const Cluster* cluster_of(const State& state) {
    return state.cluster().empty() ? nullptr : &state.cluster().front();
  }
  std::uint64_t passed(Takt::Naming::Count (Cluster::*count)() const) const {
    const Cluster* const old = before() ? cluster_of(*before()) : nullptr;
    return since(old ? (old->*count)() : 0, (cluster_of(now())->*count)());
  }
};

}  // namespace

std::vector<std::unique_ptr<ViewedService>> viewed_services(const ClientOrb& orb,
                                                            const ServiceTargets& targets) {
  std::vector<std::unique_ptr<ViewedService>> services;
  for (const auto& each : targets.devices) services.push_back(std::make_unique<ViewedDevice>(orb, each));
  for (const auto& each : targets.traders) services.push_back(std::make_unique<ViewedTrader>(orb, each));
  for (const auto& each : targets.repositories)
    services.push_back(std::make_unique<ViewedRepository>(orb, each));
  for (const auto& each : targets.channels) services.push_back(std::make_unique<ViewedRtEvents>(orb, each));
  for (const auto& each : targets.naming) services.push_back(std::make_unique<ViewedNaming>(orb, each));
  return services;
}

}  // namespace takt::command
