#include "stream/flow_json.h"

namespace takt::command {

const char* word_for(Takt::Streams::FlowState state) {
  using Takt::Streams::FlowState;
  switch (state) {
    case FlowState::stopped:
      return "stopped";
    case FlowState::started:
      return "started";
    case FlowState::dead:
      return "dead";
  }
  return "";
}

Takt::Streams::Flow passed_since(const Takt::Streams::Flow& before, Takt::Streams::Flow now) {
  // Losses can become fewer when packets come after all.
  const auto since = [](std::uint64_t earlier, std::uint64_t later) {
    return later > earlier ? later - earlier : 0;
  };
  now.frames(since(before.frames(), now.frames()));
  now.octets(since(before.octets(), now.octets()));
  now.lost(since(before.lost(), now.lost()));
  now.late(since(before.late(), now.late()));
  now.incomplete(since(before.incomplete(), now.incomplete()));
  now.refused(since(before.refused(), now.refused()));
  return now;
}

Json json_of_flow(const Takt::Streams::Flow& flow) {
  return {{"end_point", flow.end_point()},
          {"flow", flow.name()},
          {"role", flow.produces() ? "producer" : "consumer"},
          {"format", flow.format()},
          {"carrier", flow.carrier()},
          {"state", word_for(flow.state())},
          {"frame_rate", flow.frame_rate()},
          {"frames", flow.frames()},
          {"octets", flow.octets()},
          {"lost", flow.lost()},
          {"late", flow.late()},
          {"incomplete", flow.incomplete()},
          {"refused", flow.refused()},
          {"jitter_ns", flow.jitter_ns()},
          {"jitter_p99_ns", flow.jitter_p99_ns()},
          {"jitter_worst_ns", flow.jitter_worst_ns()}};
}

Json json_of_device(const Takt::Streams::State& state) {
  Json flows = Json::array();
  for (const auto& each : state.flows()) flows.push_back(json_of_flow(each));
  return {{"flows", std::move(flows)},
          {"end_points", state.end_points()},
          {"connections", state.connections()},
          {"refusals", state.refusals()}};
}

}  // namespace takt::command
