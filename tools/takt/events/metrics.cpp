#include "events/metrics.h"

#include <cstdint>
#include <functional>
#include <map>

#include "common/metrics_text.h"

namespace takt::command {
namespace {

using Takt::Events::Channel;
using Takt::Events::State;

// Writes one metric after the other.
class EventsPage {
 public:
  explicit EventsPage(const std::vector<ObservedEvents>& services) : services_(services) {}

  // A figure of each service.
  void of_service(const char* name, const char* help,
                  const std::function<std::uint64_t(const State&)>& figure) {
    text_.begin(name, "gauge", help);
    for (const ObservedEvents& each : services_)
      if (each.state) text_.sample(name, each.target, "", figure(*each.state));
  }
  // A figure of each channel.
  void of_channels(const char* name, const char* type, const char* help,
                   const std::function<std::uint64_t(const Channel&)>& figure) {
    text_.begin(name, type, help);
    for (const ObservedEvents& each : services_) {
      if (!each.state) continue;
      std::map<std::string, std::uint64_t> sums;
      for (const Channel& channel : each.state->channels()) sums[channel.name()] += figure(channel);
      for (const auto& [channel, sum] : sums)
        text_.sample(name, each.target, MetricsText::label("channel", channel), sum);
    }
  }
  void up() {
    text_.begin("takt_events_up", "gauge", "Whether the event service has answered.");
    for (const ObservedEvents& each : services_)
      text_.sample("takt_events_up", each.target, "", each.state ? 1 : 0);
  }
  std::string text() { return text_.text(); }

 private:
  const std::vector<ObservedEvents>& services_;
  MetricsText text_;
};

}  // namespace

std::string prometheus_text(const std::vector<ObservedEvents>& services) {
  if (services.empty()) return {};
  EventsPage page(services);
  page.up();
  page.of_channels("takt_events_received_total", "counter", "Events from suppliers.",
                   [](const Channel& channel) { return channel.received(); });
  page.of_channels("takt_events_filtered_total", "counter",
                   "Events that the channel's filter did not let pass.",
                   [](const Channel& channel) { return channel.filtered(); });
  page.of_channels("takt_events_delivered_total", "counter", "Events that consumers have received or pulled.",
                   [](const Channel& channel) { return channel.delivered(); });
  page.of_channels("takt_events_discarded_total", "counter", "Events that full queues have given up.",
                   [](const Channel& channel) { return channel.discarded(); });
  page.of_channels("takt_events_failures_total", "counter",
                   "Deliveries that were broken off, or that raised an exception.",
                   [](const Channel& channel) { return channel.failures(); });
  page.of_channels("takt_events_dead_clients_total", "counter",
                   "Clients that were disconnected because they did not answer.",
                   [](const Channel& channel) { return channel.dead(); });
  page.of_channels("takt_events_pending", "gauge", "Events that wait in queues.",
                   [](const Channel& channel) { return channel.pending(); });
  page.of_channels("takt_events_proxies", "gauge", "Proxies of the channel.",
                   [](const Channel& channel) { return channel.proxies(); });
  page.of_service("takt_events_queued_bytes", "Memory of the events in queues, about.",
                  [](const State& state) { return state.queued_octets(); });
  page.of_service("takt_events_waiting_pulls", "Calls of pull() that wait for an event.",
                  [](const State& state) { return state.waiting_pulls(); });
  page.of_service("takt_events_threads", "Threads that call clients.",
                  [](const State& state) { return state.threads(); });
  page.of_service("takt_events_blocked_threads", "Threads that wait for a slow client.",
                  [](const State& state) { return state.blocked_threads(); });
  return page.text();
}

}  // namespace takt::command
