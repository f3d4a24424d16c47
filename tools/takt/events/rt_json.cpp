#include "events/rt_json.h"

#include <utility>

namespace takt::command {
namespace {

Json json_of(const Takt::RtEvents::Client& client, const Takt::RtEvents::LevelList& levels) {
  Json json{{"kind", client.consumer() ? "consumer" : "supplier"},
            {"connected", client.connected()},
            {"answers", client.answers()},
            {"address", client.address()},
            {"events", client.events()},
            {"lost", client.lost()}};
  if (!client.consumer()) return json;
  json["level"] = client.level() < levels.size() ? levels[client.level()].name() : "";
  json["suspended"] = client.suspended();
  json["pending"] = client.pending();
  json["discarded"] = client.discarded();
  json["missed"] = client.missed();
  json["slow_calls"] = client.slow_calls();
  json["longest_call_ns"] = client.longest_call_ns();
  json["longest_wait_ns"] = client.longest_wait_ns();
  return json;
}

Json json_of(const Takt::RtEvents::DatagramCounts& counts) {
  return {{"sent_events", counts.sent_events()},
          {"sent_datagrams", counts.sent_datagrams()},
          {"unsent", counts.unsent()},
          {"received_events", counts.received_events()},
          {"received_datagrams", counts.received_datagrams()},
          {"expired", counts.expired()},
          {"malformed", counts.malformed()},
          {"failed", counts.failed()},
          {"incomplete", counts.incomplete()}};
}

Json json_of(const Takt::RtEvents::RingsState& rings, const Takt::RtEvents::LevelList& levels) {
  const auto name_of = [&](std::uint32_t level) {
    return level < levels.size() ? levels[level].name() : std::string();
  };
  Json buffers = Json::array(), readers = Json::array();
  for (const Takt::RtEvents::Ring& each : rings.buffers())
    buffers.push_back({{"level", name_of(each.level())},
                       {"readers", each.readers()},
                       {"events", each.events()},
                       {"lost", each.lost()},
                       {"too_long", each.too_long()},
                       {"octets", each.octets()},
                       {"occupied", each.occupied()},
                       {"reader_losses", each.reader_losses()}});
  for (const Takt::RtEvents::RingReader& each : rings.readers())
    readers.push_back({{"number", each.number()},
                       {"level", name_of(each.level())},
                       {"process", each.process()},
                       {"read", each.read()},
                       {"lost", each.lost()}});
  return {{"buffers", std::move(buffers)}, {"readers", std::move(readers)}, {"refused", rings.refused()}};
}

}  // namespace

Json json_of_rt_channel(const Takt::RtEvents::State& state) {
  Json levels = Json::array(), peers = Json::array(), clients = Json::array();
  for (const Takt::RtEvents::Level& each : state.levels())
    levels.push_back({{"name", each.name()}, {"priority", each.priority()}});
  for (const Takt::RtEvents::Peer& each : state.peers())
    peers.push_back({{"channel", each.channel()},
                     {"connected", each.connected()},
                     {"received", each.received()},
                     {"expired", each.expired()}});
  for (const Takt::RtEvents::Client& each : state.clients()) clients.push_back(json_of(each, state.levels()));
  return {{"levels", std::move(levels)},
          {"pushed", state.pushed()},
          {"without_consumer", state.without_consumer()},
          {"refused", state.refused()},
          {"held", state.held()},
          {"threads_replaced", state.threads_replaced()},
          {"proxies", state.proxies()},
          {"observers", state.observers()},
          {"dead", state.dead()},
          {"sent", state.sent()},
          {"lost", state.lost()},
          {"discarded", state.discarded()},
          {"pending", state.pending()},
          {"peers", std::move(peers)},
          {"datagrams", json_of(state.datagrams())},
          {"rings", json_of(state.rings(), state.levels())},
          {"clients", std::move(clients)}};
}

}  // namespace takt::command
