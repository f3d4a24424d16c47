#include "imr/service/foreign_servers.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "addresses/address_in.h"
#include "imr/process/local_listener.h"

namespace takt::imr {
namespace {

namespace foreign = ::ImplementationRepository;

constexpr std::string_view tao("\x14\x01\x0f\x00", 4);  // how its object keys begin

[[noreturn]] void refuse_command(const char* command) {
  throw CORBA::NO_PERMISSION(
      0, CORBA::COMPLETED_NO,
      std::string("no command comes from a network: its owner uses `takt imr ") + command + "`");
}

foreign::ServerInformation information_on(const ServerState& state, Destinations& destinations) {
  const PlacePtr place = state.processes.empty() ? nullptr : state.processes.front().place;
  const std::string address = place ? destinations.address_of(place->reference) : std::string();
  foreign::ServerInformation result;
  result.server(state.name);
  result.startup().activation(static_cast<foreign::ActivationMode>(state.mode));
  result.startup().start_limit(static_cast<std::int32_t>(state.start_limit));
  const bool runs = state.phase == Phase::running;
  if (runs && !address.empty()) result.partial_ior("corbaloc:iiop:" + address + '/');
  result.activeStatus(runs ? foreign::ServerActiveStatus::ACTIVE_MAYBE
                           : foreign::ServerActiveStatus::ACTIVE_NO);
  return result;
}

}  // namespace

std::string_view name_of_foreign(std::string_view registered) {
  constexpr std::string_view jacorb = "JACORB:";
  if (registered.starts_with(jacorb)) {
    registered.remove_prefix(jacorb.size());
    return registered.substr(0, registered.find('/'));
  }
  return registered.substr(registered.rfind(':') + 1);  // npos + 1 is 0
}

std::string_view name_in_jacorb_key(std::string_view key) {
  const auto end = key.find('/');
  return end == key.npos ? std::string_view() : key.substr(0, end);
}

bool is_tao_key(std::string_view key) {
  constexpr std::size_t longest = 1024;  // a client may send keys of any length, and the search takes as long
  return key.starts_with(tao) && key.size() <= longest;
}

std::optional<std::string> name_in_tao_key(std::string_view key, const std::vector<std::string>& names) {
  std::optional<std::string> best;
  for (const std::string& name : names)
    if ((!best || name.size() > best->size()) && key.find(name, tao.size()) != key.npos) best = name;
  return best;
}

bool ForeignServant::has_place(const std::string& server, const std::string& address) {
  const auto state = keeper_.look(server);
  return state && std::ranges::any_of(state->processes, [&](const Process& process) {
           return process.phase == Phase::running && process.place &&
                  process.place->kind == PlaceKind::server_object &&
                  destinations_.address_of(process.place->reference) == address;
         });
}

void ForeignServant::require_address(const CORBA::object_reference<CORBA::Object>& object,
                                     const std::string& address) const {
  if (from_ == Registrations::local && !is_listener_of(address, geteuid()))
    throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO,
                               "no process of the repository's user listens at " + address +
                                   " on this machine; others register with `takt imr serve --registrations "
                                   "network` only");
  if (destinations_.leads_here(object))
    throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO, "the repository itself listens at " + address);
}

// A process of this machine registers with the address that was looked at, and no others.
std::string ForeignServant::reference_from(const CORBA::object_reference<CORBA::Object>& object) const {
  if (from_ != Registrations::local) return orb_.object_to_string(object);
  const auto one = addresses::with_one_address(addresses::ior_of(object));
  if (!one) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the reference has no address");
  return addresses::text_of(*one);
}

void ForeignServant::server_is_running(const std::string& server, const std::string& /*partial_ior*/,
                                       CORBA::object_reference<foreign::ServerObject> server_object) {
  if (!server_object) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil reference has no address");
  const std::string name(name_of_foreign(server));
  if (!keeper_.look(name)) throw foreign::NotFound();
  const std::string address = addresses::address_in(addresses::ior_of(server_object));
  require_address(server_object, address);
  if (has_place(name, address)) return;
  const std::string reference = reference_from(server_object);
  if (const auto done =
          keeper_.is_running_somewhere(name, {.reference = reference, .kind = PlaceKind::server_object});
      !done)
    throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO, done.error());
}

void ForeignServant::server_is_shutting_down(const std::string& server) {
  if (!keeper_.look(std::string(name_of_foreign(server)))) throw foreign::NotFound();
}

void ForeignServant::find(const std::string& server, foreign::ServerInformation& info) {
  const auto state = keeper_.look(std::string(name_of_foreign(server)));
  if (!state) {
    info = {};
    info.server(server);  // as TAO answers for a server that is not there
    info.activeStatus(foreign::ServerActiveStatus::ACTIVE_NO);
    return;
  }
  info = information_on(*state, destinations_);
}

void ForeignServant::list(std::uint32_t how_many, bool /*determine_active_status*/,
                          foreign::ServerInformationList& server_list,
                          CORBA::object_reference<foreign::ServerInformationIterator>& server_iterator) {
  server_list.clear();
  for (const ServerState& state : keeper_.look()) server_list.push_back(information_on(state, destinations_));
  server_iterator = lists_.cut(server_list, how_many);
}

void ForeignServant::activate_server(const std::string& /*server*/) { refuse_command("start"); }
void ForeignServant::add_or_update_server(const std::string& /*server*/,
                                          const foreign::StartupOptions& /*options*/) {
  refuse_command("add");
}
void ForeignServant::remove_server(const std::string& /*server*/) { refuse_command("remove"); }
void ForeignServant::shutdown_server(const std::string& /*server*/) { refuse_command("stop"); }
void ForeignServant::shutdown(bool /*activators*/, bool /*servers*/) {}  // a oneway has no answer

std::string ForeignKeys::locate(const std::string& object_key) {
  if (object_key.size() > longest_key) throw IORTable::NotFound();
  std::optional<std::string> name(name_in_jacorb_key(object_key));
  if (is_tao_key(object_key)) name = name_in_tao_key(object_key, keeper_.names());
  if (!name || keeper_.token(*name).empty()) throw IORTable::NotFound();
  return orb_.object_to_string(refer_(*name, object_key));
}

}  // namespace takt::imr
