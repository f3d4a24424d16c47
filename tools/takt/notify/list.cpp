// takt notify list: the state of Takt's notification services.
#include <memory>

#include <takt/corba.h>

#include "Takt_NotificationC.h"
#include "events/state_options.h"
#include "notify/commands.h"

namespace takt::command {
namespace {

const char* kind_in_words(Takt::Notification::ClientKind kind) {
  using Takt::Notification::ClientKind;
  switch (kind) {
    case ClientKind::push_supplier:
      return "supplier that pushes";
    case ClientKind::pull_supplier:
      return "supplier that is pulled from";
    case ClientKind::push_consumer:
      return "consumer that is pushed to";
    case ClientKind::pull_consumer:
      return "consumer that pulls";
  }
  return "";
}

const char* form_in_words(Takt::Notification::EventForm form) {
  using Takt::Notification::EventForm;
  switch (form) {
    case EventForm::any_form:
      return "any";
    case EventForm::structured:
      return "structured";
    case EventForm::sequence_form:
      return "sequence";
    case EventForm::cos_event:
      return "any, of the event service";
  }
  return "";
}

Json notify_json(const Takt::Notification::Client& client) {
  return {{"kind", kind_in_words(client.kind())},
          {"form", form_in_words(client.form())},
          {"admin", client.admin()},
          {"proxy", client.proxy()},
          {"connected", client.connected()},
          {"suspended", client.suspended()},
          {"stored", client.stored()},
          {"answers", client.answers()},
          {"address", client.address()},
          {"type_id", client.type_id()},
          {"events", client.events()},
          {"filtered", client.filtered()},
          {"pending", client.pending()},
          {"discarded", client.discarded()},
          {"expired", client.expired()},
          {"failures", client.failures()}};
}

Json notify_json(const Takt::Notification::Channel& channel) {
  Json clients = Json::array();
  for (const Takt::Notification::Client& each : channel.clients()) clients.push_back(notify_json(each));
  return {{"id", channel.id()},
          {"name", channel.name()},
          {"stored", channel.stored()},
          {"consumer_admins", channel.consumer_admins()},
          {"supplier_admins", channel.supplier_admins()},
          {"proxies", channel.proxies()},
          {"received", channel.received()},
          {"rejected", channel.rejected()},
          {"filtered", channel.filtered()},
          {"delivered", channel.delivered()},
          {"discarded", channel.discarded()},
          {"expired", channel.expired()},
          {"failures", channel.failures()},
          {"dead", channel.dead()},
          {"pending", channel.pending()},
          {"held", channel.held()},
          {"clients", std::move(clients)}};
}

Json notify_json(const Takt::Notification::State& state) {
  Json channels = Json::array();
  for (const Takt::Notification::Channel& each : state.channels()) channels.push_back(notify_json(each));
  return {{"channels", std::move(channels)},
          {"proxies", state.proxies()},
          {"filters", state.filters()},
          {"queued_octets", state.queued_octets()},
          {"waiting_pulls", state.waiting_pulls()},
          {"stored_events", state.stored_events()},
          {"repeatable_deliveries", state.repeatable_deliveries()},
          {"threads", state.threads()},
          {"blocked_threads", state.blocked_threads()},
          {"threads_replaced", state.threads_replaced()}};
}

}  // namespace

void add_notify_list(const Command& notify) {
  const Command list = notify.add_command(
      "list", "Lists the channels of takt notify serve, their clients, and what waits for them.");
  show_state(
      list,
      std::make_shared<StateSettings>(StateSettings{.service = "corbaloc::localhost:11171/TaktNotification"}),
      "reference of the service's state, as for takt ior, or @FILE",
      [](const auto& service, std::uint32_t clients) {
        return notify_json(
            IDL::traits<Takt::Notification::Service>::unchecked_narrow(service)->look(clients));
      });
}

}  // namespace takt::command
