// takt ping: measures how long an object takes to answer, repeatedly.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>

#include "command.h"
#include "interrupt.h"
#include "ior/calls.h"
#include "ior/reference.h"
#include "percentile.h"

namespace takt::command {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

struct PingSettings {
  std::string reference;
  std::uint64_t count = 0;
  double interval_s = 1, timeout_s = 5;
  bool as_json = false, ready = false;
};

struct Times {
  std::vector<double> ms;
  std::uint64_t calls = 0;
};

Json summary(Times times) {
  Json json = {{"calls", times.calls}, {"replies", times.ms.size()}};
  if (times.ms.empty()) return json;
  std::ranges::sort(times.ms);
  double sum = 0;
  for (const double each : times.ms) sum += each;
  const auto rounded = [](double ms) { return std::round(ms * 1000) / 1000; };
  json["min_ms"] = rounded(times.ms.front());
  json["avg_ms"] = rounded(sum / static_cast<double>(times.ms.size()));
  json["p50_ms"] = rounded(nearest_rank(times.ms, 0.5));
  json["p90_ms"] = rounded(nearest_rank(times.ms, 0.9));
  json["p99_ms"] = rounded(nearest_rank(times.ms, 0.99));
  json["max_ms"] = rounded(times.ms.back());
  return json;
}

// Makes one round trip and prints a line about it, unless the output is JSON.
void ping(CORBA::Object& object, Times& times, bool quiet) {
  const std::string call = "call " + std::to_string(++times.calls) + ": ";
  std::string said;
  try {
    const auto begin = Clock::now();
    const bool gone = object._non_existent();
    const double ms = Milliseconds(Clock::now() - begin).count();
    if (gone) {
      said = "the server has no such object";
    } else {
      times.ms.push_back(ms);
      char text[32];
      std::snprintf(text, sizeof text, "%.3f ms", ms);
      said = text;
    }
  } catch (const CORBA::SystemException& failure) {
    said = failure.what();
  }
  if (!quiet) std::cout << call << said << std::endl;
}

std::chrono::milliseconds timeout_of(const PingSettings& settings) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(settings.timeout_s));
}

CORBA::object_reference<CORBA::Object> object_of(const ClientOrb& orb, const std::string& reference) {
  CORBA::object_reference<CORBA::Object> object;
  try {
    object = orb->string_to_object(reference);
  } catch (const CORBA::Exception& failure) {  // the name cannot be looked up
    fail(failure.what(), negative);
  }
  if (!object) fail("the reference is nil: it denotes no object");
  return object;
}

// For probes: asks once, and prints nothing if the object answers.
void require_ready(const PingSettings& settings, const std::string& reference) {
  const ClientOrb orb(timeout_of(settings));
  const auto object = object_of(orb, reference);
  try {
    if (object->_non_existent()) fail("the server has no such object", negative);
  } catch (const CORBA::SystemException& failure) {
    fail(failure.what(), negative);
  }
}

Times pinged(const PingSettings& settings, const std::string& reference) {
  const ClientOrb orb(timeout_of(settings));
  const auto object = object_of(orb, reference);
  const auto interval =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(settings.interval_s));
  Times times;
  end_at_interrupt();
  for (auto next = Clock::now(); !interrupted && (settings.count == 0 || times.calls < settings.count);) {
    ping(*object, times, settings.as_json);
    next = std::max(next + interval, Clock::now());
    if (times.calls != settings.count) wait_until(next);
  }
  return times;
}

void run(const PingSettings& settings) {
  const auto reference = reference_from(settings.reference);
  if (!reference) fail(reference.error());
  if (settings.ready) return require_ready(settings, reference->text);
  const Times times = pinged(settings, reference->text);
  const Json json = summary(times);
  std::cout << (settings.as_json ? text_of(json) : page_of(json)) << std::flush;
  if (times.ms.empty()) throw Answer{negative};
}

}  // namespace

void add_ping(const Command& program) {
  const auto settings = std::make_shared<PingSettings>();
  const Command ping =
      program.add_command("ping", "Calls an object repeatedly and reports round-trip times.");
  ping.add("reference", settings->reference, "a reference or a file, as for takt ior").required();
  ping.add("-c,--count", settings->count, "number of calls; 0: until Ctrl-C").show_default();
  ping.add("-i,--interval", settings->interval_s, "seconds from one call to the next")
      .within(0.0, 86400.0)
      .show_default();
  ping.add("--timeout", settings->timeout_s, "seconds to wait for a connection, and for a reply")
      .within(0.01, 3600.0)
      .show_default();
  ping.add_flag("--json", settings->as_json, "print only the summary, as JSON");
  ping.add_flag(
      "--ready", settings->ready,
      "ask once, for readiness probes: print nothing and exit with 0 if the object answers, 1 if not");
  ping.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
