// A client of interface repositories.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "Takt_ReflectionC.h"
#include "ifr/service/interface_repository.h"
#include "ior/calls.h"

namespace takt::command {

namespace R = Takt::Reflection;

// A definition, as lists show it.
struct Listed {
  R::DefinitionKind kind = R::DefinitionKind::dk_none;
  std::string name;  // "::M::I"
  std::string id;
};

// By repository id, or by name with or without the first "::". Throws a Failure that names the nearest.
CORBA::object_reference<R::Contained> find_definition(R::Repository& repository,
                                                      const std::string& name_or_id);

// The repository at a reference; or the one in a store, which this process then serves to itself.
class RepositoryClient {
 public:
  using ContainedRef = CORBA::object_reference<R::Contained>;

  // `reference`: as for takt call; empty: the store. Throws a Failure.
  RepositoryClient(const std::string& reference, const std::string& store, std::chrono::nanoseconds timeout,
                   const std::vector<std::string>& orb_options);
  ~RepositoryClient();
  RepositoryClient(const RepositoryClient&) = delete;
  RepositoryClient& operator=(const RepositoryClient&) = delete;

  const CORBA::object_reference<R::Repository>& repository() const { return repository_; }
  ContainedRef find(const std::string& name_or_id) const { return find_definition(*repository_, name_or_id); }
  // The contents of a scope, or of the repository if `scope` is nil.
  std::vector<Listed> list(const ContainedRef& scope, bool recursive) const;

 private:
  CORBA::object_reference<R::Container> container_of(const ContainedRef& scope) const;

  std::unique_ptr<ClientOrb> orb_;
  std::unique_ptr<ifr::InterfaceRepository> own_;
  CORBA::object_reference<R::Repository> repository_;
};

// "interface", "value box"
std::string word_for(R::DefinitionKind kind);

}  // namespace takt::command
