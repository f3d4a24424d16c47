#include "imr/owner_client.h"

#include <filesystem>

#include "common/serving.h"

namespace takt::command {
namespace {

constexpr std::chrono::seconds deadline(30);

CORBA::object_reference<Takt::Activation::Owner> owner_at(const ClientOrb& orb, const std::string& path) {
  const auto object = orb->string_to_object("corbaloc:uiop:1.2@" + path + "|TaktImrOwner");
  return IDL::traits<Takt::Activation::Owner>::unchecked_narrow(object);
}

}  // namespace

std::string owner_socket(const std::string& given) {
  constexpr std::size_t longest = 107;  // the system's limit
  const std::string path = std::filesystem::absolute(state_file(given, "imr.socket", "--socket"));
  if (path.size() > longest || path.find_first_of(",;|%") != std::string::npos)
    fail(path + ": a socket's path has up to 107 octets, and none of ',', ';', '|' and '%'; give --socket");
  return path;
}

void add_owner_socket(const Command& command, OwnerSettings& settings) {
  command.add("--socket", settings.socket,
              "the repository's socket for its owner; by default takt/imr.socket in $XDG_STATE_HOME, or in "
              "~/.local/state");
}

OwnerClient::OwnerClient(const OwnerSettings& settings)
    : orb_(deadline, settings.orb_options), owner_(owner_at(orb_, owner_socket(settings.socket))) {}

}  // namespace takt::command
