// takt watch: the calls of a running program, as its flight recorder keeps them. takt hz: their rates.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>

#include "common/command.h"
#include "common/interrupt.h"
#include "record/contents.h"
#include "record/following.h"
#include "record/input.h"
#include "record/listing.h"
#include "record/rates.h"

namespace takt::command {
namespace {

using Clock = std::chrono::steady_clock;

struct WatchedCalls {
  std::string recording, operation, interface;
  std::vector<std::string> idl, include_folders;
  std::uint64_t count = 0;
  std::chrono::nanoseconds duration{0};  // 0: no end
  bool all = false, as_json = false;
};

struct WatchedRates {
  std::string recording;
  std::chrono::nanoseconds interval = std::chrono::seconds(1);
  std::uint64_t count = 0;
  bool as_json = false;
};

// Says for people when one may begin.
Following follow(const std::string& recording, Following::Begin begin, bool as_json) {
  const std::string path = recording_named(recording);
  Following following(path, begin);
  if (!as_json) std::cerr << "following " << path << "; Ctrl-C ends it" << std::endl;
  end_at_interrupt();
  return following;
}

std::optional<Contents> contents_by_idl(const WatchedCalls& settings) {
  if (settings.idl.empty()) return std::nullopt;
  auto catalogue = catalogue_of_idl(settings.idl, settings.include_folders);
  if (!catalogue) {
    std::cerr << catalogue.error();
    fail("the IDL cannot be used");
  }
  if (!settings.interface.empty() && !catalogue->find(settings.interface))
    fail("the IDL has no interface " + settings.interface);
  return Contents(std::move(*catalogue), settings.interface);
}

std::string time_since_request(std::int64_t after_ns) {
  char text[40];
  std::snprintf(text, sizeof text, " after %.1f us", static_cast<double>(after_ns) / 1000);
  return text;
}

class Watching {
 public:
  explicit Watching(const WatchedCalls& settings)
      : settings_(settings), contents_(contents_by_idl(settings)) {}

  void run() {
    Following following =
        follow(settings_.recording, settings_.all ? Following::Begin::oldest : Following::Begin::next,
               settings_.as_json);
    look_until(settings_.duration, [this] { return is_done(); }, [&] { show_next(following); });
    warn_of_lost(following);
  }

 private:
  bool is_done() const { return settings_.count != 0 && shown_ >= settings_.count; }

  void show_next(Following& following) {
    const auto messages = following.next();
    calls_.follow_process(following.start_ns());
    for (const recorder::ReadMessage& message : messages) {
      if (is_done()) break;
      show(message);
    }
  }

  void show(const recorder::ReadMessage& message) {
    const PassingCall call = calls_.take(message);
    if (!settings_.operation.empty() && call.operation != settings_.operation) return;
    ++shown_;
    const Json contents = contents_ ? contents_->of(call) : Json();
    if (settings_.as_json)
      std::cout << json_of(message, call, contents).dump(-1, ' ', false, Json::error_handler_t::replace)
                << std::endl;
    else
      std::cout << line_of(message, call, contents) << std::endl;
  }

  static std::string line_of(const recorder::ReadMessage& message, const PassingCall& call,
                             const Json& contents) {
    std::string line = time_in_words(message.time_ns) + " connection " + std::to_string(message.connection) +
                       " " + direction_in_words(message.direction) + " ";
    if (call.kind == PassingCall::Kind::other)
      return line + escape_non_ascii(head_in_words(message)) + ", " + std::to_string(message.message_bytes) +
             " octets";
    if (call.kind == PassingCall::Kind::request)
      line += "request " + std::to_string(call.request_id) + " " + escape_non_ascii(call.operation);
    else
      line += "reply " + std::to_string(call.request_id) + " " + escape_non_ascii(call.operation);
    if (call.after_ns >= 0) line += time_since_request(call.after_ns);
    if (!contents.is_null()) line += " " + contents.dump(-1, ' ', true, Json::error_handler_t::replace);
    return line;
  }

  static Json json_of(const recorder::ReadMessage& message, const PassingCall& call, const Json& contents) {
    Json json{{"time_ns", message.time_ns},
              {"connection", message.connection},
              {"direction", direction_in_words(message.direction)},
              {"message", head_in_words(message)},
              {"octets", message.message_bytes}};
    if (call.kind == PassingCall::Kind::other) return json;
    json["request"] = call.request_id;
    json["operation"] = call.operation;
    if (call.kind == PassingCall::Kind::reply)
      json["after_ns"] = call.after_ns >= 0 ? Json(call.after_ns) : Json();
    if (!contents.is_null()) json["contents"] = contents;
    return json;
  }

  const WatchedCalls& settings_;
  const std::optional<Contents> contents_;
  PassingCalls calls_;
  std::uint64_t shown_ = 0;
};

void show_rates(const WatchedRates& settings) {
  Following following = follow(settings.recording, Following::Begin::next, settings.as_json);
  PassingCalls calls;
  auto begun = Clock::now();
  for (std::uint64_t tables = 0; !interrupted && (settings.count == 0 || tables < settings.count); ++tables) {
    Rates rates;
    const auto end = begun + settings.interval;
    while (!interrupted && Clock::now() < end) {
      wait_until(std::min(end, Clock::now() + look));
      const auto messages = following.next();
      calls.follow_process(following.start_ns());
      for (const recorder::ReadMessage& message : messages) rates.take(message, calls.take(message));
    }
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - begun).count();
    begun = now;
    if (settings.as_json)
      std::cout << rates.as_json(seconds).dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    else
      std::cout << (tables == 0 ? "" : "\n") << rates.in_words(seconds) << std::flush;
    warn_of_lost(following);
  }
}

}  // namespace

void add_watch(const Command& program) {
  const auto settings = std::make_shared<WatchedCalls>();
  const Command watch = program.add_command(
      "watch", "Prints the calls of a running program as they pass, from the program's flight recorder.");
  watch.add("recording", settings->recording, recording_meaning).required();
  watch.add("--operation", settings->operation, "only requests for that operation, and their replies");
  watch.add("--idl", settings->idl, "IDL that declares the operations, to show arguments and results")
      .one_at_a_time();
  watch.add("-I", settings->include_folders, "a folder for the IDL's includes").one_at_a_time();
  watch.add("--interface", settings->interface, "the interface, if several have operations of the same name");
  watch.add_flag("--all", settings->all, "begins with what the recording already has");
  watch.add("--count", settings->count, "ends after so many messages");
  watch.add("--for", settings->duration, "ends after that time",
            command_line::Times{std::chrono::milliseconds(10), longest_interval});
  watch.add_flag("--json", settings->as_json, "print JSON, a line for each message");
  watch.on_chosen([settings] { Watching(*settings).run(); });
}

void add_hz(const Command& program) {
  const auto settings = std::make_shared<WatchedRates>();
  const Command rates = program.add_command(
      "hz", "Prints how often a running program's operations are called, from its flight recorder.");
  rates.add("recording", settings->recording, recording_meaning).required();
  rates
      .add("--interval", settings->interval, "the time that a table is of",
           command_line::Times{std::chrono::milliseconds(100), longest_interval})
      .show_default();
  rates.add("--count", settings->count, "ends after so many tables");
  rates.add_flag("--json", settings->as_json, "print JSON, a line for each table");
  rates.on_chosen([settings] { show_rates(*settings); });
}

}  // namespace takt::command
