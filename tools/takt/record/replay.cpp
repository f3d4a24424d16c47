// takt replay: the calls of a recording again, to another object.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <iostream>
#include <memory>
#include <thread>

#include "common/command.h"
#include "common/orb.h"
#include "common/output.h"
#include "giop/references/profile.h"
#include "ior/calls.h"
#include "ior/endpoints.h"
#include "ior/reference.h"
#include "record/allowed_differences.h"
#include "record/call_sender.h"
#include "record/input.h"
#include "reference/object_ref.h"

namespace takt::command {
namespace {

using std::chrono::nanoseconds;

constexpr std::size_t most_shown = 10;  // differences

struct ReplaySettings {
  std::string file, reference, expect;
  std::vector<std::string> objects;     // KEY=REFERENCE
  std::vector<std::string> may_differ;  // as AllowedDifferences reads them
  std::vector<std::string> contexts;    // as SentContexts reads them
  std::vector<std::string> orb_options;
  bool keep_keys = false, sent = false, as_json = false;
  double speed = 0;
  nanoseconds timeout = std::chrono::seconds(10);
};

struct Target {
  transport::Endpoint endpoint;
  Octets key;
};

struct Outcome {
  std::uint64_t replayed = 0, same = 0, different = 0, failed = 0, not_compared = 0;
  std::vector<std::string> differences;  // the first of them, if they are for JSON
};

Target target_of(const std::string& reference, const transport::TransportRegistry& transports) {
  const auto parsed = reference_from(reference);
  if (!parsed) fail(reference + ": " + parsed.error());
  const auto ways = reachable_endpoints(parsed->ior, transports);
  if (ways.empty()) fail(reference + ": it has no address that this program can call");
  const cdr::TaggedProfile& tagged = parsed->ior.profiles.at(ways.front().profile);
  const auto profile = giop::read_profile(
      tagged, {tagged.tag, transports.find_by_profile(tagged.tag)->profile_form().has_port});
  if (!profile) fail(reference + ": its profile cannot be read");
  return {ways.front().endpoint, {profile->object_key.begin(), profile->object_key.end()}};
}

// The keys of the recorded calls, in hexadecimal digits, with the keys to send instead.
class Keys {
 public:
  Keys(const ReplaySettings& settings, const RecordedCalls& calls, const Target& target,
       const transport::TransportRegistry& transports)
      : keep_(settings.keep_keys) {
    for (const std::string& text : settings.objects) {
      const auto equals = text.find('=');
      if (equals == std::string::npos) fail("--object " + text + ": it takes KEY=REFERENCE");
      const Target other = target_of(text.substr(equals + 1), transports);
      if (other.endpoint != target.endpoint) fail("--object " + text + ": the object is at another address");
      std::string key = text.substr(0, equals);
      std::ranges::transform(key, key.begin(), [](unsigned char c) { return std::tolower(c); });
      keys_[key] = other.key;
    }
    for (const RecordedCall& call : calls.all) ++recorded_[hex_of(call.key)];
    for (const auto& [key, to] : keys_)
      if (!recorded_.contains(key))
        fail("--object: the recording has no call of an object with the key " + key);
    if (keep_) return;
    std::erase_if(recorded_, [&](const auto& one) { return keys_.contains(one.first); });
    if (recorded_.size() > 1) fail(several());
    if (!recorded_.empty()) keys_[recorded_.begin()->first] = target.key;
  }

  ByteView to_send(const RecordedCall& call) const {
    const auto found = keys_.find(hex_of(call.key));
    return found == keys_.end() ? ByteView(call.key) : ByteView(found->second);
  }

 private:
  std::string several() const {
    std::string text =
        "the recording has calls to several objects; name all but one with --object KEY=REFERENCE, "
        "or send all keys as they are with --keep-keys:";
    for (const auto& [key, count] : recorded_) text += "\n  " + key + "  " + std::to_string(count) + " calls";
    return text;
  }

  const bool keep_;
  std::map<std::string, Octets> keys_;
  std::map<std::string, std::size_t> recorded_;
};

std::string in_words(const RecordedReply& reply) {
  static constexpr const char* statuses[] = {"a result", "a user exception", "a system exception"};
  const auto status = static_cast<std::size_t>(reply.status);
  return std::string(status < std::size(statuses) ? statuses[status] : "a forward") + " of " +
         std::to_string(reply.body.size()) + " octets";
}

std::string difference(const RecordedReply& recorded, const RecordedReply& now) {
  std::string text = "recorded " + in_words(recorded) + ", now " + in_words(now);
  if (recorded.order != now.order) return text + ", in another byte order";
  const auto [at, other] = std::ranges::mismatch(recorded.body, now.body);
  return text + "; they differ from octet " + std::to_string(at - recorded.body.begin()) + " on";
}

class Replay {
 public:
  Replay(const ReplaySettings& settings, const AllowedDifferences& allowed, CallSender sender)
      : settings_(settings), allowed_(allowed), sender_(std::move(sender)) {}

