#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <thread>

#include <takt/corba.h>
#include <takt/rt/rtcorba.h>

#include "run.h"
#include "streams/service/stream_device.h"

namespace bench {
namespace {

using takt::streams::StreamDevice;
using Clock = std::chrono::steady_clock;

class Frames final : public takt::streams::FrameSource {
 public:
  explicit Frames(std::size_t octets) : frame_(octets, 7) {}
  std::span<const std::uint8_t> frame(std::uint64_t) override { return frame_; }

 private:
  const std::vector<std::uint8_t> frame_;
};

constexpr RTCORBA::Priority priority_of_calls = 20;
constexpr std::int64_t clock_rate = 90'000;  // units of time stamps in a second

class Sink final : public takt::streams::FrameSink {
 public:
  explicit Sink(Jitter& jitter) : jitter_(jitter) {}
  void frame(const takt::Frame& frame) override {
    const std::int64_t s = frame.timestamp / clock_rate, rest = frame.timestamp % clock_rate;
    jitter_.note(std::chrono::seconds(s) + std::chrono::nanoseconds(rest * 1'000'000'000 / clock_rate));
  }

 private:
  Jitter& jitter_;
};

// An ORB that serves a device until it is destroyed.
class Station {
 public:
  Station(const std::string& name, StreamDevice::Options options, bool has_lane) {
    std::string program = name, option = "-ORBListenEndpoints", endpoint = "iiop://127.0.0.1:0";
    std::string lanes = "-ORBLanes", lane = std::to_string(priority_of_calls) + "=2";
    char* words[] = {program.data(), option.data(), endpoint.data(), lanes.data(), lane.data(), nullptr};
    int count = has_lane ? 5 : 3;
    orb = CORBA::ORB_init(count, words, name);
    device = StreamDevice::start(orb, std::move(options));
    IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"))
        ->the_POAManager()
        ->activate();
  }
  ~Station() {
    orb->shutdown(true);
    device.reset();
    orb->destroy();
  }
  CORBA::object_reference<AVStreams::MMDevice> seen_by(const Station& other) const {
    return IDL::traits<AVStreams::MMDevice>::narrow(
        other.orb->string_to_object(orb->object_to_string(device->reference())));
  }

  CORBA::object_reference<CORBA::ORB> orb;
  std::unique_ptr<StreamDevice> device;
};

// Calls the device 500 times a second until `ended`.
std::vector<std::chrono::nanoseconds> durations_of_calls(CORBA::ORB& orb, AVStreams::MMDevice& device,
                                                         bool urgent, const std::atomic<bool>& ended) {
  if (urgent)
    IDL::traits<RTCORBA::Current>::narrow(orb.resolve_initial_references("RTCurrent"))
        ->the_priority(priority_of_calls);
  std::vector<std::chrono::nanoseconds> durations;
  for (auto due = Clock::now(); !ended; due += std::chrono::milliseconds(2)) {
    std::this_thread::sleep_until(due);
    const auto begun = Clock::now();
    device.get_number_of_properties();
    durations.push_back(Clock::now() - begun);
  }
  std::ranges::sort(durations);
  return durations;
}

void read_states(Result& result, const StreamDevice& camera, const StreamDevice& screen) {
  const Takt::Streams::State sending = camera.state(), receiving = screen.state();
  for (const auto& flow : sending.flows()) {
    result.sent += flow.frames();
    result.left_out += flow.late();
    if (std::chrono::nanoseconds(flow.jitter_p99_ns()) < result.behind_p99) continue;
    result.behind_p50 = std::chrono::nanoseconds(flow.jitter_ns());
    result.behind_p99 = std::chrono::nanoseconds(flow.jitter_p99_ns());
    result.behind_worst = std::chrono::nanoseconds(flow.jitter_worst_ns());
  }
  for (const auto& flow : receiving.flows()) result.received += flow.frames();
}

}  // namespace

Result run_flows(const Load& load) {
  std::deque<Jitter> jitter(load.flows);  // outlives the devices
  StreamDevice::Options cameras, screens;
  cameras.limits.flows = screens.limits.flows = load.flows;
  for (std::size_t i = 0; i < load.flows; ++i) {
    const std::string name = "flow" + std::to_string(i);
    cameras.offers.push_back({.name = name,
                              .source = [octets = load.octets] { return std::make_unique<Frames>(octets); },
                              .frame_rate = load.rate,
                              .packet_bytes = load.packet_bytes});
    screens.offers.push_back(
        {.name = name, .sink = [&jitter = jitter[i]] { return std::make_unique<Sink>(jitter); }});
  }
  const Station camera("camera", std::move(cameras), load.urgent),
      screen("screen", std::move(screens), load.urgent);
  const auto seen = screen.seen_by(camera);
  const auto control = camera.device->make_control();
  AVStreams::streamQoS quality;
  if (load.flows > 0) control->bind_devs(camera.device->reference(), seen, quality, {});
  std::atomic<bool> ended{false};
  std::vector<std::chrono::nanoseconds> durations;
  std::jthread calling([&] {
    if (load.calls) durations = durations_of_calls(*camera.orb, *seen, load.urgent, ended);
  });
  Result result;
  const auto before = cpu_time();
  if (load.flows > 0) control->start({});
  std::this_thread::sleep_for(load.time);
  if (load.flows > 0) control->stop({});
  ended = true;
  calling.join();
  result.cpu = cpu_time() - before;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  read_states(result, *camera.device, *screen.device);
  for (const Jitter& each : jitter) each.report(result);
  if (!durations.empty()) {
    result.call_p50 = durations[durations.size() / 2];
    result.call_p99 = durations[durations.size() * 99 / 100];
  }
  control->unbind();
  return result;
}

}  // namespace bench
