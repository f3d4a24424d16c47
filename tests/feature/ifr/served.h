// An interface repository in this process, and its client over the wire.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include <takt/corba.h>

#include "../folder.h"
#include "../orb_pair.h"
#include "Takt_ReflectionS.h"
#include "ifr/load.h"
#include "ifr/service/interface_repository.h"

namespace feature {

namespace R = Takt::Reflection;
using Kind = R::DefinitionKind;
template <class T>
using Ref = CORBA::object_reference<T>;

// The number of definitions that are new; a refusal's text is thrown.
inline takt::command::LoadCounts loaded(const std::string& store, const std::string& file) {
  auto opened = takt::ifr::Store::open(store);
  if (!opened) throw std::runtime_error(opened.error());
  const auto counts = takt::command::load_idl(*opened, {file}, {});
  if (!counts) throw std::runtime_error(counts.error());
  return *counts;
}

// The same of IDL in a text.
inline takt::command::LoadCounts loaded_text(const Folder& folder, const std::string& idl) {
  const std::string file = folder / "text.idl";
  std::ofstream(file) << idl;
  return loaded(folder / "ifr.db", file);
}

// The number of definitions in a store.
inline std::uint64_t count_in(const std::string& path) {
  auto store = takt::ifr::Store::open(path);
  if (!store) throw std::runtime_error(store.error());
  const takt::ifr::Store::Transaction transaction(*store, takt::ifr::Store::Access::read);
  return store->count();
}

class IfrServer : private OrbPair {
 public:
  explicit IfrServer(const std::string& store = {}, const takt::ifr::Limits& limits = {})
      : OrbPair({}, {"-ORBRoundTripTimeout", "20s"}, "iiop://127.0.0.1:0", Server::serves_by_its_own_threads),
        service(started(server, store, limits)),
        repository(seen_by_client<R::Repository>(service->reference())) {}
  ~IfrServer() { stop_server(); }  // before the service ends

  CORBA::ORB& client() { return *OrbPair::client; }
  template <class T>
  Ref<T> find(const std::string& name) {
    auto found = IDL::traits<T>::narrow(repository->lookup(name));
    if (!found) throw std::runtime_error("no " + name + " of this kind");
    return found;
  }
  // The client's reference to an object with this id in the repository's adapter, which may have none.
  template <class T>
  Ref<T> with_object_id(const std::string& id) {
    const auto adapter = root->find_POA("InterfaceRepository", false);
    const auto object =
        adapter->create_reference_with_id({id.begin(), id.end()}, "IDL:omg.org/CORBA/IRObject:1.0");
    return IDL::traits<T>::unchecked_narrow(client().string_to_object(server->object_to_string(object)));
  }
  Ref<R::IDLType> primitive(R::PrimitiveKind kind) { return repository->get_primitive(kind); }
  Ref<R::IDLType> a_long() { return primitive(R::PrimitiveKind::pk_long); }

  const std::unique_ptr<takt::ifr::InterfaceRepository> service;
  const Ref<R::Repository> repository;

 private:
  static std::unique_ptr<takt::ifr::InterfaceRepository> started(const Orb& orb, const std::string& store,
                                                                 const takt::ifr::Limits& limits) {
    auto started = takt::ifr::InterfaceRepository::start(orb, {.store = store, .limits = limits});
    if (!started) throw std::runtime_error(started.error());
    return std::move(*started);
  }
};

// "BAD_PARAM 3": the exception and the OMG's minor code of a call.
inline std::string exception_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const CORBA::SystemException& failure) {
    const bool is_omg = (failure.minor() & 0xfffff000u) == 0x4f4d0000u;
    return std::string(failure._name()) + ' ' +
           std::to_string(is_omg ? failure.minor() & 0xfff : failure.minor());
  }
  return "nothing";
}

}  // namespace feature
