// takt stream watch: what the flows of a device carry in some seconds, as figures and as a picture.
#include <csignal>
#include <iostream>
#include <memory>

#include <takt/corba.h>
#include <takt/os/clock.h>

#include "common/files.h"
#include "common/orb.h"
#include "stream/commands.h"
#include "stream/flow_json.h"
#include "stream/page.h"
#include "stream/state_source.h"

namespace takt::command {
namespace {

constexpr std::size_t most_samples = 100'000;

struct StreamWatchSettings {
  DeviceSettings device;
  std::chrono::nanoseconds time = std::chrono::seconds(10), every = std::chrono::milliseconds(200);
  std::string page;
};

std::vector<FlowSample> samples_of(Takt::Streams::Service& service, const StreamWatchSettings& settings,
                                   const AwaitedSignals& signals) {
  std::vector<FlowSample> samples;
  const auto begun = os::Clock::now();
  for (auto due = begun;; due += settings.every) {
    auto state = service.look();
    samples.push_back({os::Clock::now() - begun, std::move(state)});
    if (due + settings.every > begun + settings.time) return samples;
    if (signals.wait_for(os::remaining(due + settings.every, os::Clock::now()))) return samples;
  }
}

// The counts between the first and the last sample; flows that began meanwhile count from their start.
Json json_of_samples(const std::vector<FlowSample>& samples) {
  Takt::Streams::State last = samples.back().state;
  for (Takt::Streams::Flow& each : last.flows())
    for (const Takt::Streams::Flow& before : samples.front().state.flows())
      if (before.end_point() == each.end_point() && before.name() == each.name())
        each = passed_since(before, each);
  Json json{{"seconds", std::chrono::duration<double>(samples.back().at).count()},
            {"samples", samples.size()}};
  json.update(json_of_device(last));
  return json;
}

void run(const StreamWatchSettings& settings) {
  if (settings.time / settings.every > static_cast<std::int64_t>(most_samples))
    fail("--for and --every make more than " + std::to_string(most_samples) + " samples");
  const AwaitedSignals signals{SIGINT, SIGTERM};
  try {
    const ClientOrb orb(settings.device.deadline, settings.device.orb_options);
    const auto samples = samples_of(*state_of(orb, settings.device), settings, signals);
    if (!settings.page.empty() && !write_file(settings.page, html_of_flows(samples, settings.device.service)))
      fail(cannot_be_written(settings.page));
    const Json shown = json_of_samples(samples);
    if (settings.page != "-") std::cout << (settings.device.as_json ? text_of(shown) : page_of(shown));
  } catch (const CORBA::SystemException& failure) {
    fail(text_with_advice(failure), negative);
  }
}

}  // namespace

void add_stream_watch(const Command& stream) {
  const auto settings = std::make_shared<StreamWatchSettings>();
  const Command watch =
      stream.add_command("watch", "Shows what the flows of a device carry meanwhile, also as a picture.");
  watch
      .add("--for", settings->time, "time to watch; Ctrl-C ends it earlier",
           {std::chrono::milliseconds(1), longest_interval})
      .show_default();
  watch
      .add("--every", settings->every, "time between samples for the picture",
           {std::chrono::milliseconds(1), longest_interval})
      .show_default();
  watch.add("--page", settings->page,
            "HTML file to write, with frames, losses and jitter over time; - is standard output");
  add_device_options(watch, settings->device);
  watch.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
