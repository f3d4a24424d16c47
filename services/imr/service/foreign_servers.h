// Servers of TAO and JacORB: they register by TAO's interface, and the keys of their objects are their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <takt/orb/ior_table.h>

#include "ImplementationRepositoryS.h"
#include "imr/service/foreign_lists.h"
#include "imr/service/keeper.h"
#include "imr/service/registrations.h"
#include "imr/service/servants.h"

namespace takt::imr {

// The server's name in the repository for that which it registers by. JacORB's servers: "JACORB:NAME/POA";
// TAO's: "POA", or "ID:POA" with -ORBServerId.
std::string_view name_of_foreign(std::string_view registered);

// The name of the server that has made the object key, which begins with "NAME/" if it is of JacORB; empty if
// it does not.
std::string_view name_in_jacorb_key(std::string_view key);

// Whether an object key is of TAO, and no longer than those are.
bool is_tao_key(std::string_view key);
// The server among `names` that has made the key of TAO, which has the name of the POA in it. The longest
// counts.
std::optional<std::string> name_in_tao_key(std::string_view key, const std::vector<std::string>& names);

// The object with the key "ImplRepoService". Any thread. A registration has no secret, so it is taken from
// where `from` says: a process of this user that listens on this machine, or any. What only the owner may do
// is refused.
class ForeignServant final
    : public virtual CORBA::servant_traits<::ImplementationRepository::Locator>::base_type {
 public:
  // `adapter` has the iterators of lists.
  ForeignServant(Keeper& keeper, Destinations& destinations, CORBA::ORB& orb, Registrations from,
                 CORBA::object_reference<PortableServer::POA> adapter)
      : keeper_(keeper), destinations_(destinations), orb_(orb), from_(from), lists_(std::move(adapter)) {}

  void activate_server(const std::string& server) override;
  void add_or_update_server(const std::string& server,
                            const ::ImplementationRepository::StartupOptions& options) override;
  void remove_server(const std::string& server) override;
  void shutdown_server(const std::string& server) override;
  // Answers at once if the process has registered before: each of its adapters registers.
  void server_is_running(
      const std::string& server, const std::string& partial_ior,
      CORBA::object_reference<::ImplementationRepository::ServerObject> server_object) override;
  // Has no effect, since anyone could say so: the end of a process that was started here is noticed, and
  // others are pinged before a client is forwarded.
  void server_is_shutting_down(const std::string& server) override;
  // These two tell no commands and environments. A server that runs is not pinged: it may be active.
  void find(const std::string& server, ::ImplementationRepository::ServerInformation& info) override;
  void list(std::uint32_t how_many, bool determine_active_status,
            ::ImplementationRepository::ServerInformationList& server_list,
            CORBA::object_reference<::ImplementationRepository::ServerInformationIterator>& server_iterator)
      override;
  void shutdown(bool activators, bool servers) override;

 private:
  bool has_place(const std::string& server, const std::string& address);
  // NO_PERMISSION for an address that no server may have.
  void require_address(const CORBA::object_reference<CORBA::Object>& object,
                       const std::string& address) const;
  std::string reference_from(const CORBA::object_reference<CORBA::Object>& object) const;

  Keeper& keeper_;
  Destinations& destinations_;
  CORBA::ORB& orb_;
  const Registrations from_;
  ForeignLists lists_;
};

// Leads keys of servers of other ORBs to the locator's objects.
class ForeignKeys final : public virtual IORTable::Locator {
 public:
  ForeignKeys(Keeper& keeper, Refer refer, CORBA::ORB& orb)
      : keeper_(keeper), refer_(std::move(refer)), orb_(orb) {}
  std::string locate(const std::string& object_key) override;

 private:
  Keeper& keeper_;
  const Refer refer_;
  CORBA::ORB& orb_;
};

}  // namespace takt::imr
