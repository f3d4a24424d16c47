// takt events list: the state of Takt's event service.
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "Takt_EventsC.h"
#include "common/output.h"
#include "events/commands.h"
#include "ior/target.h"

namespace takt::command {
namespace {

struct StateSettings {
  std::string service = "corbaloc::localhost:11169/TaktEvents";
  std::vector<std::string> orb_options;
  std::uint64_t clients = 20;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
  bool as_json = false;
};

const char* role_in_words(Takt::Events::ProxyKind kind) {
  using Takt::Events::ProxyKind;
  switch (kind) {
    case ProxyKind::push_consumer:
      return "supplier that pushes";
    case ProxyKind::pull_consumer:
      return "supplier that is pulled from";
    case ProxyKind::push_supplier:
      return "consumer that is pushed to";
    case ProxyKind::pull_supplier:
      return "consumer that pulls";
  }
  return "";
}

Json json_of(const Takt::Events::Client& client) {
  return {{"kind", role_in_words(client.kind())}, {"connected", client.connected()},
          {"answers", client.answers()},          {"address", client.address()},
          {"type_id", client.type_id()},          {"events", client.events()},
          {"pending", client.pending()},          {"discarded", client.discarded()},
          {"failures", client.failures()}};
}

Json json_of(const Takt::Events::Channel& channel) {
  Json clients = Json::array();
  for (const Takt::Events::Client& each : channel.clients()) clients.push_back(json_of(each));
  return {{"name", channel.name()},           {"filter", channel.filter()},
          {"proxies", channel.proxies()},     {"received", channel.received()},
          {"filtered", channel.filtered()},   {"delivered", channel.delivered()},
          {"discarded", channel.discarded()}, {"failures", channel.failures()},
          {"dead", channel.dead()},           {"pending", channel.pending()},
          {"clients", std::move(clients)}};
}

Json json_of(const Takt::Events::State& state) {
  Json channels = Json::array();
  for (const Takt::Events::Channel& each : state.channels()) channels.push_back(json_of(each));
  return {{"channels", std::move(channels)},
          {"proxies", state.proxies()},
          {"queued_octets", state.queued_octets()},
          {"waiting_pulls", state.waiting_pulls()},
          {"threads", state.threads()},
          {"blocked_threads", state.blocked_threads()},
          {"threads_replaced", state.threads_replaced()}};
}

void run(const StateSettings& settings) {
  if (settings.clients > 10'000) fail("--clients is a number up to 10000");
  try {
    const ClientOrb orb(settings.deadline, settings.orb_options);
    const auto service = IDL::traits<Takt::Events::Service>::unchecked_narrow(
        object_at(orb, reference_text(settings.service)));
    const Json json = json_of(service->look(static_cast<std::uint32_t>(settings.clients)));
    std::cout << (settings.as_json ? text_of(json) : page_of(json));
  } catch (const CORBA::SystemException& failure) {
    fail(text_with_advice(failure), negative);
  }
}

}  // namespace

void add_events_list(const Command& events) {
  const auto settings = std::make_shared<StateSettings>();
  const Command list = events.add_command(
      "list", "Lists the channels of takt events serve, their clients, and what waits for them.");
  list.add("--service", settings->service, "reference of the service's state, as for takt ior, or @FILE")
      .show_default();
  list.add("--clients", settings->clients,
           "most clients of each channel; those with the most pending events are first")
      .show_default();
  list.add("--deadline", settings->deadline, "time for connecting, and for the reply", call_deadlines)
      .show_default();
  list.add_flag("--json", settings->as_json, "as JSON");
  take_orb_options(list, "-ORBTLSAuthorities authority.pem");
  list.on_chosen([settings, list] {
    settings->orb_options = list.prefixed();
    run(*settings);
  });
}

}  // namespace takt::command
