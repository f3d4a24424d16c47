#include "imr/service/servants.h"

#include <unistd.h>

#include <takt/server/peer.h>

#include "imr/service/definition_idl.h"

namespace takt::imr {
namespace {

using Takt::Activation::Refused;

[[noreturn]] void refuse(const std::string& why) {
  Refused refused;
  refused.why(why);
  throw refused;
}

void require(const Keeper::Done& done) {
  if (!done) refuse(done.error());
}

void require_token(const Keeper& keeper, const std::string& server, const std::string& token) {
  if (!keeper.has(server, token)) refuse("there is no server " + server + ", or it has another token");
}

void require_owner() {
  const auto peer = present_peer();
  if (!peer || (peer->user != geteuid() && peer->user != 0))
    throw CORBA::NO_PERMISSION(
        0, CORBA::COMPLETED_NO,
        "only the repository's own user may do this, over the repository's UNIX-domain socket");
}

// The number of the calling process, and whether the system tells it.
struct CallerPid {
  explicit CallerPid(std::int32_t told) : pid(told) {
    const auto peer = present_peer();
    if (!peer || peer->process <= 0) return;  // 0: in another name space, where this process cannot see it
    pid = peer->process;
    is_proven = true;
  }
  std::int32_t pid;
  bool is_proven = false;
};

// About as many as it takes in a reply.
std::size_t octets_of(const Takt::Activation::Server& server) {
  constexpr std::size_t numbers = 80, of_process = 16;
  std::size_t octets =
      numbers + server.name().size() + server.last_failure().size() + server.last_refusal().size();
  for (const auto& each : server.processes()) octets += of_process + each.address().size();
  return octets;
}

}  // namespace

Takt::Activation::Process RepositoryServant::process_of(const Process& process) {
  Takt::Activation::Process result;
  result.phase(static_cast<Takt::Activation::ServerPhase>(process.phase));
  result.pid(process.pid);
  if (process.place) result.address(destinations_.address_of(process.place->reference));
  return result;
}

Takt::Activation::Server RepositoryServant::server_of(const ServerState& state) {
  Takt::Activation::Server server;
  server.name(state.name);
  server.mode(static_cast<Takt::Activation::StartMode>(state.mode));
  server.phase(static_cast<Takt::Activation::ServerPhase>(state.phase));
  for (const Process& each : state.processes) server.processes().push_back(process_of(each));
  server.starts(state.counts.starts);
  server.failures(state.counts.failures);
  server.forwards(state.counts.forwards);
  server.refused(state.counts.refused);
  server.waiting(static_cast<std::uint32_t>(state.waiting));
  server.in_a_row(state.in_a_row);
  server.last_failure(state.last_failure);
  server.last_refusal(state.last_refusal);
  return server;
}

Takt::Activation::ServerList RepositoryServant::list() {
  Takt::Activation::ServerList servers;
  for (const ServerState& state : keeper_.look()) servers.push_back(server_of(state));
  return servers;
}

Takt::Activation::ServerList RepositoryServant::list_after(const std::string& server) {
  constexpr std::size_t most_servers = 1000, most_octets = 1 << 20;
  Takt::Activation::ServerList servers;
  std::size_t octets = 0;
  for (const ServerState& state : keeper_.look_after(server, most_servers)) {
    servers.push_back(server_of(state));
    octets += octets_of(servers.back());
    if (octets >= most_octets) break;
  }
  return servers;
}

Takt::Activation::Server RepositoryServant::status(const std::string& server) {
  const auto state = keeper_.look(server);
  if (!state) refuse("there is no server " + server);
  return server_of(*state);
}

CORBA::object_reference<CORBA::Object> RepositoryServant::take_place(const std::string& server,
                                                                     const std::string& token) {
  require_token(keeper_, server, token);
  return refer_(server, {});
}

void RepositoryServant::is_running(const std::string& server, const std::string& token, std::uint64_t start,
                                   std::int32_t pid, const std::string& /*machine*/,
                                   CORBA::object_reference<Takt::Activation::Life> process) {
  require_token(keeper_, server, token);
  if (!process) refuse("a nil reference has no address");
  const CallerPid caller(pid);
  require(keeper_.is_running(server, start, {.reference = orb_.object_to_string(process), .pid = caller.pid},
                             caller.is_proven));
}

void RepositoryServant::is_ending(const std::string& server, const std::string& token, std::uint64_t start,
                                  std::int32_t pid) {
  require_token(keeper_, server, token);
  keeper_.is_ending(server, start, CallerPid(pid).pid);
}

void OwnerServant::add(const Takt::Activation::Definition& server) {
  require_owner();
  require(keeper_.add(definition_from(server)));
  listed_(server.name(), true);
}

void OwnerServant::change(const Takt::Activation::Definition& server) {
  require_owner();
  require(keeper_.change(definition_from(server)));
}

void OwnerServant::remove(const std::string& server) {
  require_owner();
  require(keeper_.remove(server));
  listed_(server, false);
}

void OwnerServant::start(const std::string& server) {
  require_owner();
  require(keeper_.start(server));
}

void OwnerServant::stop(const std::string& server) {
  require_owner();
  require(keeper_.stop(server));
}

Takt::Activation::Definition OwnerServant::describe(const std::string& server) {
  require_owner();
  const auto found = keeper_.definition(server);
  if (!found) refuse("there is no server " + server);
  return definition_to(*found);
}

std::string OwnerServant::ticket(const std::string& server) {
  require_owner();
  if (keeper_.token(server).empty()) refuse("there is no server " + server);
  return ticket_(server);
}

CORBA::object_reference<CORBA::Object> OwnerServant::reference(const std::string& server,
                                                               const std::string& key) {
  require_owner();
  if (keeper_.token(server).empty()) refuse("there is no server " + server);
  if (key.size() > longest_key) refuse("the key has more than " + std::to_string(longest_key) + " octets");
  return refer_(server, key);
}

}  // namespace takt::imr
