// Answers requests for objects of all servers: forwards their clients to the servers.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>

#include <takt/corba.h>

#include "imr/service/keeper.h"

namespace takt::imr {

// Octets of a key that the locator takes. Requests with longer ones raise IMP_LIMIT.
inline constexpr std::size_t longest_key = 4096;

// The id of a server's object in the locator's adapter: the name, an octet 0, and the key that the server has
// given the object; without a key, it is the server's main object.
PortableServer::ObjectId id_in_locator(const std::string& server, const std::string& key);

// Finds the objects in places. Any thread.
class Destinations {
 public:
  explicit Destinations(CORBA::ORB& orb) : orb_(orb) {}

  // Throws system exceptions for references that the ORB does not understand.
  CORBA::object_reference<CORBA::Object> find(const Place& place, const std::string& server,
                                              const std::string& key);
  CORBA::object_reference<CORBA::Object> object_at(const std::string& reference);
  // "HOST:PORT"; empty if this ORB understands no address of the reference.
  std::string address_of(const std::string& reference);

  // The repository's own object. Clients that were forwarded to it would come back for ever.
  void set_own(const CORBA::object_reference<CORBA::Object>& own);
  bool leads_here(const CORBA::object_reference<CORBA::Object>& object);

 private:
  CORBA::ORB& orb_;
  std::mutex mutex_;
  std::string last_text_;  // requests that have waited together go to one place
  CORBA::object_reference<CORBA::Object> last_;
  std::string own_address_;
};

// The default servant of the adapter of all these objects. A request that waits occupies no thread.
class Locator final : public virtual PortableServer::Servant {
 public:
  Locator(Keeper& keeper, Destinations& destinations, CORBA::ORB& orb);
  bool _dispatch(server::ServerCall& call) override;

 private:
  Keeper& keeper_;
  Destinations& destinations_;
  const CORBA::object_reference<PortableServer::Current> current_;
};

}  // namespace takt::imr
