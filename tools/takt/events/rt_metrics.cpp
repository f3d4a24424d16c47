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
    {"takt_rt_events_ring_refused_total", "counter", "Readers of shared buffers that were refused.",
     [](const RtState& state) -> std::uint64_t { return state.rings().refused(); }},
    // These four are for the present consumers, so they may fall when one goes.
    {"takt_rt_events_sent", "gauge", "Events that were sent to the present consumers.",
     [](const RtState& state) -> std::uint64_t { return state.sent(); }},
    {"takt_rt_events_lost", "gauge", "Events that could not be sent to the present consumers.",
     [](const RtState& state) -> std::uint64_t { return state.lost(); }},
    {"takt_rt_events_discarded", "gauge", "Events that full queues of the present consumers have given up.",
     [](const RtState& state) -> std::uint64_t { return state.discarded(); }},
    {"takt_rt_events_pending", "gauge", "Events in the queues of the present consumers.",
     [](const RtState& state) -> std::uint64_t { return state.pending(); }}};

struct RingMetric {
  const char *name, *type, *help;
  std::uint64_t (*figure)(const Takt::RtEvents::Ring& ring);
};

constexpr RingMetric ring_metrics[] = {
    {"takt_rt_events_ring_readers", "gauge", "Consumers that read the shared buffer of the level.",
     [](const Takt::RtEvents::Ring& ring) -> std::uint64_t { return ring.readers(); }},
    {"takt_rt_events_ring_events_total", "counter", "Events that were written to the shared buffer.",
     [](const Takt::RtEvents::Ring& ring) -> std::uint64_t { return ring.events(); }},
    {"takt_rt_events_ring_lost_total", "counter",
     "Events that could not be written to the shared buffer, a loss of all its readers.",
     [](const Takt::RtEvents::Ring& ring) -> std::uint64_t { return ring.lost(); }},
    {"takt_rt_events_ring_too_long_total", "counter",
     "Those of them that were longer than a quarter of the buffer.",
     [](const Takt::RtEvents::Ring& ring) -> std::uint64_t { return ring.too_long(); }},
    {"takt_rt_events_ring_reader_losses_total", "counter", "Events that readers say to have lost.",
     [](const Takt::RtEvents::Ring& ring) -> std::uint64_t { return ring.reader_losses(); }},
    {"takt_rt_events_ring_octets", "gauge", "Memory of the shared buffer.",
     [](const Takt::RtEvents::Ring& ring) -> std::uint64_t { return ring.octets(); }},
    {"takt_rt_events_ring_occupied_octets", "gauge", "Octets of the shared buffer that hold events.",
     [](const Takt::RtEvents::Ring& ring) -> std::uint64_t { return ring.occupied(); }}};

struct ReaderMetric {
  const char *name, *help;
  std::uint64_t (*figure)(const Takt::RtEvents::RingReader& reader);
};

constexpr ReaderMetric reader_metrics[] = {
    {"takt_rt_events_ring_reader_read", "Events that the reader of a shared buffer has read, as it says.",
     [](const Takt::RtEvents::RingReader& reader) -> std::uint64_t { return reader.read(); }},
    {"takt_rt_events_ring_reader_lost", "Events that the reader of a shared buffer has lost, as it says.",
     [](const Takt::RtEvents::RingReader& reader) -> std::uint64_t { return reader.lost(); }}};

std::string level_label(const RtState& state, std::uint32_t level) {
  return MetricsText::label("level", level < state.levels().size() ? state.levels()[level].name() : "");
}

void add_rings(MetricsText& text, const std::vector<ObservedRtEvents>& channels) {
  for (const RingMetric& metric : ring_metrics) {
    text.begin(metric.name, metric.type, metric.help);
    for (const ObservedRtEvents& each : channels)
      if (each.state)
        for (const auto& ring : each.state->rings().buffers())
          text.sample(metric.name, each.target, level_label(*each.state, ring.level()), metric.figure(ring));
  }
  for (const ReaderMetric& metric : reader_metrics) {
    text.begin(metric.name, "gauge", metric.help);
    for (const ObservedRtEvents& each : channels)
      if (each.state)
        for (const auto& reader : each.state->rings().readers())
          text.sample(metric.name, each.target,
                      level_label(*each.state, reader.level()) +
                          MetricsText::label("reader", std::to_string(reader.number())) +
                          MetricsText::label("process", std::to_string(reader.process())),
                      metric.figure(reader));
  }
}

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
  add_rings(text, channels);
  return text.text();
}

}  // namespace takt::command