  Outcome run(const RecordedCalls& calls, const Keys& keys) {
    const auto begun = os::Clock::now();
    for (const RecordedCall& call : calls.all) {
      if (settings_.speed > 0) {
        const auto recorded = static_cast<double>(call.time_ns - calls.all.front().time_ns);
        std::this_thread::sleep_until(begun +
                                      nanoseconds(static_cast<std::int64_t>(recorded / settings_.speed)));
      }
      one(call, keys);
    }
    return outcome_;
  }

 private:
  void one(const RecordedCall& call, const Keys& keys) {
    ++outcome_.replayed;
    const auto reply = sender_.send(call, keys.to_send(call));
    if (!reply) {
      ++outcome_.failed;
      show(call, reply.error());
    } else if (!call.reply || !*reply || !are_comparable(*call.reply, **reply) ||
               allowed_.allow_any(call.operation)) {
      ++outcome_.not_compared;
    } else if (allowed_.are_alike(call.operation, *call.reply, **reply)) {
      ++outcome_.same;
    } else {
      ++outcome_.different;
      show(call, difference(*call.reply, **reply));
    }
  }
  void show(const RecordedCall& call, const std::string& why) {
    if (++shown_ > most_shown) return;
    const std::string line = time_in_words(call.time_ns) + " connection " + std::to_string(call.connection) +
                             " request " + std::to_string(call.request_id) + " " +
                             escape_non_ascii(call.operation) + ": " + why;
    if (settings_.as_json)
      outcome_.differences.push_back(line);
    else
      std::cerr << line << "\n";
  }

  const ReplaySettings& settings_;
  const AllowedDifferences& allowed_;
  CallSender sender_;
  Outcome outcome_;
  std::size_t shown_ = 0;
};

void print(const Outcome& outcome, const RecordedCalls& calls, bool as_json) {
  Json unfit = Json::object();
  for (const auto& [why, count] : calls.unfit) unfit[why] = count;
  Json json = {{"replayed", outcome.replayed},         {"same", outcome.same},
               {"different", outcome.different},       {"failed", outcome.failed},
               {"not_compared", outcome.not_compared}, {"unfit", unfit}};
  if (as_json) json["differences"] = outcome.differences;
  std::cout << (as_json ? text_of(json) : page_of(json));
}

void replay(const ReplaySettings& settings) {
  const auto allowed = AllowedDifferences::read(settings.may_differ);
  if (!allowed) fail("--may-differ: " + allowed.error());
  const auto contexts = SentContexts::read(settings.contexts);
  if (!contexts) fail("--context: " + contexts.error());
  const auto recording = read_recording_at(recording_named(settings.file));
  const RecordedCalls calls =
      calls_of(recording, settings.sent ? recorder::Direction::sent : recorder::Direction::received);
  if (calls.all.empty()) fail(settings.file + ": it has no request that can be replayed", negative);
  const ClientOrb orb(settings.timeout, settings.orb_options);
  const auto references = orb->string_to_object("corbaloc:iiop:1.2@localhost:1/any")->_ref()->references();
  const Target target = target_of(settings.reference, references->transports);
  const Keys keys(settings, calls, target, references->transports);
  Replay replay(settings, *allowed, CallSender(references, target.endpoint, settings.timeout, *contexts));
  const Outcome outcome = replay.run(calls, keys);
  print(outcome, calls, settings.as_json);
  if (settings.expect == "same" && outcome.different + outcome.failed != 0) throw Answer{negative};
}

}  // namespace

void add_replay(const Command& program) {
  const auto settings = std::make_shared<ReplaySettings>();
  const Command command = program.add_command(
      "replay",
      "Sends the requests of a recording to another object, and compares the replies octet for octet.");
  command.add("recording", settings->file, recording_meaning).required();
  command.add("reference", settings->reference, "the object: a reference, or a file that has one").required();
  command.add("--expect", settings->expect, "same: the exit status is 1 if a reply differs or is missing")
      .one_of({"same"});
  command
      .add("--may-differ", settings->may_differ,
           "OPERATION: its replies may differ; OPERATION:FROM-TO: that part of their bodies may differ")
      .one_at_a_time();
  command
      .add("--object", settings->objects,
           "KEY=REFERENCE: calls of the object with that key, in hexadecimal digits, go to this one")
      .one_at_a_time();
  command
      .add("--context", settings->contexts,
           "ID: the recorded service contexts of this id are sent, too; ID=OTHER: with another id")
      .one_at_a_time();
  command.add_flag("--keep-keys", settings->keep_keys, "send the recorded keys of objects as they are");
  command.add_flag("--sent", settings->sent,
                   "the requests that the process has sent, not those that it received");
  command
      .add("--speed", settings->speed,
           "1: at the recorded times; 2: twice as fast; 0: one after the other at once")
      .within(0.0, 1e6)
      .show_default();
  command.add("--timeout", settings->timeout, "the longest wait for a connection or a reply", call_times)
      .show_default();
  command.add_flag("--json", settings->as_json, "print JSON");
  take_orb_options(command, settings->orb_options, "-ORBTLSAuthorities authority.pem");
  command.on_chosen([settings] { replay(*settings); });
}

}  // namespace takt::command
