// takt events watch: prints the events of a channel.
#include <charconv>
#include <chrono>
#include <csignal>
#include <functional>
#include <iostream>
#include <memory>
#include <thread>

#include <takt/corba.h>

#include "common/interrupt.h"
#include "constraint/constraint.h"
#include "events/commands.h"
#include "events/outage.h"
#include "events/shown_event.h"
#include "events/watch_rt.h"
#include "ior/target.h"
#include "omniEventsC.h"

namespace takt::command {
namespace {

using CosEventChannelAdmin::EventChannel;

// The pause between two questions to a channel that had no event.
constexpr std::chrono::milliseconds pause{20};

struct WatchSettings {
  std::string channel, factory = "corbaloc::localhost:11169/omniEvents";
  std::vector<std::string> orb_options;
  std::string filter;
  std::vector<std::string> types, sources;
  std::uint64_t count = 0;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
};

CORBA::object_reference<EventChannel> channel_named(const ClientOrb& orb, const WatchSettings& settings) {
  const auto factory = IDL::traits<omniEvents::EventChannelFactory>::unchecked_narrow(
      object_at(orb, reference_text(settings.factory)));
  try {
    return factory->join_channel(settings.channel);
  } catch (const event::EventChannelNotFound&) {
    fail("the service has no channel '" + settings.channel + "'", negative);
  }
}

constraint::Constraint filter_in(const std::string& text) {
  auto filter = constraint::Constraint::parse(text);
  if (!filter)
    fail("--filter: at column " + std::to_string(filter.error().octet + 1) + ": " + filter.error().text,
         unusable);
  return std::move(*filter);
}

std::vector<std::int32_t> numbers_of(const std::vector<std::string>& words, const char* option) {
  std::vector<std::int32_t> numbers;
  for (const std::string& word : words) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), numbers.emplace_back());
    if (error != std::errc() || end != word.data() + word.size())
      fail(std::string(option) + " " + word + ": it is a number of 32 bits");
  }
  return numbers;
}

using ChannelRef = CORBA::object_reference<EventChannel>;
using FindChannel = std::function<ChannelRef()>;
using ProxyRef = CORBA::object_reference<CosEventChannelAdmin::ProxyPullSupplier>;

ProxyRef proxy_of(EventChannel& channel) {
  auto proxy = channel.for_consumers()->obtain_pull_supplier();
  proxy->connect_pull_consumer(nullptr);
  return proxy;
}

// Asks the channel for events, which needs no connection from the channel to this process. A service that
// does not answer at first is a failure; one that stops answering later is waited for. It has the proxy still
// if it keeps a store.
void watch(const FindChannel& find, const constraint::Constraint& filter, std::uint64_t count) {
  end_at_interrupt();
  ProxyRef proxy = proxy_of(*find());
  std::cerr << "watching" << std::endl;
  Outage outage("the channel");
  std::uint64_t seen = 0;
  const auto show_next = [&] {
    if (!proxy) proxy = proxy_of(*find());
    bool has_event = false;
    const CORBA::Any data = proxy->try_pull(has_event);
    outage.end();
    if (!has_event) return std::this_thread::sleep_for(pause);
    if (!filter.matches(data)) return;
    print_event(data);
    ++seen;
  };
  while (!interrupted && (count == 0 || seen < count)) outage.ask(show_next, [&] { proxy = nullptr; });
  if (proxy && !outage.lasts()) proxy->disconnect_pull_supplier();
}

void watch_channel(const ClientOrb& orb, const WatchSettings& settings,
                   const constraint::Constraint& filter) {
  const auto refuse_types = [&] {
    if (!settings.types.empty() || !settings.sources.empty())
      fail("--type and --source are for real-time event channels; others have --filter");
  };
  if (!is_reference(settings.channel)) {
    refuse_types();
    return watch([&] { return channel_named(orb, settings); }, filter, settings.count);
  }
  const auto object = object_at(orb, reference_text(settings.channel));
  const RtWatch wanted{.types = numbers_of(settings.types, "--type"),
                       .sources = numbers_of(settings.sources, "--source"),
                       .filter = filter,
                       .count = settings.count};
  if (const auto channel = rt_channel_at(object)) return watch_rt(orb, *channel, wanted);
  if (watch_ring(orb, object, wanted)) return;
  refuse_types();
  watch([&] { return IDL::traits<EventChannel>::unchecked_narrow(object); }, filter, settings.count);
}

void run(const WatchSettings& settings) {
  const constraint::Constraint filter = filter_in(settings.filter);
  try {
    const ClientOrb orb(settings.deadline, settings.orb_options);
    watch_channel(orb, settings, filter);
  } catch (const CosEventComm::Disconnected&) {
    fail("the channel was destroyed, or has disconnected this consumer", negative);
  } catch (const CORBA::SystemException& failure) {
    fail(text_with_advice(failure), negative);
  }
}

}  // namespace

void add_events_watch(const Command& events) {
  const auto settings = std::make_shared<WatchSettings>();
  const Command watch = events.add_command("watch",
                                           "Prints the events that pass through a channel of any event "
                                           "service, or any real-time event service, as "
                                           "JSON, until Ctrl-C.");
  watch.add("channel", settings->channel, "the channel's name, or its reference as for takt ior, or @FILE")
      .required();
  watch.add("--service", settings->factory, "reference of the factory that knows the channel's name")
      .show_default();
  watch.add("--filter", settings->filter,
            "constraint in the extended trader constraint language; only events that match it are shown");
  watch
      .add("--type", settings->types,
           "type of events of a real-time channel; give it once for each. By default all")
      .one_at_a_time();
  watch
      .add("--source", settings->sources,
           "source of events of a real-time channel; give it once for each. By default all")
      .one_at_a_time();
  watch.add("--count", settings->count, "ends after that many shown events; 0: never").show_default();
  watch.add("--deadline", settings->deadline, "time for connecting, and for each reply", call_deadlines)
      .show_default();
  take_orb_options(watch, settings->orb_options, "-ORBTLSAuthorities authority.pem");
  watch.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
