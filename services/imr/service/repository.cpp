#include "imr/service/repository.h"

#include <utility>

#include <takt/corba.h>
#include <takt/orb/configuration.h>
#include <takt/orb/ior_table.h>
#include <takt/reference/messaging.h>

#include "adapters/adapters.h"
#include "imr/place/ticket.h"
#include "imr/process/reachable.h"
#include "imr/service/foreign_servers.h"
#include "imr/service/locator.h"
#include "imr/service/servants.h"

namespace takt::imr {
namespace {

constexpr const char* repository_key = "TaktImr";
constexpr const char* owner_key = "TaktImrOwner";

CORBA::object_reference<PortableServer::POA> root_of(CORBA::ORB& orb) {
  return IDL::traits<PortableServer::POA>::narrow(orb.resolve_initial_references("RootPOA"));
}

// An adapter for objects with well-known keys.
CORBA::object_reference<PortableServer::POA> adapter_of_keys(CORBA::ORB& orb, const std::string& name) {
  using namespace PortableServer;
  const auto root = root_of(orb);
  return root->create_POA(name, root->the_POAManager(),
                          {root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT),
                           root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)});
}

CORBA::object_reference<CORBA::Object> activate(
    CORBA::ORB& orb, PortableServer::POA& adapter, const std::string& key,
    const CORBA::servant_reference<PortableServer::Servant>& servant) {
  const PortableServer::ObjectId id(key.begin(), key.end());
  adapter.activate_object_with_id(id, servant);
  auto object = adapter.id_to_reference(id);
  orb.register_object_key(key, object);
  return object;
}

// An object that is there for the ping's time at most.
CORBA::object_reference<CORBA::Object> within(CORBA::ORB& orb,
                                              const CORBA::object_reference<CORBA::Object>& object,
                                              std::chrono::milliseconds time) {
  constexpr TimeBase::TimeT units_per_millisecond = 10'000;  // a unit is 100 ns
  CORBA::Any any;
  any <<= static_cast<TimeBase::TimeT>(time.count()) * units_per_millisecond;
  return object->_set_policy_overrides({orb.create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, any)},
                                       CORBA::SetOverrideType::SET_OVERRIDE);
}

}  // namespace

struct ImplementationRepository::Made {
  Made(OrbRef of_orb, OrbRef of_owner, Options options, std::optional<Store> store,
       std::vector<StoredServer> servers)
      : orb(std::move(of_orb)),
        owner(std::move(of_owner)),
        limits(options.limits),
        registrations(options.registrations),
        destinations(*orb),
        adapter(adapter_without_objects(*root_of(*orb), "TaktImrServers",
                                        PortableServer::LifespanPolicyValue::PERSISTENT)),
        keeper(
            std::move(store), std::move(servers), options.limits, calls(),
            options.report ? options.report : [](const std::string&) {}) {}

  Keeper::Calls calls();
  Keeper::Pinged ping(const Place& place);
  Keeper::Pinged after_timeout(const CORBA::TIMEOUT& late, const Place& place);
  void shut_down(const Place& place, const std::string& token);
  // Processes register over the socket of the owner, where no clients are in their way and the system tells
  // their numbers. Those that cannot, such as those of other machines, register as clients call.
  std::string ticket(const std::string& server, const std::string& token, std::uint64_t start) const {
    return text_of(
        Ticket{server, token, start,
               orb->object_to_string(reference_by_socket) + ' ' + orb->object_to_string(reference)});
  }
  CORBA::object_reference<CORBA::Object> refer(const std::string& server, const std::string& key) const {
    return adapter->create_reference_with_id(id_in_locator(server, key), "IDL:omg.org/CORBA/Object:1.0");
  }
  void list(const std::string& server, bool is_there) const {
    if (server == foreign_key) return;
    orb->register_object_key(server, is_there ? refer(server, {}) : nullptr);
  }
  void set_servants();
  void take_foreign_servers(const CORBA::object_reference<PortableServer::POA>& objects,
                            const Refer& refer_to);

  const OrbRef orb, owner;
  const Limits limits;
  const Registrations registrations;
  Destinations destinations;
  const CORBA::object_reference<PortableServer::POA> adapter;
  CORBA::object_reference<CORBA::Object> reference, reference_by_socket;
  Keeper keeper;
};

Keeper::Calls ImplementationRepository::Made::calls() {
  return {.ping = [this](const Place& place) { return ping(place); },
          .exists =
              [this](const std::string& text) {
                try {
                  return !within(*orb, destinations.object_at(text), limits.ping_timeout)->_non_existent();
                } catch (const CORBA::Exception&) {
                  return false;
                }
              },
          .shut_down = [this](const Place& place, const std::string& token) { shut_down(place, token); },
          .is_reference =
              [this](const std::string& text) {
                // No corbaname, which would call a naming service here, and no file with another text.
                if (!text.starts_with("IOR:") && !text.starts_with("corbaloc:")) return false;
                try {
                  return static_cast<bool>(orb->string_to_object(text));
                } catch (const CORBA::Exception&) {
                  return false;
                }
              },
          .ticket = [this](const std::string& server, const std::string& token,
                           std::uint64_t start) { return ticket(server, token, start); }};
}

