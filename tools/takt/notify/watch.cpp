// takt notify watch: prints the events of a channel.
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include <takt/corba.h>

#include "CosNotifyChannelAdminC.h"
#include "Takt_NotificationC.h"
#include "common/interrupt.h"
#include "common/orb.h"
#include "common/output.h"
#include "events/outage.h"
#include "events/shown_event.h"
#include "ior/target.h"
#include "notify/commands.h"

namespace takt::command {
namespace {

namespace admin = CosNotifyChannelAdmin;

// The pause between two questions to a channel that had no event, and the events of one answer.
constexpr std::chrono::milliseconds pause{20};
constexpr std::int32_t batch = 100;

struct WatchSettings {
  std::string channel, service = "corbaloc::localhost:11171/TaktNotification";
  std::vector<std::string> orb_options;
  std::string filter;
  std::uint64_t count = 0;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
};

CORBA::object_reference<admin::EventChannel> channel_of(const ClientOrb& orb, const WatchSettings& settings) {
  if (is_reference(settings.channel))
    return IDL::traits<admin::EventChannel>::unchecked_narrow(
        object_at(orb, reference_text(settings.channel)));
  const auto service = IDL::traits<Takt::Notification::Service>::unchecked_narrow(
      object_at(orb, reference_text(settings.service)));
  auto channel = service->find_channel(settings.channel);
  if (!channel) fail("the service has no channel '" + settings.channel + "'", negative);
  return channel;
}

// A filter in the service with the constraint; the service destroys it when told to.
class ServedFilter {
 public:
  ServedFilter(admin::EventChannel& channel, const std::string& constraint) {
    if (constraint.empty()) return;
    filter_ = channel.default_filter_factory()->create_filter("EXTENDED_TCL");
    try {
      filter_->add_constraints({{{}, constraint}});
    } catch (const CosNotifyFilter::InvalidConstraint&) {
      end();
      fail("--filter: the service does not take '" + constraint + "' as a constraint", unusable);
    }
  }
  ~ServedFilter() { end(); }
  ServedFilter(const ServedFilter&) = delete;
  ServedFilter& operator=(const ServedFilter&) = delete;
  const CORBA::object_reference<CosNotifyFilter::Filter>& reference() const { return filter_; }

 private:
  void end() {
    try {
      if (filter_) filter_->destroy();
    } catch (const CORBA::Exception&) {  // the service has gone, and the filter with it
    }
    filter_ = nullptr;
  }

  CORBA::object_reference<CosNotifyFilter::Filter> filter_;
};

// A structured event; the contents of one that came as an any.
CORBA::Any shown(const CosNotification::StructuredEvent& event) {
  if (event.header().fixed_header().event_type().type_name() == "%ANY") return event.remainder_of_body();
  CORBA::Any whole;
  whole <<= event;
  return whole;
}

// A service that keeps the connections of this channel need not keep that of this process.
void forget_when_it_ends(CosNotification::QoSAdmin& proxy) {
  CORBA::Any best_effort;
  best_effort <<= CosNotification::BestEffort;
  try {
    proxy.set_qos({{CosNotification::ConnectionReliability, best_effort}});
  } catch (const CosNotification::UnsupportedQoS&) {  // it has no such connections
  }
}

// This process as a consumer of the channel. It asks for events, which needs no connection from the channel
// to this process.
class Consumer {
 public:
  Consumer(admin::EventChannel& channel, const std::string& constraint) : filter_(channel, constraint) {
    admin::ProxyID id = 0;
    proxy_ = IDL::traits<admin::SequenceProxyPullSupplier>::unchecked_narrow(
        channel.default_consumer_admin()->obtain_notification_pull_supplier(admin::ClientType::SEQUENCE_EVENT,
                                                                            id));
    forget_when_it_ends(*proxy_);
    if (filter_.reference()) proxy_->add_filter(filter_.reference());
    proxy_->connect_sequence_pull_consumer(nullptr);
  }
  // Empty if there is none now.
  CosNotification::EventBatch events() const {
    bool has_event = false;
    return proxy_->try_pull_structured_events(batch, has_event);
  }
  void disconnect() const { proxy_->disconnect_sequence_pull_supplier(); }

 private:
  const ServedFilter filter_;
  CORBA::object_reference<admin::SequenceProxyPullSupplier> proxy_;
};

// A service that does not answer at first is a failure; one that stops answering later is waited for.
void watch(const ClientOrb& orb, const WatchSettings& settings) {
  end_at_interrupt();
  std::optional<Consumer> consumer(std::in_place, *channel_of(orb, settings), settings.filter);
  std::cerr << "watching" << std::endl;
  Outage outage("the channel");
  std::uint64_t seen = 0;
  const auto wants_more = [&] { return settings.count == 0 || seen < settings.count; };
  const auto show_next = [&] {
    if (!consumer) consumer.emplace(*channel_of(orb, settings), settings.filter);
    const auto events = consumer->events();
    outage.end();
    for (const auto& event : events) {
      if (!wants_more()) break;
      print_event(shown(event));
      ++seen;
    }
    if (events.empty()) std::this_thread::sleep_for(pause);
  };
  while (!interrupted && wants_more()) outage.ask(show_next, [&] { consumer.reset(); });
  if (consumer && !outage.lasts()) consumer->disconnect();
}

void run(const WatchSettings& settings) {
  try {
    const ClientOrb orb(settings.deadline, settings.orb_options);
    watch(orb, settings);
  } catch (const CosEventComm::Disconnected&) {
    fail("the channel was destroyed, or has disconnected this consumer", negative);
  } catch (const admin::AdminLimitExceeded&) {
    fail("the channel has as many consumers as its MaxConsumers", negative);
  } catch (const CORBA::SystemException& failure) {
    fail(text_with_advice(failure), negative);
  }
}

}  // namespace

void add_notify_watch(const Command& notify) {
  const auto settings = std::make_shared<WatchSettings>();
  const Command watch = notify.add_command(
      "watch",
      "Prints the events that pass through a channel of any notification service that has pull suppliers, "
      "as JSON, until Ctrl-C.");
  watch.add("channel", settings->channel, "the channel's name, or its reference as for takt ior, or @FILE")
      .required();
  watch.add("--service", settings->service, "reference of the state of the service that knows the name")
      .show_default();
  watch.add("--filter", settings->filter,
            "constraint in the extended trader constraint language, which the service evaluates; only events "
            "that match it are shown");
  watch.add("--count", settings->count, "ends after that many shown events; 0: never").show_default();
  watch.add("--deadline", settings->deadline, "time for connecting, and for each reply", call_deadlines)
      .show_default();
  take_orb_options(watch, settings->orb_options, "-ORBTLSAuthorities authority.pem");
  watch.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
