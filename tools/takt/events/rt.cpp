// takt events rt: runs a real-time event channel.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <limits>
#include <memory>

#include <takt/corba.h>

#include "common/files.h"
#include "common/serving.h"
#include "event_ring/event_rings.h"
#include "event_schedule/channel_schedule.h"
#include "events/commands.h"
#include "events/datagram_sockets.h"
#include "name/bind.h"
#include "rt_events/service/event_channel_service.h"

namespace takt::command {
namespace {

constexpr const char* rt_events_endpoint = "iiop://localhost:11170";
constexpr command_line::Times client_patience{std::chrono::milliseconds(10), std::chrono::hours(24)};
constexpr command_line::Times pauses{std::chrono::nanoseconds(0), std::chrono::seconds(1)};
constexpr command_line::Times short_times{std::chrono::milliseconds(1), std::chrono::seconds(10)};

struct RtEventsSettings {
  std::string output = "-", bind = "EventService", discard = "oldest", scheduler;
  std::vector<std::string> levels, peers;
  Serving serving;
  DatagramSettings datagrams;
  EventChannelOptions channel;
  rt_events::ServiceLimits limits;
  std::uint64_t consumers = channel.consumers, queued_events = channel.queued_events,
                queued_bytes = channel.queued_bytes, event_bytes = std::uint64_t{1} << 20,
                proxies = limits.proxies, observers = limits.observers,
                reference_bytes = limits.reference_bytes, entries = channel.filters.entries,
                depth = channel.filters.depth, hops = static_cast<std::uint64_t>(channel.most_hops),
                max_threads = channel.max_threads, ring_bytes = 0,
                ring_readers = event_ring::EventRingOptions().readers;
  std::chrono::nanoseconds gather = channel.gather, slow_after = channel.slow_after,
                           push_timeout = limits.push_timeout, call_timeout = limits.call_timeout,
                           give_up_after = limits.give_up_after, ping_after = limits.ping_after,
                           connect_within = limits.connect_within;
};

// "urgent:20000", or "urgent" for a level without a priority.
EventLevel level_from(const std::string& text) {
  const auto colon = text.find(':');
  EventLevel level{text.substr(0, colon)};
  if (level.name.empty())
    fail("--level " + text + ": a level has a name and a priority, such as urgent:20000");
  if (colon == std::string::npos) return level;
  constexpr int most = 32'767;
  const std::string number = text.substr(colon + 1);
  std::size_t used = 0;
  int priority = -1;
  try {
    priority = std::stoi(number, &used);
  } catch (const std::exception&) {  // `used` is 0
  }
  if (used == 0 || used != number.size() || priority < 0 || priority > most)
    fail("--level " + text + ": a priority is a number from 0 to 32767");
  level.priority = static_cast<std::int16_t>(priority);
  return level;
}

void report(const std::string& text) { std::cerr << "takt events rt: " + text + '\n'; }

void add_level(const EventLevel& level, std::vector<EventLevel>& levels) {
  if (std::ranges::find(levels, level.name, &EventLevel::name) != levels.end())
    fail("--level " + level.name + ": another level has that name");
  if (!levels.empty() && level.priority > levels.back().priority)
    report("--level " + level.name + " has a higher priority than " + levels.back().name +
           ", which stands before it: rt_info 1 of consumers is the first level, which should be the most "
           "urgent");
  levels.push_back(level);
}

EventChannelOptions channel_of(const RtEventsSettings& settings) {
  constexpr std::uint32_t most = 65'536;
  EventChannelOptions channel = settings.channel;
  for (const std::string& level : settings.levels) add_level(level_from(level), channel.levels);
  channel.consumers = number_up_to(most, settings.consumers, "--max-consumers");
  channel.queued_events = number_up_to(most, settings.queued_events, "--max-queued-events");
  channel.queued_bytes = settings.queued_bytes;
  channel.event_bytes = settings.event_bytes;
  channel.filters.entries = number_up_to(most, settings.entries, "--max-filter-entries");
  constexpr std::uint32_t deepest = 256;  // filters are read and evaluated by recursion
  channel.filters.depth = number_up_to(deepest, settings.depth, "--max-filter-depth");
  channel.slow_after = settings.slow_after;
  channel.gather = settings.gather;
  constexpr std::uint64_t most_hops = 1'000;
  if (settings.hops > most_hops) fail("--max-hops is a number from 0 to 1000");
  channel.most_hops = static_cast<std::int32_t>(settings.hops);
  channel.max_threads = number_up_to(1'000, settings.max_threads, "--max-threads");
  return channel;
}

rt_events::ServiceLimits service_limits_of(const RtEventsSettings& settings) {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  constexpr std::uint32_t most = 1'000'000;
  rt_events::ServiceLimits limits = settings.limits;
  limits.proxies = number_up_to(most, settings.proxies, "--max-proxies");
  limits.observers = number_up_to(most, settings.observers, "--max-observers");
  limits.reference_bytes = settings.reference_bytes;
  limits.discard = settings.discard == "newest" ? rt_events::Discard::newest : rt_events::Discard::oldest;
  limits.push_timeout = duration_cast<milliseconds>(settings.push_timeout);
  limits.call_timeout = duration_cast<milliseconds>(settings.call_timeout);
  limits.give_up_after = duration_cast<milliseconds>(settings.give_up_after);
  limits.ping_after = duration_cast<milliseconds>(settings.ping_after);
  limits.connect_within = duration_cast<milliseconds>(settings.connect_within);
  return limits;
}

void end_when_destroyed() {
  report("a client has destroyed the channel: the program ends");
  ::kill(::getpid(), SIGTERM);
}

// A schedule has the system's own priorities.
void map_directly(std::vector<std::string>& orb_options) {
  if (std::ranges::find(orb_options, "-ORBPriorityMapping") == orb_options.end())
    orb_options.insert(orb_options.begin(), {"-ORBPriorityMapping", "direct"});
}

// The levels, and the operations of clients, are those of the scheduler.
void use_scheduler(CORBA::ORB& orb, const RtEventsSettings& settings,
                   rt_events::EventChannelServiceOptions& options) {
  const auto scheduler =
      IDL::traits<RT_Scheduler::Scheduler>::unchecked_narrow(orb.string_to_object(settings.scheduler));
  if (!scheduler) fail("--scheduler " + settings.scheduler + ": the reference is nil");
  const auto schedule =
      rt_events::ChannelSchedule::read(scheduler, settings.bind.empty() ? "EventService" : settings.bind,
                                       options.channel.filters, report, options.limits.call_timeout);
  if (!schedule) fail("--scheduler " + settings.scheduler + ": " + schedule.error());
  if (options.channel.levels.empty()) options.channel.levels = (*schedule)->levels();
  options.level_of = (*schedule)->level_of(options.channel.levels);
  options.declarations = (*schedule)->declarations();
  if (!settings.peers.empty() || !settings.datagrams.from.empty())
    report(
        "events of other channels are not in the schedule: the bounds of consumers that get them do not "
        "hold");
  report((*schedule)->is_computed()
             ? "the scheduler has a schedule, which gives consumers their levels"
             : "the scheduler has no schedule: this is a configuration run, which adds calls to it");
}

// The channel's gateways to datagrams, whose counts the service shows. They end before the channel.
class DatagramGateways {
 public:
  DatagramGateways(rt_events::EventChannelService& service, DatagramSockets sockets, std::size_t packet_bytes)
      : service_(service) {
    EventChannel& channel = service.channel();
    auto sender = sockets.take_sender();
    const std::int32_t most_hops = sender ? 0 : std::numeric_limits<std::int32_t>::max();
    if (auto receiver = sockets.take_receiver())
      input_ = std::make_unique<rt_events::DatagramInput>(channel, std::move(receiver), most_hops);
    if (sender) {
      auto output = rt_events::DatagramOutput::connect(channel, std::move(sender), packet_bytes);
      if (!output) fail("--udp-to: " + output.error());
      output_ = std::move(*output);
    }
    if (input_ || output_) service_.show_datagrams([this] { return counts(); });
  }
  ~DatagramGateways() {
    service_.show_datagrams({});
    if (output_) {
      const auto sent = output_->counts();
      report("sent " + std::to_string(sent.events) + " events in " + std::to_string(sent.packets) +
             " datagrams; " + std::to_string(sent.lost) + " could not be sent");
    }
    if (!input_) return;
    const auto came = input_->counts();
    report("received " + std::to_string(came.events) + " events in " + std::to_string(came.packets.packets) +
           " datagrams; " + std::to_string(came.expired) + " events had no hops left, " +
           std::to_string(came.packets.refused + came.malformed) + " datagrams were malformed, " +
           std::to_string(came.failed) + " failed, and " + std::to_string(came.packets.given_up) +
           " requests stayed incomplete");
  }
  DatagramGateways(const DatagramGateways&) = delete;
  DatagramGateways& operator=(const DatagramGateways&) = delete;

 private:
  Takt::RtEvents::DatagramCounts counts() const {
    Takt::RtEvents::DatagramCounts all{};
    if (output_) {
      const auto sent = output_->counts();
      all.sent_events(sent.events);
      all.sent_datagrams(sent.packets);
      all.unsent(sent.lost);
    }
    if (input_) {
      const auto came = input_->counts();
      all.received_events(came.events);
      all.received_datagrams(came.packets.packets);
      all.expired(came.expired);
      all.malformed(came.packets.refused + came.malformed);
      all.failed(came.failed);
      all.incomplete(came.packets.given_up);
    }
    return all;
  }

  rt_events::EventChannelService& service_;
  std::unique_ptr<rt_events::DatagramInput> input_;
  std::unique_ptr<rt_events::DatagramOutput> output_;
};

// Null: the channel has none.
std::unique_ptr<event_ring::EventRings> start_rings(const CORBA::object_reference<CORBA::ORB>& orb,
                                                    rt_events::EventChannelService& service,
                                                    const RtEventsSettings& settings) {
  if (settings.ring_bytes == 0) return nullptr;
  constexpr std::uint32_t most_readers = 10'000;
  auto rings = event_ring::EventRings::start(
      orb, service,
      {.bytes = settings.ring_bytes,
       .readers = number_up_to(most_readers, settings.ring_readers, "--ring-readers"),
       .report = report});
  if (!rings) fail("--ring: " + rings.error());
  return *std::move(rings);
}

// A reference that cannot be read will not be readable later. Those that need a server or a file to be read
// may.
void check_peers(CORBA::ORB& orb, const std::vector<std::string>& peers) {
  for (const std::string& each : peers) {
    if (each.starts_with("corbaname:") || each.starts_with("file:")) continue;
    try {
      if (!orb.string_to_object(each)) fail("--peer " + each + ": the reference is nil");
    } catch (const CORBA::BAD_PARAM& failure) {
      fail("--peer " + each + ": " + failure.what());
    }
  }
}

void serve_rt(RtEventsSettings settings) {
  if ((!settings.datagrams.to.empty() || !settings.datagrams.from.empty()) &&
      settings.event_bytes > std::uint64_t{1} << 20)
    fail("--max-event-octets is at most 1 MiB with --udp-to and --udp-from");
  if (settings.limits.reconnects && !settings.scheduler.empty())
    fail("--allow-reconnect is not possible with --scheduler, whose schedule has one client for each proxy");
  if (settings.gather.count() > 0 && !settings.scheduler.empty())
    fail("--gather is not possible with --scheduler, because the bounds of the schedule do not include it");
  if (settings.ring_bytes > 0 && !settings.scheduler.empty())
    fail(
        "--ring is not possible with --scheduler: readers of a shared buffer name no operation of the "
        "scheduling service, so its bounds would not hold. Leave out --ring, and consumers on this machine "
        "get each event by a call, which the schedule counts; or leave out --scheduler and name the levels "
        "by --level");
  DatagramSockets sockets(settings.datagrams);
  rt_events::EventChannelServiceOptions options{.channel = channel_of(settings),
                                                .limits = service_limits_of(settings),
                                                .peers = settings.peers,
                                                .report = report,
                                                .destroyed = end_when_destroyed};
  if (!settings.scheduler.empty()) map_directly(settings.serving.orb_options);
  const AwaitedSignals signals{SIGINT, SIGTERM};
  try {
    const auto orb =
        serving_orb(settings.serving, rt_events_endpoint, "takt events rt", {shared_connections});
    check_peers(*orb, settings.peers);
    if (!settings.scheduler.empty()) use_scheduler(*orb, settings, options);
    const auto service = rt_events::EventChannelService::start(orb, options);
    if (!service) fail(service.error());
    auto datagrams =
        std::make_unique<DatagramGateways>(**service, std::move(sockets), settings.datagrams.packet_bytes);
    auto rings = start_rings(orb, **service, settings);
    const TakesRequests serving(orb);
    if (!settings.bind.empty())
      bind_in_naming(*orb, settings.bind, (*service)->reference(), "takt events rt: the channel");
    announce_until_signal(*orb, (*service)->reference(), settings.output, signals);
    rings.reset();
    datagrams.reset();
    (*service)->stop();
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    fail(failure.what());
  }
}

void add_rt_datagrams(const Command& rt, DatagramSettings& settings) {
  rt.add("--udp-to", settings.to,
         "address and port, such as 239.255.0.1:11172, to which events whose ttl is above 0 are sent in "
         "TAO's UDP packets");
  rt.add("--udp-from", settings.from,
         "address and port, or multicast group and port, at which such packets are received; anyone who can "
         "send there can push events");
  rt.add("--udp-interface", settings.interface, "network interface of multicast groups, such as eth0");
  rt.add("--udp-hops", settings.hops, "networks that packets to a multicast group may cross").show_default();
  rt.add_size("--udp-packet-octets", settings.packet_bytes, "most octets of a packet").show_default();
}

void add_rings(const Command& rt, RtEventsSettings& settings) {
  rt.add_size("--ring", settings.ring_bytes,
              "octets of a shared buffer for each level, a power of two from 64KiB to 64MiB, from which "
              "consumers of this user and machine read events; 0: none. Not with --scheduler")
      .show_default();
  rt.add("--ring-readers", settings.ring_readers, "most consumers that read shared buffers").show_default();
}

void add_rt_bounds(const Command& rt, RtEventsSettings& settings) {
  rt.add("--max-consumers", settings.consumers, "most consumers of a level; more raise IMP_LIMIT")
      .show_default();
  rt.add("--max-proxies", settings.proxies, "most proxies; more raise IMP_LIMIT").show_default();
  rt.add("--max-observers", settings.observers, "most observers; more raise CANT_APPEND_OBSERVER")
      .show_default();
  rt.add("--max-queued-events", settings.queued_events, "most events that wait for one consumer")
      .show_default();
  rt.add_size("--max-queued-octets", settings.queued_bytes,
              "about the most octets of payloads and values that wait for one consumer")
      .show_default();
  rt.add_size("--max-event-octets", settings.event_bytes,
              "most octets of an event's payload and value; larger ones are refused")
      .show_default();
  rt.add("--discard", settings.discard, "which event a full queue gives up")
      .one_of({"oldest", "newest"})
      .show_default();
  rt.add("--max-hops", settings.hops, "largest ttl that an event of another channel keeps").show_default();
  rt.add("--max-filter-entries", settings.entries, "most entries of a subscription; more raise TypeError")
      .show_default();
  rt.add("--max-filter-depth", settings.depth, "most filters within filters; more raise TypeError")
      .show_default();
  rt.add_size("--max-reference-octets", settings.reference_bytes,
              "most octets of a client's reference; more raise IMP_LIMIT")
      .show_default();
}

void add_rt_delivery(const Command& rt, RtEventsSettings& settings) {
  rt.add("--max-threads", settings.max_threads,
         "most threads of a level, including those that wait for slow consumers")
      .show_default();
  rt.add("--slow-after", settings.slow_after,
         "time of a call after which another thread takes over the rest of the level", short_times)
      .show_default();
  rt.add("--gather", settings.gather,
         "pause between two calls to a consumer while events come fast, so that more of them leave together; "
         "0: none. Not with --scheduler, whose bounds do not include it",
         pauses)
      .show_default();
  rt.add_flag("--single-events", settings.limits.single_events,
              "send one event in each call, for consumers that look only at the first of a sequence");
  rt.add_flag("--allow-reconnect", settings.limits.reconnects,
              "a client that connects to a connected proxy takes the place of the earlier client, instead of "
              "AlreadyConnected; not with --scheduler");
  rt.add("--push-timeout", settings.push_timeout,
         "time for connecting to a consumer, and for room in its connection; after that it gets no events "
         "until it answers",
         short_times)
      .show_default();
  rt.add("--call-timeout", settings.call_timeout, "time for each other call to a client", call_times)
      .show_default();
  rt.add("--give-up-after", settings.give_up_after,
         "time for which a client may be out of reach; after that it is disconnected", client_patience)
      .show_default();
  rt.add("--ping-after", settings.ping_after, "time after which a client is asked whether it exists",
         client_patience)
      .show_default();
  rt.add("--connect-within", settings.connect_within,
         "time after which a proxy that nothing has connected to is removed", client_patience)
      .show_default();
}

}  // namespace

void add_events_rt(const Command& events) {
  const auto settings = std::make_shared<RtEventsSettings>();
  const Command rt = events.add_command("rt",
                                        "Serves a real-time event channel, for clients of TAO's, at "
                                        "corbaloc::HOST:11170/EventService until Ctrl-C. Prints its "
                                        "reference.");
  add_serving(rt, settings->serving, rt_events_endpoint);
  rt.add("-o,--output", settings->output, "file to write the reference to").show_default();
  add_bind(rt, settings->bind, "channel");
  rt.add("--level", settings->levels,
         "name and priority of a level, such as urgent:20000, the most urgent first; without a priority its "
         "thread runs as the system starts it. A consumer's rt_info 1 is the first, 0 the last")
      .one_at_a_time();
  rt.add("--scheduler", settings->scheduler,
         "reference of a scheduling service, such as corbaloc::HOST:2815/Scheduler, whose operations the "
         "rt_info of clients are: the calls that events amount to go into it, and levels come from its "
         "schedule");
  rt.add("--peer", settings->peers,
         "reference of another channel, such as corbaloc::HOST:11170/EventService, whose events come into "
         "this one as far as consumers want them")
      .one_at_a_time();
  add_rt_datagrams(rt, settings->datagrams);
  add_rings(rt, *settings);
  add_rt_bounds(rt, *settings);
  add_rt_delivery(rt, *settings);
  take_orb_options(rt, settings->serving.orb_options,
                   "-ORBInitRef NameService=corbaloc::localhost:2809/NameService");
  rt.on_chosen([settings] { serve_rt(*settings); });
}

}  // namespace takt::command