Keeper::Pinged ImplementationRepository::Made::ping(const Place& place) {
  try {
    const auto object = within(*orb, destinations.object_at(place.reference), limits.ping_timeout);
    if (place.kind != PlaceKind::main_object)
      IDL::traits<Takt::Activation::Life>::unchecked_narrow(object)->ping();
    else
      static_cast<void>(object->_non_existent());
    return Keeper::Pinged::alive;
  } catch (const CORBA::TIMEOUT& late) {
    return after_timeout(late, place);
  } catch (const CORBA::OBJECT_NOT_EXIST&) {
    return place.kind != PlaceKind::main_object ? Keeper::Pinged::gone
                                                : Keeper::Pinged::alive;  // another process has the port
  } catch (const CORBA::TRANSIENT&) {
    return Keeper::Pinged::gone;
  } catch (const CORBA::COMM_FAILURE&) {
    return Keeper::Pinged::gone;
  } catch (const CORBA::Exception&) {
    return Keeper::Pinged::alive;  // it answers
  }
}

// Without TLS a request that was not sent had no connection. With TLS, the server may also have been too busy
// for the handshake, or paused.
Keeper::Pinged ImplementationRepository::Made::after_timeout(const CORBA::TIMEOUT& late, const Place& place) {
  if (late.completed() != CORBA::COMPLETED_NO ||
      takes_connections(destinations.address_of(place.reference), limits.ping_timeout / 2))
    return Keeper::Pinged::unclear;
  return Keeper::Pinged::unreachable;
}

void ImplementationRepository::Made::shut_down(const Place& place, const std::string& token) {
  try {
    const auto object = within(*orb, destinations.object_at(place.reference), limits.ping_timeout);
    if (place.kind == PlaceKind::server_object)
      IDL::traits<::ImplementationRepository::ServerObject>::unchecked_narrow(object)->shutdown();
    else
      IDL::traits<Takt::Activation::Life>::unchecked_narrow(object)->shutdown(token);
  } catch (const CORBA::Exception&) {  // it is gone, or its deadline comes
  }
}

void ImplementationRepository::Made::set_servants() {
  const Refer refer_to = [this](const std::string& server, const std::string& key) {
    return refer(server, key);
  };
  const auto objects = adapter_of_keys(*orb, "TaktImr");
  reference = activate(*orb, *objects, repository_key,
                       CORBA::make_reference<RepositoryServant>(keeper, destinations, refer_to, *orb));
  destinations.set_own(reference);
  adapter->set_servant(CORBA::make_reference<Locator>(keeper, destinations, *orb));
  if (registrations != Registrations::none) take_foreign_servers(objects, refer_to);
  const auto ticket_of = [this](const std::string& server) {
    return ticket(server, keeper.token(server), 0);
  };
  const auto listed = [this](const std::string& server, bool is_there) { list(server, is_there); };
  const auto for_owner = adapter_of_keys(*owner, "TaktImr");
  activate(*owner, *for_owner, owner_key,
           CORBA::make_reference<OwnerServant>(keeper, refer_to, ticket_of, listed));
  reference_by_socket =
      activate(*owner, *for_owner, repository_key,
               CORBA::make_reference<RepositoryServant>(keeper, destinations, refer_to, *orb));
  for (const std::string& name : keeper.names()) list(name, true);
}

void ImplementationRepository::Made::take_foreign_servers(
    const CORBA::object_reference<PortableServer::POA>& objects, const Refer& refer_to) {
  activate(*orb, *objects, std::string(foreign_key),
           CORBA::make_reference<ForeignServant>(keeper, destinations, *orb, registrations, objects));
  IDL::traits<IORTable::Table>::narrow(orb->resolve_initial_references("IORTable"))
      ->set_locator(CORBA::make_reference<ForeignKeys>(keeper, refer_to, *orb));
}

std::expected<std::unique_ptr<ImplementationRepository>, std::string> ImplementationRepository::start(
    OrbRef orb, OrbRef owner, Options options) {
  if (Configuration::of(orb).get("KeyMAC") != std::vector<std::string>{"none"})
    return std::unexpected(
        "-ORBKeyMAC: servers append their keys to those of the repository, so these have no MAC");
  std::optional<Store> store;
  std::vector<StoredServer> servers;
  if (!options.store.empty()) {
    auto opened = Store::open(options.store);
    if (!opened) return std::unexpected(std::move(opened.error()));
    auto read = opened->read();
    if (!read) return std::unexpected(options.store + ": " + read.error());
    servers = std::move(*read);
    store = std::move(*opened);
  }
  auto made = std::make_unique<Made>(std::move(orb), std::move(owner), std::move(options), std::move(store),
                                     std::move(servers));
  made->set_servants();
  made->keeper.begin();
  return std::unique_ptr<ImplementationRepository>(new ImplementationRepository(std::move(made)));
}

ImplementationRepository::ImplementationRepository(std::unique_ptr<Made> parts) : parts_(std::move(parts)) {}
ImplementationRepository::~ImplementationRepository() = default;

CORBA::object_reference<Takt::Activation::Repository> ImplementationRepository::reference() const {
  return IDL::traits<Takt::Activation::Repository>::unchecked_narrow(parts_->reference);
}

Keeper& ImplementationRepository::keeper() { return parts_->keeper; }

void ImplementationRepository::stop() { parts_->keeper.end(); }

}  // namespace takt::imr
