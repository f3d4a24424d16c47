// takt events serve: runs an event service.
#include <algorithm>
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/files.h"
#include "common/serving.h"
#include "events/bind.h"
#include "events/commands.h"
#include "events/service/event_service.h"

namespace takt::command {
namespace {

constexpr const char* events_endpoint = "iiop://localhost:11169";
constexpr command_line::Times patience{std::chrono::milliseconds(10), std::chrono::hours(24)};

struct EventsSettings {
  bool in_memory = false;
  std::string store, output = "-", bind = "EventChannelFactory", discard = "oldest";
  std::vector<std::string> channels;
  Serving serving;
  events::Limits limits;
  std::uint64_t max_channels = limits.channels, proxies = limits.proxies, pull_proxies = limits.pull_proxies,
                queued_events = limits.queued_events, queued_bytes = limits.queued_bytes,
                waiting_pulls = limits.waiting_pulls, reference_bytes = limits.reference_bytes,
                exceptions = limits.exceptions_in_a_row, threads = limits.threads,
                max_threads = limits.max_threads;
  std::chrono::nanoseconds slow_after = limits.slow_after, call_timeout = limits.call_timeout,
                           give_up_after = limits.give_up_after, ping_after = limits.ping_after,
                           connect_within = limits.connect_within, pull_patience = limits.pull_patience;
};

std::uint32_t small(std::uint64_t number, const char* option) {
  return number_up_to(1'000'000'000, number, option);
}

events::Limits limits_of(const EventsSettings& settings) {
  using namespace std::chrono;
  events::Limits limits = settings.limits;
  limits.channels = small(settings.max_channels, "--max-channels");
  limits.proxies = small(settings.proxies, "--max-proxies");
  limits.pull_proxies = small(settings.pull_proxies, "--max-pull-suppliers");
  limits.queued_events = small(settings.queued_events, "--max-queued-events");
  limits.max_queued_events = std::max(limits.max_queued_events, limits.queued_events);
  limits.queued_bytes = settings.queued_bytes;
  limits.waiting_pulls = small(settings.waiting_pulls, "--max-waiting-pulls");
  limits.reference_bytes = settings.reference_bytes;
  limits.exceptions_in_a_row = small(settings.exceptions, "--max-exceptions");
  limits.threads = small(settings.threads, "--threads");
  limits.max_threads = std::max(small(settings.max_threads, "--max-threads"), limits.threads);
  limits.discard = settings.discard == "newest" ? events::Discard::newest : events::Discard::oldest;
  limits.slow_after = duration_cast<milliseconds>(settings.slow_after);
  limits.call_timeout = duration_cast<milliseconds>(settings.call_timeout);
  limits.give_up_after = duration_cast<milliseconds>(settings.give_up_after);
  limits.ping_after = duration_cast<milliseconds>(settings.ping_after);
  limits.connect_within = duration_cast<milliseconds>(settings.connect_within);
  limits.pull_patience = duration_cast<milliseconds>(settings.pull_patience);
  return limits;
}

void make_channels(events::EventService& service, const EventsSettings& settings) {
  for (const std::string& name : settings.channels) {
    if (service.channel(name)) continue;
    events::ChannelSettings channel;
    channel.name = name;
    channel.discard = limits_of(settings).discard;
    if (name.empty() || !service.make_channel(std::move(channel)))
      fail("--channel " + name + ": no channel can have the name, or there are too many");
  }
}

// Reports once when writing to disk fails, and once when it works again.
void report_event_store(const std::string& why_not) {
  if (why_not.empty())
    std::cerr << "takt events serve: the store is writable again\n";
  else
    std::cerr << "takt events serve: the store cannot be written: " << why_not
              << "; new channels and connections raise PERSIST_STORE, and events still pass\n";
}

void run(EventsSettings settings) {
  if (settings.in_memory && !settings.store.empty())
    fail("give either --memory or --store: --memory keeps no connections after exit, --store keeps all");
  const events::EventService::Options options{
      .store = settings.in_memory ? "" : state_file(settings.store, "events.db"),
      .limits = limits_of(settings),
      .told = report_event_store};
  share_connections(settings.serving.orb_options);
  const AwaitedSignals signals{SIGINT, SIGTERM};
  try {
    const auto orb = serving_orb(settings.serving, events_endpoint, "takt events serve");
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
  serve.add("--max-channels", settings.max_channels, "most channels; more raise IMP_LIMIT").show_default();
  serve.add("--max-proxies", settings.proxies, "most proxies of all channels together; more raise IMP_LIMIT")
      .show_default();
  serve
      .add("--max-pull-suppliers", settings.pull_proxies,
           "most pull suppliers of a channel that was made without MaxNumProxies; a new one replaces the "
           "least active")
      .show_default();
  serve
      .add("--max-queued-events", settings.queued_events,
           "most events that wait for one consumer of a channel that was made without MaxQueueLength")
      .show_default();
  serve
      .add_size("--max-queued-octets", settings.queued_bytes,
                "about the most memory of all waiting events; queues that are not empty grow no further then")
      .show_default();
  serve.add("--discard", settings.discard, "which event a full queue gives up")
      .one_of({"oldest", "newest"})
      .show_default();
  serve
      .add_size("--max-reference-octets", settings.reference_bytes,
                "most octets of a client's reference; more raise IMP_LIMIT")
      .show_default();
  serve
      .add("--max-waiting-pulls", settings.waiting_pulls,
           "most calls of pull() that wait; more raise TRANSIENT")
      .show_default();
  serve
      .add("--pull-patience", settings.pull_patience,
           "time that pull() waits for an event; after that, TRANSIENT", patience)
      .show_default();
}

void add_delivery(const Command& serve, EventsSettings& settings) {
  serve.add("--threads", settings.threads, "threads that deliver, besides those that wait for slow clients")
      .show_default();
  serve.add("--max-threads", settings.max_threads, "most threads, including those that wait for slow clients")
      .show_default();
  serve
      .add("--slow-after", settings.slow_after,
           "time of a call after which another thread takes over the rest",
           {std::chrono::milliseconds(1), std::chrono::seconds(10)})
      .show_default();
  serve
      .add("--call-timeout", settings.call_timeout, "time for connecting to a client and for each reply",
           call_times)
      .show_default();
  serve
      .add("--give-up-after", settings.give_up_after,
           "time for which a client may be out of reach; after that it is disconnected", patience)
      .show_default();
  serve
      .add("--max-exceptions", settings.exceptions,
           "system exceptions that a client may raise in a row; after that it is disconnected")
      .show_default();
  serve
      .add("--ping-after", settings.ping_after, "silence after which a client is asked whether it exists",
           patience)
      .show_default();
  serve
      .add("--connect-within", settings.connect_within,
           "time after which a proxy that nothing has connected to is removed", patience)
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
  serve
      .add("--bind", settings->bind,
           "name for the factory in the naming service of -ORBInitRef NameService=..., if that is given; '' "
           "for none")
      .show_default();
  add_bounds(serve, *settings);
  add_delivery(serve, *settings);
  take_orb_options(serve, "-ORBInitRef NameService=corbaloc::localhost:2809/NameService");
  serve.on_chosen([settings, serve] {
    settings->serving.orb_options = serve.prefixed();
    run(*settings);
  });
}

}  // namespace takt::command
