// takt notify list: the state of Takt's notification services.
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "Takt_NotificationC.h"
#include "common/output.h"
#include "ior/target.h"
#include "notify/commands.h"

namespace takt::command {
namespace {

struct ListSettings {
  std::string service = "corbaloc::localhost:11171/TaktNotification";
  std::vector<std::string> orb_options;
  std::uint64_t clients = 20;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
  bool as_json = false;
};

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
          {"threads", state.threads()},
          {"blocked_threads", state.blocked_threads()},
          {"threads_replaced", state.threads_replaced()}};
}

void run(const ListSettings& settings) {
  if (settings.clients > 10'000) fail("--clients is a number up to 10000");
  try {
    const ClientOrb orb(settings.deadline, settings.orb_options);
    const auto service = IDL::traits<Takt::Notification::Service>::unchecked_narrow(
        object_at(orb, reference_text(settings.service)));
    const Json json = notify_json(service->look(static_cast<std::uint32_t>(settings.clients)));
    std::cout << (settings.as_json ? text_of(json) : page_of(json));
  } catch (const CORBA::SystemException& failure) {
    fail(text_with_advice(failure), negative);
  }
}

}  // namespace

void add_notify_list(const Command& notify) {
  const auto settings = std::make_shared<ListSettings>();
  const Command list = notify.add_command(
      "list", "Lists the channels of takt notify serve, their clients, and what waits for them.");
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
