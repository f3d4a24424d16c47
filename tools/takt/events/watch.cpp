// takt events watch: prints the events of a channel.
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <thread>

#include <takt/corba.h>

#include "common/interrupt.h"
#include "constraint/constraint.h"
#include "events/commands.h"
#include "events/shown_event.h"
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
  std::uint64_t count = 0;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
};

CORBA::object_reference<EventChannel> channel_of(const ClientOrb& orb, const WatchSettings& settings) {
  if (is_reference(settings.channel))
    return IDL::traits<EventChannel>::unchecked_narrow(object_at(orb, reference_text(settings.channel)));
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

// Asks the channel for events, which needs no connection from the channel to this process.
void watch(EventChannel& channel, const constraint::Constraint& filter, std::uint64_t count) {
  end_at_interrupt();
  const auto proxy = channel.for_consumers()->obtain_pull_supplier();
  proxy->connect_pull_consumer(nullptr);
  std::cerr << "watching" << std::endl;
  std::uint64_t seen = 0;
  while (!interrupted && (count == 0 || seen < count)) {
    bool has_event = false;
    const CORBA::Any data = proxy->try_pull(has_event);
    if (has_event) {
      if (!filter.matches(data)) continue;
      print_event(data);
      ++seen;
    } else {
      std::this_thread::sleep_for(pause);
    }
  }
  proxy->disconnect_pull_supplier();
}

void run(const WatchSettings& settings) {
  const constraint::Constraint filter = filter_in(settings.filter);
  try {
    const ClientOrb orb(settings.deadline, settings.orb_options);
    watch(*channel_of(orb, settings), filter, settings.count);
  } catch (const CosEventComm::Disconnected&) {
    fail("the channel was destroyed, or has disconnected this consumer", negative);
  } catch (const CORBA::SystemException& failure) {
    fail(text_with_advice(failure), negative);
  }
}

}  // namespace

void add_events_watch(const Command& events) {
  const auto settings = std::make_shared<WatchSettings>();
  const Command watch = events.add_command(
      "watch", "Prints the events that pass through a channel of any event service, as JSON, until Ctrl-C.");
  watch.add("channel", settings->channel, "the channel's name, or its reference as for takt ior, or @FILE")
      .required();
  watch.add("--service", settings->factory, "reference of the factory that knows the channel's name")
      .show_default();
  watch.add("--filter", settings->filter,
            "constraint in the extended trader constraint language; only events that match it are shown");
  watch.add("--count", settings->count, "ends after that many shown events; 0: never").show_default();
  watch.add("--deadline", settings->deadline, "time for connecting, and for each reply", call_deadlines)
      .show_default();
  take_orb_options(watch, "-ORBTLSAuthorities authority.pem");
  watch.on_chosen([settings, watch] {
    settings->orb_options = watch.prefixed();
    run(*settings);
  });
}

}  // namespace takt::command
