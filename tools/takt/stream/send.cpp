// takt stream send: a device that produces generated video, bound to consumers.
#include <algorithm>
#include <csignal>
#include <future>
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/serving.h"
#include "ior/target.h"
#include "stream/commands.h"
#include "stream/flow_json.h"
#include "stream/generated_video.h"
#include "streams/service/stream_device.h"

namespace takt::command {
namespace {

constexpr const char* sending_endpoint = "iiop://localhost:0";

struct StreamSendSettings {
  Serving serving;
  std::vector<std::string> receivers;
  std::string flow = "video", carrier = "UDP", format = "UNS:octets", late, group, interface;
  double frame_rate = 25;
  std::uint64_t octets = 20 * 1024, packet_octets = 0;
  std::chrono::nanoseconds time = std::chrono::seconds(10), delay{0};
  std::int32_t dscp = -1, priority = 0, hops = 1;
  bool as_json = false;
};

template <class T>
void put_parameter(CosPropertyService::Properties& parameters, const char* name, const T& value) {
  CORBA::Any any;
  any <<= value;
  parameters.push_back({name, any});
}

AVStreams::streamQoS stream_quality_of(const StreamSendSettings& settings) {
  using std::chrono::ceil, std::chrono::milliseconds;
  CosPropertyService::Properties parameters;
  put_parameter(parameters, "frame_rate", settings.frame_rate);
  if (settings.delay.count() > 0)
    put_parameter(parameters, "delay_ms",
                  static_cast<std::int32_t>(ceil<milliseconds>(settings.delay).count()));
  if (!settings.late.empty()) put_parameter(parameters, "late_frames", settings.late);
  if (settings.dscp >= 0) put_parameter(parameters, "dscp", settings.dscp);
  if (settings.priority > 0) put_parameter(parameters, "priority", settings.priority);
  return {{settings.flow, parameters}};
}

std::unique_ptr<streams::StreamDevice> start_device(const CORBA::object_reference<CORBA::ORB>& orb,
                                                    const StreamSendSettings& settings) {
  streams::StreamDevice::Options options;
  options.offers.push_back(
      {.name = settings.flow,
       .source = [octets = settings.octets] { return std::make_unique<GeneratedVideo>(octets); },
       .format = settings.format,
       .carriers = {settings.carrier},
       .frame_rate = settings.frame_rate,
       .bounds = {.frame_rate = settings.frame_rate, .priority = settings.priority},
       .packet_bytes = settings.packet_octets,
       .group = settings.group,
       .hops = settings.hops,
       .interface = settings.interface});
  return streams::StreamDevice::start(orb, std::move(options));
}

[[noreturn]] void fail_with_refusal(const std::string& receiver, const CORBA::UserException& refused) {
  std::string text = cdr::text_of(cdr::exception_to_any(refused));
  constexpr std::string_view prefix = "any omg.org::AVStreams::";
  if (text.starts_with(prefix)) text.erase(0, prefix.size());
  fail(escape_non_ascii(receiver) + ": " + escape_non_ascii(text), negative);
}

// False: a signal came meanwhile. The next one ends the process, since the receiver may not answer for long.
bool wait_until_bound(const std::future<bool>& bound, const std::string& receiver,
                      const AwaitedSignals& signals) {
  constexpr std::chrono::milliseconds look{50};
  while (bound.wait_for(look) != std::future_status::ready) {
    if (!signals.wait_for(std::chrono::nanoseconds(0))) continue;
    std::cerr << "takt stream send: waits for the answer of " << escape_non_ascii(receiver)
              << "; another signal ends it at once" << std::endl;
    signals.release();
    bound.wait();
    return false;
  }
  return true;
}

// False: a signal has come before all were bound.
bool bind_receivers(CORBA::ORB& orb, const streams::StreamDevice& device, AVStreams::StreamCtrl& control,
                    const StreamSendSettings& settings, const AwaitedSignals& signals) {
  AVStreams::streamQoS quality = stream_quality_of(settings);
  const AVStreams::flowSpec flows{settings.flow};
  control.bind_devs(device.reference(), nullptr, quality, flows);
  for (const std::string& each : settings.receivers) {
    if (signals.wait_for(std::chrono::nanoseconds(0))) return false;
    const auto object = orb.string_to_object(reference_text(each));
    const auto receiver = IDL::traits<AVStreams::MMDevice>::unchecked_narrow(object);
    if (!receiver) fail(each + ": the nil reference");
    try {
      auto bound = std::async(std::launch::async,
                              [&] { return control.bind_devs(nullptr, receiver, quality, flows); });
      const bool goes_on = wait_until_bound(bound, each, signals);
      const bool is_granted = bound.get();
      if (!goes_on) return false;
      if (!is_granted)
        std::cerr << "takt stream send: " << escape_non_ascii(each) << " grants less than was asked for\n";
    } catch (const CORBA::UserException& refused) {
      fail_with_refusal(each, refused);
    }
  }
  return true;
}

// Waits for a signal, for the time of the settings at most, and for as long as there are receivers. Whether
// there are some still.
bool wait_while_received(const streams::StreamDevice& device, const StreamSendSettings& settings,
                         const AwaitedSignals& signals) {
  constexpr std::chrono::milliseconds look{200};
  const auto is_received = [&] {
    const auto state = device.state();
    return std::ranges::any_of(state.flows(), [](const auto& flow) { return !flow.carrier().empty(); });
  };
  const auto end = os::Clock::now() + settings.time;
  while (is_received()) {
    const std::chrono::nanoseconds left = os::remaining(end, os::Clock::now());
    if (left.count() <= 0 || signals.wait_for(std::min<std::chrono::nanoseconds>(left, look))) return true;
  }
  return false;
}

// Ends the stream with itself, so that no receiver keeps an end point, also if another one refuses.
class EndedStream {
 public:
  explicit EndedStream(CORBA::object_reference<AVStreams::StreamCtrl> control)
      : control_(std::move(control)) {}
  ~EndedStream() {
    try {
      control_->unbind();
    } catch (const CORBA::Exception&) {  // NOLINT(bugprone-empty-catch): the receivers have gone
    }
  }
  EndedStream(const EndedStream&) = delete;
  EndedStream& operator=(const EndedStream&) = delete;

