// takt events list: the state of Takt's event services.
#include <memory>

#include <takt/corba.h>

#include "Takt_EventsC.h"
#include "Takt_RtEventsC.h"
#include "events/commands.h"
#include "events/rt_json.h"
#include "events/state_options.h"

namespace takt::command {
namespace {

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

Json json_of(const Takt::RtEvents::State& state) { return json_of_rt_channel(state); }

// The state of either kind of service.
template <class Service>
Json state_at(const CORBA::object_reference<CORBA::Object>& service, std::uint32_t clients) {
  return json_of(IDL::traits<Service>::unchecked_narrow(service)->look(clients));
}

}  // namespace

void add_events_list(const Command& events) {
  const Command list = events.add_command(
      "list",
      "Lists the channels of takt events serve, or that of takt events rt, their clients, and what waits "
      "for them.");
  show_state(
      list, std::make_shared<StateSettings>(StateSettings{.service = "corbaloc::localhost:11169/TaktEvents"}),
      "reference of the service's state, as for takt ior, or @FILE; that of takt events rt is "
      "corbaloc::HOST:11170/TaktRtEvents",
      [](const auto& service, std::uint32_t clients) {
        return service->_is_a(Takt::RtEvents::Service::_interface_repository_id())
                   ? state_at<Takt::RtEvents::Service>(service, clients)
                   : state_at<Takt::Events::Service>(service, clients);
      });
}

}  // namespace takt::command
