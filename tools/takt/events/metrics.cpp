#include "events/metrics.h"

#include "events/service_page.h"

namespace takt::command {
namespace {

using Takt::Events::Channel;
using Takt::Events::State;

}  // namespace

std::string prometheus_text(const std::vector<ObservedEvents>& services) {
  if (services.empty()) return {};
  ServicePage<ObservedEvents, State, Channel> page(services);
  page.up("takt_events_up", "Whether the event service has answered.");
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
