#include "common/serving.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <utility>

#include <takt/corba.h>

#include "common/files.h"
#include "config/option_names.h"
#include "orb/startup/read_settings.h"

namespace takt::command {
namespace {

// The path according to the XDG base directories.
std::string default_path(const std::string& name) {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  const std::string folder = state && *state ? state : home ? std::string(home) + "/.local/state" : ".";
  return folder + "/takt/" + name;
}

void add_preferred(const std::vector<PreferredValue>& preferred, const std::vector<std::string>& orb_options,
                   std::vector<std::string>& words) try {
  if (preferred.empty()) return;
  const auto settings = effective_settings(orb_options);
  const auto is_open = [&](const char* option) {
    return settings.origin_of(*orb::find_option(option)) == "default";
  };
  for (const PreferredValue& each : preferred)
    if (is_open(each.option) && is_open(each.only_with))
      words.insert(words.end(), {std::string("-ORB") + each.option, each.value});
} catch (const CORBA::SystemException&) {  // the start of the ORB tells why
}

}  // namespace

void add_serving(const Command& command, Serving& serving, const std::string& endpoint) {
  command.add("--listen", serving.listen,
              "endpoints to listen on, as for -ORBListenEndpoints; by default " + endpoint +
                  ", for clients on this machine only, or those of the ORB's configuration file");
  command.add("--publish", serving.publish, "endpoints that references name, as for -ORBPublishedEndpoints");
}

CORBA::object_reference<CORBA::ORB> serving_orb(const Serving& serving, const std::string& endpoint,
                                                const std::string& id,
                                                std::vector<PreferredValue> preferred) {
  std::vector<std::string> words;
  if (serving.listen.empty())
    preferred.push_back({"ListenEndpoints", endpoint.c_str()});
  else
    words.insert(words.end(), {"-ORBListenEndpoints", serving.listen});
  if (!serving.publish.empty()) words.insert(words.end(), {"-ORBPublishedEndpoints", serving.publish});
  add_preferred(preferred, serving.orb_options, words);
  words.insert(words.end(), serving.orb_options.begin(), serving.orb_options.end());
  return orb_of(words, id);
}

TakesRequests::TakesRequests(CORBA::object_reference<CORBA::ORB> orb) : orb_(std::move(orb)) {
  IDL::traits<PortableServer::POA>::narrow(orb_->resolve_initial_references("RootPOA"))
      ->the_POAManager()
      ->activate();
  thread_ = std::thread([this] {
    try {
      orb_->run();
    } catch (const CORBA::BAD_INV_ORDER&) {  // it has been shut down by then
    }
  });
}

TakesRequests::~TakesRequests() {
  try {
    orb_->shutdown(false);
  } catch (const CORBA::SystemException&) {  // it has been destroyed
  }
  thread_.join();
}

void announce_until_signal(CORBA::ORB& orb, const CORBA::object_reference<CORBA::Object>& object,
                           const std::string& output, const AwaitedSignals& signals) {
  if (!write_file(output, orb.object_to_string(object) + "\n")) fail(cannot_be_written(output));
  signals.wait();
}

std::uint32_t number_up_to(std::uint32_t most, std::uint64_t number, const char* option) {
  if (number < 1 || number > most)
    fail(std::string(option) + " is a number from 1 to " + std::to_string(most));
  return static_cast<std::uint32_t>(number);
}

std::string state_file(const std::string& given, const std::string& name, const char* option) {
  if (given == ":memory:")  // a name by which SQLite means no file
    fail(std::string(option) + " :memory: would keep nothing after exit: name a file");
  if (!given.empty()) return given;
  const std::string path = default_path(name);
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);
  if (failed) fail(path + ": " + failed.message() + "; give " + option + " FILE");
  return path;
}

std::string store_file(bool in_memory, const std::string& given, const std::string& name, const char* kept) {
  if (!in_memory) return state_file(given, name);
  if (!given.empty())
    fail(std::string("give either --memory or --store: --memory keeps no ") + kept +
         " after exit, --store keeps all");
  return {};
}

std::function<void(const std::string&)> report_of_store(const std::string& service,
                                                        const std::string& effect) {
  return [service, effect](const std::string& why_not) {
    std::cerr << service << ": the store "
              << (why_not.empty() ? "is writable again" : "cannot be written: " + why_not + "; " + effect)
              << '\n';
  };
}

}  // namespace takt::command
