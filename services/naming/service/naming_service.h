// A naming service: open the store, serve the root context.
//
//   const auto service = takt::naming::NamingService::start(orb, {.store = "names.db"});
//   if (!service) std::cerr << service.error();
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include <takt/orb/orb.h>

#include "CosNamingC.h"
#include "naming/import/import.h"
#include "naming/model/limits.h"
#include "naming/model/tree.h"
#include "naming/store/committer.h"

namespace takt::naming {

// Any thread. The ORB is shut down before this ends.
class NamingService {
 public:
  struct Options {
    std::string store;                        // the SQLite file; empty: names last as long as this
    const ImportedNames* imported = nullptr;  // names to take over before requests are served
    Limits limits{};
    Committer::Told told{};
  };

  // Reads the store, makes POAs called "NamingContexts" and "NamingIterators" below the root POA, and
  // answers for the object keys "NameService" and, as initial reference, "NameService". References to
  // contexts stay valid after a restart at the same address. Requests are held until the root POA's manager
  // is active. The reason where it cannot.
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
