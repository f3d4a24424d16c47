// takt stream receive: a device that consumes flows.
#include <csignal>
#include <memory>

#include <takt/corba.h>

#include "common/serving.h"
#include "name/bind.h"
#include "stream/commands.h"
#include "streams/service/stream_device.h"

namespace takt::command {
namespace {

constexpr const char* receiving_endpoint = "iiop://localhost:2814";

struct StreamReceiveSettings {
  Serving serving;
  std::string output = "-", bind, host, late = "drop", format = "UNS:octets", interface;
  bool joins_groups = false;
  std::vector<std::string> flows{"video"}, carriers{"UDP", "TCP"}, allowed_groups, allowed_senders;
  streams::QualityBounds bounds;
  streams::Limits limits;
  std::uint64_t end_points = limits.end_points;
};

// The frames are only counted, which the flow does itself.
class CountedFrames final : public streams::FrameSink {
 public:
  void frame(const Frame&) override {}
};

streams::StreamDevice::Options device_options_of(const StreamReceiveSettings& settings) {
  streams::StreamDevice::Options options{.limits = settings.limits, .host = settings.host};
  options.limits.end_points = number_up_to(100'000, settings.end_points, "--max-end-points");
  const bool joins_groups =
      settings.joins_groups || !settings.allowed_groups.empty() || !settings.allowed_senders.empty();
  for (const std::string& each : settings.flows)
    options.offers.push_back({.name = each,
                              .sink = [] { return std::make_unique<CountedFrames>(); },
                              .format = settings.format,
                              .carriers = settings.carriers,
                              .late = settings.late == "give" ? LateFrames::give : LateFrames::drop,
                              .bounds = settings.bounds,
                              .joins_groups = joins_groups,
                              .allowed_groups = settings.allowed_groups,
                              .allowed_senders = settings.allowed_senders,
                              .interface = settings.interface});
  return options;
}

void run(const StreamReceiveSettings& settings) {
  const auto options = device_options_of(settings);
  const AwaitedSignals signals{SIGINT, SIGTERM};
  try {
    const auto orb =
        serving_orb(settings.serving, receiving_endpoint, "takt stream receive", {shared_connections});
    const auto device = streams::StreamDevice::start(orb, options);
    const TakesRequests taking(orb);
    if (!settings.bind.empty())
      bind_in_naming(*orb, settings.bind, device->reference(), "takt stream receive: the device");
    announce_until_signal(*orb, device->reference(), settings.output, signals);
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    fail(failure.what());
  }
}

}  // namespace

void add_stream_receive(const Command& stream) {
  const auto settings = std::make_shared<StreamReceiveSettings>();
  const Command receive = stream.add_command(
      "receive",
      "Serves a device that consumes flows, at corbaloc::HOST:2814/MMDevice, until Ctrl-C. Prints its "
      "reference.");
  receive.add("--flow", settings->flows, "names of the flows; by default video").one_at_a_time();
  receive.add("--format", settings->format, "format of the flows, which producers must have").show_default();
  receive
      .add("--carrier", settings->carriers,
           "carriers in the order of preference: UDP, TCP, TLS; by default UDP and TCP")
      .one_at_a_time();
  receive.add("--host", settings->host,
              "address of this machine at which flows arrive; by default the one in the device's reference");
  receive.add_flag("--groups", settings->joins_groups, "join the groups that producers name");
  receive
      .add("--allowed-group", settings->allowed_groups,
           "join no other groups than these, such as 239.255.1.1:5004; several; implies --groups")
      .one_at_a_time();
  receive
      .add("--from", settings->allowed_senders,
           "take packets of groups only from these addresses, such as 192.0.2.7; several; implies --groups")
      .one_at_a_time();
  receive.add("--interface", settings->interface,
              "network interface of groups, such as eth0; by default the system's routes choose");
  receive.add("--late", settings->late, "what becomes of late frames, if the producer does not say")
      .show_default()
      .one_of({"drop", "give"});
  receive.add("--max-frame-rate", settings->bounds.frame_rate, "frames a second that are granted at most")
      .show_default()
      .within(0.001, 1e6);
  receive.add_size("--max-frame-octets", settings->bounds.frame_octets, "octets of the largest frame")
      .show_default();
  receive
      .add("--max-priority", settings->bounds.priority,
           "highest real-time priority that clients may give the threads of flows, 1 to 99; by default none")
      .within(0, 99);
  receive.add("--max-end-points", settings->end_points, "most end points; more are denied").show_default();
  add_serving(receive, settings->serving, receiving_endpoint);
  receive.add("-o,--output", settings->output, "file to write the reference to").show_default();
  add_bind(receive, settings->bind, "device");
  take_orb_options(receive, settings->serving.orb_options, "-ORBServiceNotify on");
  receive.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
