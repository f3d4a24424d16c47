// An implementation repository: starts servers when they are called, and forwards their clients.
//
//   const auto repository = takt::imr::ImplementationRepository::start(orb, owner_orb, {.store = "imr.db"});
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <takt/orb/orb.h>

#include "Takt_ActivationC.h"
#include "imr/service/keeper.h"
#include "imr/service/registrations.h"

namespace takt::imr {

// Thread-safe. Before it is destroyed, both ORBs must be shut down, after stop().
class ImplementationRepository {
 public:
  using OrbRef = CORBA::object_reference<CORBA::ORB>;
  struct Options {
    // The SQLite file; empty: servers are known as long as this object.
    std::string store{};
    Limits limits{};
    Registrations registrations = Registrations::local;
    Keeper::Report report{};  // may be empty
  };

  // `orb` serves clients and servers: it has the object with the key "TaktImr", and each server's main object
  // under its name; unless nothing may register so, also the one with the key "ImplRepoService", for servers
  // of other ORBs, and those servers' own keys. `owner` has the object "TaktImrOwner", and should listen at a
  // UNIX-domain socket only. Its own calls, to servers, are those of `orb`: set -ORBClientConnections cached.
  // Requests are held until the root POA's manager is active. Starts the servers of mode automatic. Returns
  // the reason on failure.
  static std::expected<std::unique_ptr<ImplementationRepository>, std::string> start(OrbRef orb, OrbRef owner,
                                                                                     Options options);
  ImplementationRepository(const ImplementationRepository&) = delete;
  ImplementationRepository& operator=(const ImplementationRepository&) = delete;
  ~ImplementationRepository();

  CORBA::object_reference<Takt::Activation::Repository> reference() const;
  Keeper& keeper();
  // Refuses the requests that wait, and starts no more servers. Those that run keep running.
  void stop();

 private:
  struct Made;
  explicit ImplementationRepository(std::unique_ptr<Made> parts);

  const std::unique_ptr<Made> parts_;
};

}  // namespace takt::imr
