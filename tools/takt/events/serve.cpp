// takt events serve: runs an event service.
#include <algorithm>
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/files.h"
#include "common/serving.h"
#include "events/commands.h"
#include "events/service/event_service.h"
#include "events/service_options.h"
#include "name/bind.h"

namespace takt::command {
namespace {

constexpr const char* events_endpoint = "iiop://localhost:11169";

struct EventsSettings {
  bool in_memory = false;
  std::string store, output = "-", bind = "EventChannelFactory", discard = "oldest";
  std::vector<std::string> channels;
  Serving serving;
  events::Limits limits;
  ServiceOptions service{limits};
  std::uint64_t pull_proxies = limits.pull_proxies, queued_events = limits.queued_events;
};

events::Limits limits_of(const EventsSettings& settings) {
  events::Limits limits = settings.limits;
  settings.service.apply_to(limits);
  limits.pull_proxies = service_number(settings.pull_proxies, "--max-pull-suppliers");
  limits.queued_events = service_number(settings.queued_events, "--max-queued-events");
  limits.max_queued_events = std::max(limits.max_queued_events, limits.queued_events);
  limits.discard = settings.discard == "newest" ? events::Discard::newest : events::Discard::oldest;
  return limits;
}

void make_channels(events::EventService& service, const EventsSettings& settings) {
  for (const std::string& name : settings.channels) {
    if (service.channel(name)) continue;
    events::ChannelSettings channel;
    channel.name = name;
    channel.discard = limits_of(settings).discard;
    if (name.empty()) fail_without_channel(name, events::Refusal::gone);
    if (const auto made = service.make_channel(std::move(channel)); !made)
      fail_without_channel(name, made.error());
  }
}

void run(const EventsSettings& settings) {
  const events::EventService::Options options{
      .store = store_file(settings.in_memory, settings.store, "events.db", "connections"),
      .limits = limits_of(settings),
      .report = report_of_store("takt events serve",
                                "new channels and connections raise PERSIST_STORE, and events still pass")};
  const AwaitedSignals signals{SIGINT, SIGTERM};
  try {
    const auto orb =
        serving_orb(settings.serving, events_endpoint, "takt events serve", {shared_connections});
    const auto service = events::EventService::start(orb, options);
    if (!service) fail(service.error());
    make_channels(**service, settings);
    const TakesRequests serving(orb);
    if (!settings.bind.empty())
      bind_in_naming(*orb, settings.bind, (*service)->factory(), "takt events serve: the factory");
    announce_until_signal(*orb, (*service)->factory(), settings.output, signals);
    (*service)->stop();
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    fail(failure.what());
  }
}

void add_bounds(const Command& serve, EventsSettings& settings) {
  add_service_bounds(serve, settings.service);
  serve
      .add("--max-pull-suppliers", settings.pull_proxies,
           "most pull suppliers of a channel that was made without MaxNumProxies; a new one replaces the "
           "least active")
      .show_default();
  serve
      .add("--max-queued-events", settings.queued_events,
           "most events that wait for one consumer of a channel that was made without MaxQueueLength")
      .show_default();
  serve.add("--discard", settings.discard, "which event a full queue gives up")
      .one_of({"oldest", "newest"})
      .show_default();
}

}  // namespace

void add_events_serve(const Command& events) {
  const auto settings = std::make_shared<EventsSettings>();
  const Command serve = events.add_command("serve",
                                           "Serves an event service at corbaloc::HOST:11169/omniEvents until "
                                           "Ctrl-C. Prints its factory's reference.");
  serve.add(
      "--store", settings->store,
      "SQLite file that stores channels and connections; by default takt/events.db in $XDG_STATE_HOME, or "
      "in ~/.local/state");
  serve.add_flag("--memory", settings->in_memory, "keep channels and connections until the process exits");
  add_serving(serve, settings->serving, events_endpoint);
  serve.add("-o,--output", settings->output, "file to write the reference to").show_default();
  serve
      .add("--channel", settings->channels,
           "name of a channel to make if there is none, at corbaloc::HOST:11169/NAME")
      .one_at_a_time();
  add_bind(serve, settings->bind, "factory");
  add_bounds(serve, *settings);
  add_delivery(serve, settings->service);
  take_orb_options(serve, settings->serving.orb_options,
                   "-ORBInitRef NameService=corbaloc::localhost:2809/NameService");
  serve.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
