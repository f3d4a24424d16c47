#include "stream/metrics.h"

#include <cstdint>
#include <string_view>

#include "common/metrics_text.h"

namespace takt::command {
namespace {

using DeviceState = Takt::Streams::State;
using Takt::Streams::Flow;

template <class Of>
struct Metric {
  const char *name, *type, *help;
  std::uint64_t (*figure)(const Of& of);
};

constexpr Metric<DeviceState> device_metrics[] = {
    {"takt_streams_end_points", "gauge", "End points of streams.",
     [](const DeviceState& state) -> std::uint64_t { return state.end_points(); }},
    {"takt_streams_connections_total", "counter", "Connections of flows that were made.",
     [](const DeviceState& state) -> std::uint64_t { return state.connections(); }},
    {"takt_streams_refusals_total", "counter", "Connections of flows and end points that were refused.",
     [](const DeviceState& state) -> std::uint64_t { return state.refusals(); }},
};

constexpr Metric<Flow> flow_metrics[] = {
    {"takt_streams_started", "gauge", "Whether the flow is started.",
     [](const Flow& flow) -> std::uint64_t { return flow.state() == Takt::Streams::FlowState::started; }},
    {"takt_streams_dead", "gauge", "Whether the application's source or sink has failed.",
     [](const Flow& flow) -> std::uint64_t { return flow.state() == Takt::Streams::FlowState::dead; }},
    {"takt_streams_frames_total", "counter", "Frames that were sent, or given to the application.",
     [](const Flow& flow) -> std::uint64_t { return flow.frames(); }},
    {"takt_streams_bytes_total", "counter", "Octets of these frames.",
     [](const Flow& flow) -> std::uint64_t { return flow.octets(); }},
    {"takt_streams_lost", "gauge",
     "Frames not sent for want of room, or packets that did not arrive; fewer when packets come after all.",
     [](const Flow& flow) -> std::uint64_t { return flow.lost(); }},
    {"takt_streams_late_frames_total", "counter", "Frames whose time had passed.",
     [](const Flow& flow) -> std::uint64_t { return flow.late(); }},
    {"takt_streams_incomplete_frames_total", "counter", "Frames that were given up for want of parts.",
     [](const Flow& flow) -> std::uint64_t { return flow.incomplete(); }},
    {"takt_streams_refused_packets_total", "counter", "Packets that do not belong to the flow.",
     [](const Flow& flow) -> std::uint64_t { return flow.refused(); }},
    {"takt_streams_jitter_seconds", "gauge", "Jitter of frames that arrive, as in RFC 3550.",
     [](const Flow& flow) -> std::uint64_t { return flow.jitter_ns(); }},
    {"takt_streams_jitter_p99_seconds", "gauge", "Deviation from the pace that 99 % of the frames keep.",
     [](const Flow& flow) -> std::uint64_t { return flow.jitter_p99_ns(); }},
    {"takt_streams_jitter_worst_seconds", "gauge", "The largest deviation of a frame from the pace.",
     [](const Flow& flow) -> std::uint64_t { return flow.jitter_worst_ns(); }},
};

std::string labels_of(const Flow& flow) {
  return MetricsText::label("end_point", flow.end_point()) + MetricsText::label("flow", flow.name()) +
         MetricsText::label("role", flow.produces() ? "producer" : "consumer");
}

}  // namespace

std::string prometheus_text(const std::vector<ObservedDevice>& devices) {
  if (devices.empty()) return {};
  MetricsText page;
  page.begin("takt_streams_up", "gauge", "Whether the device has answered.");
  for (const ObservedDevice& each : devices)
    page.sample("takt_streams_up", each.target, "", each.state ? 1 : 0);
  for (const auto& metric : device_metrics) {
    page.begin(metric.name, metric.type, metric.help);
    for (const ObservedDevice& each : devices)
      if (each.state) page.sample(metric.name, each.target, "", metric.figure(*each.state));
  }
  for (const auto& metric : flow_metrics) {
    page.begin(metric.name, metric.type, metric.help);
    for (const ObservedDevice& each : devices) {
      if (!each.state) continue;
      for (const Flow& flow : each.state->flows())
        if (std::string_view(metric.name).ends_with("_seconds"))
          page.sample_time(metric.name, each.target, labels_of(flow), metric.figure(flow));
        else
          page.sample(metric.name, each.target, labels_of(flow), metric.figure(flow));
    }
  }
  return page.text();
}

}  // namespace takt::command
