#include "common/serving.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include <takt/corba.h>

#include "common/files.h"
#include "config/option_names.h"
#include "config/option_values.h"
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

}  // namespace

void add_serving(const Command& command, Serving& serving, const std::string& endpoint) {
  command.add("--listen", serving.listen,
              "endpoints to listen on, as for -ORBListenEndpoints; by default " + endpoint +
                  ", for clients on this machine only, or those of the ORB's configuration file");
  command.add("--publish", serving.publish, "endpoints that references name, as for -ORBPublishedEndpoints");
}

CORBA::object_reference<CORBA::ORB> serving_orb(const Serving& serving, const std::string& endpoint,
                                                const std::string& id) {
  std::vector<std::string> words;
  if (!serving.listen.empty())
    words.insert(words.end(), {"-ORBListenEndpoints", serving.listen});
  else if (is_open(serving.orb_options, "ListenEndpoints"))
    words.insert(words.end(), {"-ORBListenEndpoints", endpoint});
  if (!serving.publish.empty()) words.insert(words.end(), {"-ORBPublishedEndpoints", serving.publish});
  words.insert(words.end(), serving.orb_options.begin(), serving.orb_options.end());
  return orb_of(words, id);
}

bool is_open(const std::vector<std::string>& orb_options, std::string_view option) {
  try {
    const auto settings = effective_settings(orb_options);
    const auto index = static_cast<std::size_t>(orb::find_option(option) - orb::options().data());
    return settings.origins[index] == "default";
  } catch (const CORBA::SystemException&) {
    return false;  // the start of the ORB tells why
  }
}

void share_connections(std::vector<std::string>& orb_options) {
  if (is_open(orb_options, "ClientConnections"))
    orb_options.insert(orb_options.begin(), {"-ORBClientConnections", "cached"});
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
  if (!given.empty()) return given;
  const std::string path = default_path(name);
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);
  if (failed) fail(path + ": " + failed.message() + "; give " + option + " FILE");
  return path;
}

}  // namespace takt::command