 private:
  const CORBA::object_reference<AVStreams::StreamCtrl> control_;
};

void send_frames(const CORBA::object_reference<CORBA::ORB>& orb, const StreamSendSettings& settings,
                 const AwaitedSignals& signals) {
  const auto device = start_device(orb, settings);
  const TakesRequests taking(orb);
  const auto control = device->make_control();
  const EndedStream ended(control);
  if (!bind_receivers(*orb, *device, *control, settings, signals)) return signals.release();
  control->start({});
  const bool is_received = wait_while_received(*device, settings, signals);
  signals.release();
  control->stop({});
  const Json shown = json_of_device(device->state());
  std::cout << (settings.as_json ? text_of(shown) : page_of(shown)) << std::flush;
  if (!is_received) fail("all receivers have gone, or no longer take the flow", negative);
}

void run(const StreamSendSettings& settings) {
  if (settings.octets < 8 || settings.octets > 64 * 1024 * 1024) fail("--size is from 8 octets to 64 MiB");
  if (settings.packet_octets != 0 && (settings.packet_octets < 64 || settings.packet_octets > 65'000))
    fail("--packet is from 64 to 65000 octets");
  const AwaitedSignals signals{SIGINT, SIGTERM};
  try {
    const auto orb =
        serving_orb(settings.serving, sending_endpoint, "takt stream send", {shared_connections});
    send_frames(orb, settings, signals);
    orb->destroy();
  } catch (const CORBA::SystemException& failure) {
    fail(text_with_advice(failure), negative);
  } catch (const CORBA::UserException& refused) {
    fail_with_refusal(settings.flow, refused);
  }
}

}  // namespace

void add_stream_send(const Command& stream) {
  const auto settings = std::make_shared<StreamSendSettings>();
  const Command send = stream.add_command(
      "send", "Sends a flow of generated video to devices, and shows what was sent. Ctrl-C ends it.");
  send.add("RECEIVER", settings->receivers, "references of devices that consume the flow, or @FILE")
      .required();
  send.add("--flow", settings->flow, "name of the flow").show_default();
  send.add("--format", settings->format, "format of the flow, which the receivers must have").show_default();
  send.add("--carrier", settings->carrier, "what carries the frames")
      .show_default()
      .one_of({"UDP", "TCP", "TLS"});
  send.add("--rate", settings->frame_rate, "frames a second").show_default().within(0.001, 1e6);
  send.add_size("--size", settings->octets,
                "octets of a frame on average; every twelfth has five times the others'")
      .show_default();
  send.add_size("--packet", settings->packet_octets,
                "octets of the largest packet; by default 1232 over UDP, 65000 over connections");
  send.add("--for", settings->time, "time to send", {std::chrono::milliseconds(1), longest_interval})
      .show_default();
  send.add("--delay", settings->delay, "time until receivers give a frame, which evens out uneven arrivals",
           {std::chrono::nanoseconds(0), std::chrono::seconds(10)})
      .show_default();
  send.add("--late", settings->late, "what receivers do with late frames; by default what they choose")
      .one_of({"drop", "give"});
  send.add("--dscp", settings->dscp, "code point of the flow's packets, 0 to 63; by default the system's")
      .within(0, 63);
  send.add("--priority", settings->priority,
           "real-time priority of the flow's threads, 1 to 99; by default none")
      .within(1, 99);
  send.add("--group", settings->group,
           "group to which the frames go once for all receivers, such as 239.255.1.1:5004; by default each "
           "receiver gets packets of its own");
  send.add("--hops", settings->hops,
           "networks that packets to the group may cross; 0: none leaves this machine")
      .show_default()
      .within(0, 255);
  send.add("--interface", settings->interface,
           "network interface for the group, such as eth0; by default the system's routes choose");
  send.add_flag("--json", settings->as_json, "as JSON");
  add_serving(send, settings->serving, sending_endpoint);
  take_orb_options(send, settings->serving.orb_options, "-ORBTLSAuthorities authority.pem");
  send.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
