#include "notify/metrics.h"

#include "events/service_page.h"

namespace takt::command {

std::string prometheus_text(const std::vector<ObservedNotification>& services) {
  using Takt::Notification::Channel;
  using Takt::Notification::State;
  if (services.empty()) return {};
  ServicePage<ObservedNotification, State, Channel> page(services);
  page.up("takt_notify_up", "Whether the notification service has answered.");
  using Figure = std::uint64_t (*)(const Channel&);
  struct Metric {
    const char *name, *type, *help;
    Figure figure;
  };
  static constexpr Metric of_channels[] = {
      {"takt_notify_received_total", "counter", "Events from suppliers.",
       [](const Channel& channel) { return channel.received(); }},
      {"takt_notify_rejected_total", "counter", "Events that full channels have refused.",
       [](const Channel& channel) { return channel.rejected(); }},
      {"takt_notify_filtered_total", "counter", "Events that filters and subscriptions did not let pass.",
       [](const Channel& channel) { return channel.filtered(); }},
      {"takt_notify_delivered_total", "counter", "Events that consumers have been sent or have pulled.",
       [](const Channel& channel) { return channel.delivered(); }},
      {"takt_notify_discarded_total", "counter", "Events that queues above their limit have dropped.",
       [](const Channel& channel) { return channel.discarded(); }},
      {"takt_notify_expired_total", "counter", "Events whose time was over before they were delivered.",
       [](const Channel& channel) { return channel.expired(); }},
      {"takt_notify_failures_total", "counter", "Deliveries that failed and may or may not have arrived.",
       [](const Channel& channel) { return channel.failures(); }},
      {"takt_notify_dead_clients_total", "counter", "Clients that were disconnected for not answering.",
       [](const Channel& channel) { return channel.dead(); }},
      {"takt_notify_pending", "gauge", "Events in all queues of the channel.",
       [](const Channel& channel) { return channel.pending(); }},
      {"takt_notify_held", "gauge", "Events that at least one queue of the channel refers to.",
       [](const Channel& channel) { return channel.held(); }},
      {"takt_notify_proxies", "gauge", "Proxies of the channel's administrators.",
       [](const Channel& channel) { return channel.proxies(); }}};
  for (const Metric& each : of_channels) page.of_channels(each.name, each.type, each.help, each.figure);
  page.of_service("takt_notify_filters", "Filters and mapping filters.",
                  [](const State& state) { return state.filters(); });
  page.of_service("takt_notify_queued_bytes", "Estimate of the memory of all queues.",
                  [](const State& state) { return state.queued_octets(); });
  page.of_service("takt_notify_waiting_pulls", "Pull operations that have no event yet.",
                  [](const State& state) { return state.waiting_pulls(); });
  page.of_service(
      "takt_notify_stored_events_total", "Events that were written to the store.",
      [](const State& state) { return state.stored_events(); }, "counter");
  page.of_service(
      "takt_notify_repeatable_deliveries_total", "Deliveries of stored events that may be second ones.",
      [](const State& state) { return state.repeatable_deliveries(); }, "counter");
  page.of_service("takt_notify_threads", "Threads for calls to clients.",
                  [](const State& state) { return state.threads(); });
  page.of_service("takt_notify_blocked_threads", "Threads whose client is slow.",
                  [](const State& state) { return state.blocked_threads(); });
  return page.text();
}

}  // namespace takt::command
