// takt notify serve: runs a notification service.
#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/files.h"
#include "common/serving.h"
#include "events/service_options.h"
#include "name/bind.h"
#include "notification/service/notification_service.h"
#include "notify/commands.h"

namespace takt::command {
namespace {

constexpr const char* notify_endpoint = "iiop://localhost:11171";
constexpr command_line::Times patience{std::chrono::milliseconds(1), std::chrono::hours(24 * 365)};
constexpr command_line::Times pull_periods{std::chrono::milliseconds(1), std::chrono::hours(24)};

struct NotifySettings {
  std::string store, output = "-", bind = "NotifyEventChannelFactory";
  std::vector<std::string> channels;
  Serving serving;
  notification::Limits limits;
  ServiceOptions service{limits};
  std::uint64_t admins = limits.admins, filters = limits.filters, queued_events = limits.queued_events,
                filter_steps = limits.filter_steps, constraint_bytes = limits.constraint_bytes,
                filter_bytes = limits.filter_bytes, definition_bytes = limits.definition_bytes,
                event_types = limits.event_types, untold_types = limits.untold_types,
                untold_bytes = limits.untold_bytes, batch_bytes = limits.batch_bytes;
  std::chrono::nanoseconds pull_period = limits.pull_period,
                           give_up_persistent_after = limits.give_up_persistent_after;
};

notification::Limits limits_of(const NotifySettings& settings) {
  notification::Limits limits = settings.limits;
  settings.service.apply_to(limits);
  limits.admins = service_number(settings.admins, "--max-admins");
  limits.filters = service_number(settings.filters, "--max-filters");
  limits.queued_events = service_number(settings.queued_events, "--max-queued-events");
  limits.max_queued_events = std::max(limits.max_queued_events, limits.queued_events);
  limits.filter_steps = service_number(settings.filter_steps, "--max-filter-steps");
  limits.constraint_bytes = settings.constraint_bytes;
  limits.filter_bytes = settings.filter_bytes;
  limits.definition_bytes = settings.definition_bytes;
  limits.event_types = service_number(settings.event_types, "--max-types");
  limits.untold_types = service_number(settings.untold_types, "--max-untold-types");
  limits.untold_bytes = settings.untold_bytes;
  limits.batch_bytes = settings.batch_bytes;
  limits.pull_period = std::chrono::duration_cast<std::chrono::milliseconds>(settings.pull_period);
  limits.give_up_persistent_after =
      std::chrono::duration_cast<std::chrono::milliseconds>(settings.give_up_persistent_after);
  return limits;
}

// The channels of a service with a store are persistent, and so are their events.
void make_channels(notification::NotificationService& service, const NotifySettings& settings) {
  CosNotification::QoSProperties qos;
  CORBA::Any persistent;
  persistent <<= CosNotification::Persistent;
  if (!settings.store.empty())
    qos = {{CosNotification::ConnectionReliability, persistent},
           {CosNotification::EventReliability, persistent}};
  for (const std::string& name : settings.channels) {
    if (!name.empty() && service.channel(name)) continue;
    using notification::Refusal;
    if (name.empty()) fail_without_channel(name, Refusal::gone);
    const auto made = service.make_channel(name, qos);
    if (made) continue;
    const Refusal* const refusal = std::get_if<Refusal>(&made.error());
    fail_without_channel(name, refusal ? *refusal : Refusal::gone);
  }
}

void run(const NotifySettings& settings) {
  const notification::NotificationService::Options options{
      .store = settings.store,
      .limits = limits_of(settings),
      .report = report_of_store("takt notify serve",
                                "persistent events and changes of persistent objects raise PERSIST_STORE")};
  const AwaitedSignals signals{SIGINT, SIGTERM};
  try {
    const auto orb =
        serving_orb(settings.serving, notify_endpoint, "takt notify serve", {shared_connections});
    const auto started = notification::NotificationService::start(orb, options);
    if (!started) fail(started.error());
    const auto& service = *started;
    for (const std::string& each : service->damaged())
      std::cerr << "takt notify serve: " << settings.store << ": damaged: " << each << '\n';
    make_channels(*service, settings);
    const TakesRequests serving(orb);
    if (!settings.bind.empty())
      bind_in_naming(*orb, settings.bind, service->factory(), "takt notify serve: the factory");
    announce_until_signal(*orb, service->factory(), settings.output, signals);
    service->stop();
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    fail(failure.what());
  }
}

void add_bounds(const Command& serve, NotifySettings& settings) {
  add_service_bounds(serve, settings.service);
  serve
      .add("--max-admins", settings.admins,
           "most administrators of all channels together; more raise IMP_LIMIT")
      .show_default();
  serve
      .add("--max-filters", settings.filters,
           "most filters and mapping filters together; more raise IMP_LIMIT")
      .show_default();
  serve
      .add("--max-filter-steps", settings.filter_steps,
           "most steps that the filters of one proxy or administrator take for an event, which does not "
           "match after that")
      .show_default();
  serve.add_size("--max-constraint-octets", settings.constraint_bytes, "most octets of a constraint")
      .show_default();
  serve
      .add_size("--max-filter-octets", settings.filter_bytes,
                "about the most memory of a filter's constraints; more raise IMP_LIMIT")
      .show_default();
  serve
      .add_size("--max-definition-octets", settings.definition_bytes,
                "about the most memory of all filters and types of events together; more raise IMP_LIMIT")
      .show_default();
  serve
      .add("--max-types", settings.event_types,
           "most types of events in a constraint, and of a proxy or administrator; more raise IMP_LIMIT")
      .show_default();
  serve
      .add("--max-untold-types", settings.untold_types,
           "most changes of types that wait for a client; beyond that it is told of no more")
      .show_default();
  serve
      .add_size(
          "--max-untold-octets", settings.untold_bytes,
          "about the most memory of the changes of types that wait for clients; beyond that, clients for "
          "which some wait are told of no more")
      .show_default();
  serve
      .add_size(
          "--max-batch-octets", settings.batch_bytes,
          "about the most octets of the events of one call to a consumer of sequences, or of one reply; "
          "below -ORBMaxMessageSize of the consumers")
      .show_default();
  serve
      .add("--max-queued-events", settings.queued_events,
           "most events that wait for a consumer whose MaxEventsPerConsumer is 0")
      .show_default();
  serve
      .add("--give-up-persistent-after", settings.give_up_persistent_after,
           "time for which a client with a persistent connection may be out of reach; after that it is "
           "disconnected",
           patience)
      .show_default();
  serve
      .add("--pull-period", settings.pull_period,
           "time between two questions to a supplier that had no event", pull_periods)
      .show_default();
}

}  // namespace

void add_notify_serve(const Command& notify) {
  const auto settings = std::make_shared<NotifySettings>();
  const Command serve =
      notify.add_command("serve",
                         "Serves a notification service at corbaloc::HOST:11171/NotifyEventChannelFactory "
                         "until Ctrl-C. Prints its factory's reference.");
  serve.add("--store", settings->store,
            "SQLite file that stores channels, connections and events whose reliability is Persistent, as "
            "the channels of --channel are then; by default nothing survives the process");
  add_serving(serve, settings->serving, notify_endpoint);
  serve.add("-o,--output", settings->output, "file to write the reference to").show_default();
  serve.add("--channel", settings->channels, "name of a channel to make, at corbaloc::HOST:11171/NAME")
      .one_at_a_time();
  add_bind(serve, settings->bind, "factory");
  add_bounds(serve, *settings);
  add_delivery(serve, settings->service);
  take_orb_options(serve, settings->serving.orb_options,
                   "-ORBInitRef NameService=corbaloc::localhost:2809/NameService");
  serve.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
