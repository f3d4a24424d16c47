// takt ping: measures how long an object takes to answer, repeatedly.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>

#include "colours.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "common/orb.h"
#include "common/percentile.h"
#include "ior/calls.h"
#include "ior/reference.h"

namespace takt::command {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

struct PingSettings {
  std::string reference;
  std::uint64_t count = 0;
  std::chrono::nanoseconds interval = std::chrono::seconds(1), timeout = std::chrono::seconds(5);
  bool as_json = false, ready = false;
  std::vector<std::string> orb_options;
};

struct Times {
  std::vector<double> ms;
  std::uint64_t calls = 0;
  std::string last_failure;   // The failure of the call before, without this end's address; empty: none.
  Json each = Json::array();  // the time of each call or why it failed, for the output as JSON
};

double rounded(double ms) { return std::round(ms * 1000) / 1000; }

// Red in a terminal if it is a failure.
std::string highlighted(const std::string& text, bool is_failure) {
  using namespace command_line;
  return is_failure ? painted(text, Colour::red, shows_colours(1)) : text;
}

Json summary(Times times) {
  Json json = {{"calls", times.calls}, {"replies", times.ms.size()}};
  if (times.ms.empty()) return json;
  std::ranges::sort(times.ms);
  double sum = 0;
  for (const double each : times.ms) sum += each;
  json["min_ms"] = rounded(times.ms.front());
  json["avg_ms"] = rounded(sum / static_cast<double>(times.ms.size()));
  json["p50_ms"] = rounded(nearest_rank(times.ms, 0.5));
  json["p90_ms"] = rounded(nearest_rank(times.ms, 0.9));
  json["p99_ms"] = rounded(nearest_rank(times.ms, 0.99));
  json["max_ms"] = rounded(times.ms.back());
  return json;
}

// Each connection has another port of this end: "over tcp 127.0.0.1:42708 -> 127.0.0.1:2809".
std::string without_own_address(std::string text) {
  const auto arrow = text.find(" -> ");
  const auto begin = arrow == std::string::npos || arrow == 0 ? arrow : text.rfind(' ', arrow - 1);
  if (begin != std::string::npos) text.erase(begin, arrow - begin);
  return text;
}

// Makes one round trip. Prints a line about it, or keeps it for the output as JSON.
void ping(CORBA::Object& object, Times& times, bool as_json) {
  Json json = {{"call", ++times.calls}};
  std::string said;
  try {
    const auto begin = Clock::now();
    const bool gone = object._non_existent();
    const double ms = Milliseconds(Clock::now() - begin).count();
    if (gone) {
      said = "the server has no such object";
      json["failure"] = said;
    } else {
      times.ms.push_back(ms);
      json["ms"] = rounded(ms);
      char text[32];
      std::snprintf(text, sizeof text, "%.3f ms", ms);
      said = text;
    }
  } catch (const CORBA::SystemException& failure) {
    said = failure.what();
    json["failure"] = said;
  }
  const bool failed = json.contains("failure");
  const std::string failure = failed ? without_own_address(said) : std::string();
  const bool again = failed && failure == times.last_failure;
  if (as_json)
    times.each.push_back(std::move(json));
  else
    std::cout << "call " << times.calls << ": " << highlighted(again ? "the same" : said, failed)
              << std::endl;
  times.last_failure = failure;
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
  const ClientOrb orb(settings.timeout, settings.orb_options);
  const auto object = object_of(orb, reference);
  try {
    if (object->_non_existent()) fail("the server has no such object", negative);
  } catch (const CORBA::SystemException& failure) {
    fail(failure.what(), negative);
  }
}

Times pinged(const PingSettings& settings, const std::string& reference) {
  const ClientOrb orb(settings.timeout, settings.orb_options);
  const auto object = object_of(orb, reference);
  Times times;
  end_at_interrupt();
  for (auto next = Clock::now(); !interrupted && (settings.count == 0 || times.calls < settings.count);) {
    ping(*object, times, settings.as_json);
    next = std::max(next + settings.interval, Clock::now());
    if (times.calls != settings.count) wait_until(next);
  }
  return times;
}

void run(const PingSettings& settings) {
  const auto reference = reference_from(settings.reference);
  if (!reference) fail(reference.error());
  if (settings.ready) return require_ready(settings, reference->text);
  const Times times = pinged(settings, reference->text);
  Json json = summary(times);
  if (settings.as_json) json["each"] = times.each;
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
  ping.add("-i,--interval", settings->interval, "time from one call to the next",
           {std::chrono::nanoseconds(0), longest_interval})
      .show_default();
  ping.add("--timeout", settings->timeout, "time to wait for a connection, and for a reply", call_times)
      .show_default();
  ping.add_flag("--json", settings->as_json, "print JSON, at the end");
  ping.add_flag("--ready", settings->ready,
                "ask once, for readiness probes: exit with 0 and print nothing if the object answers; if "
                "not, exit with 1 and say why on standard error");
  take_orb_options(ping, settings->orb_options, "-ORBTLSAuthorities authority.pem");
  ping.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
