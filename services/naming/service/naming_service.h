// A naming service: opens the store and serves the root context.
//
//   const auto service = takt::naming::NamingService::start(orb, {.store = "names.db"});
//   if (!service) std::cerr << service.error();
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>

#include <takt/orb/orb.h>

#include "CosNamingC.h"
#include "naming/import/import.h"
#include "naming/model/limits.h"
#include "naming/model/tree.h"
#include "naming/model/tree_mutex.h"
#include "naming/store/committer.h"

namespace takt::naming {

// Thread-safe. The ORB must be shut down before this object is destroyed.
class NamingService {
 public:
  // Fills the tree, and keeps it from then on. The tree and the mutex outlive the result. Fails with the
  // reason.
  using Keeper = std::function<std::expected<std::unique_ptr<Changes>, std::string>(Tree&, TreeMutex&)>;

  struct Options {
    // The SQLite file; empty: names are lost when this object is destroyed.
    std::string store{};
    // Makes what carries out changes, instead of a store and `report`: for example a cluster's
    // (naming_cluster).
    Keeper keeper{};
    const ImportedNames* imported = nullptr;  // names to import before requests are served
    Limits limits{};
    Committer::Report report{};
  };

  // Reads the store and creates the POAs "NamingContexts", "NamingIterators" and "NamingState" below the root
  // POA. Registers the root context under the object key and the initial reference "NameService", and the
  // state for operators under the key "TaktNaming". References to contexts
  // stay valid after a restart at the same address. Requests are held until the root POA's manager is active.
  // Returns the reason on failure.
  static std::expected<std::unique_ptr<NamingService>, std::string> start(
      CORBA::object_reference<CORBA::ORB> orb, Options options);
  NamingService(const NamingService&) = delete;
  NamingService& operator=(const NamingService&) = delete;
  ~NamingService();

  CORBA::object_reference<CosNaming::NamingContextExt> root() const;
  ImportCounts imported() const;
  std::uint64_t bindings() const;
  std::uint64_t contexts() const;
  std::size_t iterators() const;

 private:
  struct Parts;
  explicit NamingService(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
};

}  // namespace takt::naming
