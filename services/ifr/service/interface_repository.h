// An interface repository: opens the store and serves the standard's CORBA::Repository.
//
//   const auto repository = takt::ifr::InterfaceRepository::start(orb, {.store = "ifr.db"});
//   if (!repository) std::cerr << repository.error();
#pragma once

#include <expected>
#include <memory>
#include <string>

#include <takt/orb/orb.h>

#include "Takt_ReflectionC.h"
#include "ifr/model/limits.h"

namespace takt::ifr {

// Thread-safe. The ORB must be shut down before this object is destroyed.
class InterfaceRepository {
 public:
  struct Options {
    std::string store;  // the SQLite file; empty: in memory
    Limits limits{};
  };

  // Opens the store and creates the POA "InterfaceRepository" below the root POA. Registers the repository
  // under the object key and the initial reference "InterfaceRepository". References stay valid after a
  // restart at the same address. Requests are held until the root POA's manager is active. Returns the reason
  // on failure.
  static std::expected<std::unique_ptr<InterfaceRepository>, std::string> start(
      CORBA::object_reference<CORBA::ORB> orb, const Options& options);
  InterfaceRepository(const InterfaceRepository&) = delete;
  InterfaceRepository& operator=(const InterfaceRepository&) = delete;
  ~InterfaceRepository();

  CORBA::object_reference<Takt::Reflection::Repository> reference() const;

 private:
  struct Parts;
  explicit InterfaceRepository(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
};

}  // namespace takt::ifr
