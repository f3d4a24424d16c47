#include "events/rt_metrics.h"

#include <cstdint>

#include "common/metrics_text.h"

namespace takt::command {
namespace {

using RtState = Takt::RtEvents::State;

struct RtMetric {
  const char *name, *type, *help;
  std::uint64_t (*figure)(const RtState& state);
};

constexpr RtMetric rt_metrics[] = {
    {"takt_rt_events_pushed_total", "counter", "Events from suppliers.",
     [](const RtState& state) -> std::uint64_t { return state.pushed(); }},
    {"takt_rt_events_without_consumer_total", "counter", "Events that no subscription accepted.",
     [](const RtState& state) -> std::uint64_t { return state.without_consumer(); }},
    {"takt_rt_events_refused_total", "counter",
     "Events that were too large, or for which there was no memory.",
     [](const RtState& state) -> std::uint64_t { return state.refused(); }},
    {"takt_rt_events_threads_replaced_total", "counter", "Threads of levels that were in a slow call.",
     [](const RtState& state) -> std::uint64_t { return state.threads_replaced(); }},
    {"takt_rt_events_dead_clients_total", "counter",
     "Clients that were disconnected because they did not answer.",
     [](const RtState& state) -> std::uint64_t { return state.dead(); }},
    {"takt_rt_events_held", "gauge", "Events in queues and groups.",
     [](const RtState& state) -> std::uint64_t { return state.held(); }},
    {"takt_rt_events_proxies", "gauge", "Proxies of the channel.",
     [](const RtState& state) -> std::uint64_t { return state.proxies(); }},
    {"takt_rt_events_datagrams_sent_total", "counter", "Datagrams that were sent.",
     [](const RtState& state) -> std::uint64_t { return state.datagrams().sent_datagrams(); }},
    {"takt_rt_events_datagram_events_sent_total", "counter", "Events that were sent by datagrams.",
     [](const RtState& state) -> std::uint64_t { return state.datagrams().sent_events(); }},
    {"takt_rt_events_datagram_events_unsent_total", "counter",
     "Events that were too large for datagrams, or for which the socket had no room.",
     [](const RtState& state) -> std::uint64_t { return state.datagrams().unsent(); }},
    {"takt_rt_events_datagrams_received_total", "counter", "Datagrams of other machines and programs.",
     [](const RtState& state) -> std::uint64_t { return state.datagrams().received_datagrams(); }},
    {"takt_rt_events_datagram_events_received_total", "counter", "Events that came by datagrams.",
     [](const RtState& state) -> std::uint64_t { return state.datagrams().received_events(); }},
    {"takt_rt_events_datagram_events_expired_total", "counter",
     "Events that came by datagrams and had no hops left.",
     [](const RtState& state) -> std::uint64_t { return state.datagrams().expired(); }},
    {"takt_rt_events_datagrams_malformed_total", "counter",
     "Datagrams with a fault, and requests in them that are no events.",
     [](const RtState& state) -> std::uint64_t { return state.datagrams().malformed(); }},
    {"takt_rt_events_datagrams_failed_total", "counter", "Datagrams that raised an exception.",
     [](const RtState& state) -> std::uint64_t { return state.datagrams().failed(); }},
    {"takt_rt_events_datagram_requests_incomplete_total", "counter",
     "Requests of which a fragment did not come.",
     [](const RtState& state) -> std::uint64_t { return state.datagrams().incomplete(); }},
    // These four are for the present consumers, so they may fall when one goes.
    {"takt_rt_events_sent", "gauge", "Events that were sent to the present consumers.",
     [](const RtState& state) -> std::uint64_t { return state.sent(); }},
    {"takt_rt_events_lost", "gauge", "Events that could not be sent to the present consumers.",
     [](const RtState& state) -> std::uint64_t { return state.lost(); }},
    {"takt_rt_events_discarded", "gauge", "Events that full queues of the present consumers have given up.",
     [](const RtState& state) -> std::uint64_t { return state.discarded(); }},
    {"takt_rt_events_pending", "gauge", "Events in the queues of the present consumers.",
     [](const RtState& state) -> std::uint64_t { return state.pending(); }}};

}  // namespace

std::string prometheus_text(const std::vector<ObservedRtEvents>& channels) {
  if (channels.empty()) return {};
  MetricsText text;
  text.begin("takt_rt_events_up", "gauge", "Whether the real-time event channel has answered.");
  for (const ObservedRtEvents& each : channels)
    text.sample("takt_rt_events_up", each.target, "", each.state ? 1 : 0);
  for (const RtMetric& metric : rt_metrics) {
    text.begin(metric.name, metric.type, metric.help);
    for (const ObservedRtEvents& each : channels)
      if (each.state) text.sample(metric.name, each.target, "", metric.figure(*each.state));
  }
  return text.text();
}

}  // namespace takt::command
