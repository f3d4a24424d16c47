// takt bridge: forwards requests from one protocol to another.
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <takt/orb/bridge.h>

#include <takt/corba.h>

#include "bridge/toml.h"
#include "common/command.h"
#include "common/files.h"
#include "common/orb.h"
#include "ior/calls.h"
#include "ior/reference.h"
#include "types/operation_types.h"

namespace takt::command {
namespace {

IDL::traits<CORBA::ORB>::ref_type orb_for(const BridgeSettings& settings) {
  std::vector<std::string> words{"-ORBListenEndpoints", settings.listen};
  if (!settings.publish.empty()) words.insert(words.end(), {"-ORBPublishedEndpoints", settings.publish});
  words.insert(words.end(), settings.orb_options.begin(), settings.orb_options.end());
  return orb_of(words, "takt bridge");
}

// Splits [KEY=]REFERENCE. A reference has no '=' before its ':'.
BridgedObject split_target(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals > text.find(':')) return {"", text};
  if (equals == 0) fail("'" + text + "' begins with '=': write an object key before it, or leave it out");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Bridge::Reference object_of(CORBA::ORB& orb, const std::string& reference) {
  const auto read = reference_from(reference);
  if (!read) fail(read.error());
  return orb.string_to_object(read->text);
}

// The published reference of each bridged object, one per line.
std::string published(const BridgeSettings& settings, CORBA::ORB& orb, Bridge& bridge) {
  std::string lines;
  for (const auto& [key, reference] : settings.objects)
    lines += orb.object_to_string(bridge.publish(object_of(orb, reference), key)) + "\n";
  if (!settings.server.empty())
    lines += orb.object_to_string(bridge.publish_server(object_of(orb, settings.server))) + "\n";
  return lines;
}

void print(const Bridge::Counts& counts) {
  std::cerr << "requests: " << counts.requests << " (" << counts.request_bytes
            << " octets of arguments)\nreplies: " << counts.replies << " (" << counts.reply_bytes
            << " octets of results)\nfailures: " << counts.failures << "\nreferences: " << counts.references
            << " rewritten, " << counts.references_kept << " unchanged; " << counts.unread_bodies
            << " bodies not inspected\n";
  if (!counts.last_failure.empty()) std::cerr << "last failure: " << counts.last_failure << '\n';
}

// Merges the command line with a file; the command line takes precedence.
BridgeSettings joined(const BridgeSettings& given, const std::string& path) {
  if (path.empty()) return given;
  const auto text = read_file(path);
  if (!text) fail(cannot_be_read(path));
  auto settings = bridge_settings_of(*text, path);
  if (!settings) fail(settings.error());
  for (auto [to, from] : {std::pair(&settings->server, &given.server),
                          {&settings->listen, &given.listen},
                          {&settings->publish, &given.publish},
                          {&settings->output, &given.output}})
    if (!from->empty()) *to = *from;
  settings->objects.insert(settings->objects.end(), given.objects.begin(), given.objects.end());
  for (auto [to, from] : {std::pair(&settings->orb_options, &given.orb_options),
                          {&settings->idl, &given.idl},
                          {&settings->include, &given.include},
                          {&settings->inside, &given.inside},
                          {&settings->outside, &given.outside}})
    to->insert(to->end(), from->begin(), from->end());
  return *settings;
}

// Must run before there are threads, because reading IDL forks a process.
Bridge::References references_of(const BridgeSettings& settings) {
  if (settings.idl.empty()) {
    if (!settings.inside.empty() || !settings.outside.empty())
      fail(
          "--inside and --outside apply to references in arguments and results: give with --idl FILE the IDL "
          "that declares the operations");
    return {};
  }
  auto operations = operation_types_in(settings.idl, settings.include);
  if (!operations) fail(operations.error().substr(0, operations.error().find_last_not_of('\n') + 1));
  if (operations->empty()) fail("the IDL files declare no operations");
  return {std::move(*operations), settings.inside, settings.outside};
}

void run(const BridgeSettings& settings) {
  if (settings.listen.empty()) fail("no client could connect: give --listen ENDPOINT, such as iiop://:2809");
  if (settings.objects.empty() && settings.server.empty())
    fail("there is no target for requests: give --to REFERENCE or --to-server REFERENCE");
  Bridge::References references = references_of(settings);
  const AwaitedSignals signals{SIGINT, SIGTERM, SIGUSR1};
  try {
    const auto orb = orb_for(settings);
    auto bridge = Bridge::over(orb, std::move(references));
    const std::string output = settings.output.empty() ? "-" : settings.output;
    if (!write_file(output, published(settings, *orb, bridge))) fail(cannot_be_written(output));
    std::cout << std::flush;
    for (int signal = SIGUSR1; signal == SIGUSR1;) {
      signal = signals.wait();
      print(bridge.counts());
    }
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    fail(failure.what());
  }
}

}  // namespace

void add_bridge(const Command& program) {
  struct Given {
    BridgeSettings settings;
    std::vector<std::string> objects;
    std::string file;
  };
  const auto given = std::make_shared<Given>();
  const Command bridge =
      program.add_command("bridge",
                          "Forwards requests to other servers, over other protocols or through a firewall, "
                          "until Ctrl-C. Writes the "
                          "references that lead through it, one per line, in the order of the options.");
  BridgeSettings& settings = given->settings;
  bridge
      .add("--to", given->objects,
           "[KEY=]REFERENCE: an object that clients reach through the bridge. KEY is its key in "
           "corbaloc::host:port/KEY, in place of the object's own key")
      .one_at_a_time();
  bridge.add("--to-server", settings.server,
             "reference to any object of the server that receives requests for all other keys, unchanged");
  bridge.add(
      "--listen", settings.listen,
      "endpoints to listen on, as for -ORBListenEndpoints: iiop://:2809 or unix:/run/bridge, for example");
  bridge.add("--publish", settings.publish,
             "endpoints that references name, as for -ORBPublishedEndpoints; by default, those of --listen");
  bridge.add("-o,--output", settings.output, "file to write the references to, in place of standard output");
  bridge
      .add("--idl", settings.idl,
           "IDL file; may be repeated. References in arguments and results of its operations are "
           "rewritten to lead through the bridge")
      .one_at_a_time();
  bridge.add("-I", settings.include, "folder to search for included IDL files").one_at_a_time();
  bridge
      .add("--inside", settings.inside,
           "endpoints whose objects clients may reach through rewritten references, such as iiop://10.1.* "
           "or iiop://db:4000, in addition to those of --to and --to-server")
      .separated_by(',')
      .one_at_a_time();
  bridge
      .add("--outside", settings.outside,
           "endpoints of clients whose objects servers may reach through rewritten references")
      .separated_by(',')
      .one_at_a_time();
  bridge.add("--config", given->file, "TOML file with these options and a table [to]");
  take_orb_options(bridge, given->settings.orb_options, "-ORBRoundTripTimeout 5s",
                   "On SIGUSR1 and on exit, it prints counts of what it has forwarded to standard error.");
  bridge.on_chosen([given] {
    for (const std::string& text : given->objects) given->settings.objects.push_back(split_target(text));
    run(joined(given->settings, given->file));
  });
}

}  // namespace takt::command
