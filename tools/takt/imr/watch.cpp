// takt imr watch: prints what happens to the servers of an implementation repository.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <utility>

#include <takt/corba.h>

#include "common/interrupt.h"
#include "common/orb.h"
#include "common/output.h"
#include "imr/changes.h"
#include "imr/commands.h"
#include "imr/server_json.h"
#include "ior/target.h"

namespace takt::command {
namespace {

struct ImrWatchSettings {
  std::string service = "corbaloc::localhost:2812/TaktImr", name;
  std::vector<std::string> orb_options;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5), interval = std::chrono::milliseconds(200);
  std::uint64_t rounds = 0;
  bool as_json = false;
};

void show(const ServerChange& change, bool as_json) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string when = time_in_words(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  if (as_json) {
    Json json = {{"when", when}, {"what", change.what}};
    if (!change.server.empty()) json["server"] = change.server;
    if (change.pid != 0) json["pid"] = change.pid;
    if (!change.address.empty()) json["address"] = change.address;
    if (change.count != 0) json["count"] = change.count;
    if (!change.why.empty()) json["why"] = change.why;
    std::cout << json.dump(-1, ' ', true, Json::error_handler_t::replace) << std::endl;
    return;
  }
  std::cout << when << ' ' << change.what;
  if (!change.server.empty()) std::cout << ' ' << escape_non_ascii(change.server);
  if (change.pid != 0) std::cout << ", process " << change.pid;
  if (!change.address.empty()) std::cout << ", at " << escape_non_ascii(change.address);
  if (change.count > 1) std::cout << ", " << change.count << " times";
  if (!change.why.empty()) std::cout << ": " << escape_non_ascii(change.why);
  std::cout << std::endl;
}

void require_server(const Takt::Activation::ServerList& servers, const std::string& name) {
  if (!name.empty() && std::ranges::none_of(servers, [&](const auto& each) { return each.name() == name; }))
    fail("there is no server " + escape_non_ascii(name), negative);
}

// A repository that does not answer at first is a failure; one that stops answering later is waited for.
void watch(const ImrWatchSettings& settings) {
  const ClientOrb orb(settings.deadline, settings.orb_options);
  const auto repository = IDL::traits<Takt::Activation::Repository>::unchecked_narrow(
      object_at(orb, reference_text(settings.service)));
  end_at_interrupt();
  ServerChanges changes;
  bool silent = false;
  for (std::uint64_t round = 0; !interrupted && (settings.rounds == 0 || round < settings.rounds); ++round) {
    const auto next = std::chrono::steady_clock::now() + settings.interval;
    try {
      const auto servers = servers_of(*repository);
      if (round == 0) require_server(servers, settings.name);
      if (std::exchange(silent, false)) show({.what = "answers"}, settings.as_json);
      for (const ServerChange& each : changes.compared(servers))
        if (settings.name.empty() || each.server == settings.name) show(each, settings.as_json);
    } catch (const CORBA::SystemException& failure) {
      if (round == 0) fail(text_with_advice(failure), negative);
      if (!std::exchange(silent, true)) show({.what = "silent", .why = failure.what()}, settings.as_json);
    }
    if (round + 1 != settings.rounds) wait_until(next);
  }
}

}  // namespace

void add_imr_watch(const Command& imr) {
  const auto settings = std::make_shared<ImrWatchSettings>();
  const Command command = imr.add_command(
      "watch", "Prints starts, ends, failures and refusals of a repository's servers, until Ctrl-C.");
  command.add("name", settings->name, "the server; by default all");
  command.add("--service", settings->service, "reference of the repository, as for takt ior, or @FILE")
      .show_default();
  command.add("--deadline", settings->deadline, "time for connecting, and for the reply", call_deadlines)
      .show_default();
  command
      .add("--interval", settings->interval, "time between two rounds",
           {std::chrono::milliseconds(10), longest_interval})
      .show_default();
  command.add("--rounds", settings->rounds, "number of rounds; 0: until Ctrl-C").show_default();
  command.add_flag("--json", settings->as_json, "each change as one line of JSON");
  take_orb_options(command, settings->orb_options, "-ORBTLSAuthorities authority.pem");
  command.on_chosen([settings] {
    try {
      watch(*settings);
    } catch (const CORBA::SystemException& failure) {
      fail(text_with_advice(failure), negative);
    }
  });
}

}  // namespace takt::command
