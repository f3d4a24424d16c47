// Servant managers and adapter activators of the classic mapping.
#include <takt/classic/servant_manager.h>

#include <cstring>

#include "classic/bridge/orb_bridge.h"
#include "classic/mapping/for_runtime.h"
#include "classic/mapping/object_ids.h"

namespace PortableServer {
inline namespace takt_classic_ {

namespace bridge = takt::classic::poa;
using takt::classic::asked;
using takt::classic::for_runtime;
using takt::classic::make_object;
using takt::classic::Proxies;

void ForwardRequest::_raise() const { throw *this; }
const char* ForwardRequest::_name() const { return "ForwardRequest"; }
const char* ForwardRequest::_rep_id() const { return "IDL:omg.org/PortableServer/ForwardRequest:1.0"; }

#define TAKT_CLASSIC_DEFINE(NAME, BASE)                                                        \
  const char* const NAME::_PD_repoId = "IDL:omg.org/PortableServer/" #NAME ":1.0";             \
  bool NAME::_takt_has_type(const char* repository_id) const {                                 \
    return std::strcmp(repository_id, _PD_repoId) == 0 || BASE::_takt_has_type(repository_id); \
  }
TAKT_CLASSIC_DEFINE(ServantManager, LocalObject)
TAKT_CLASSIC_DEFINE(ServantActivator, ServantManager)
TAKT_CLASSIC_DEFINE(ServantLocator, ServantManager)
TAKT_CLASSIC_DEFINE(AdapterActivator, LocalObject)
#undef TAKT_CLASSIC_DEFINE

namespace {

struct NilManager final : ServantManager {
  NilManager() : LocalObject(takt::classic::Nil()) {}
};
struct NilActivator final : ServantActivator {
  NilActivator() : LocalObject(takt::classic::Nil()) {}
  Servant incarnate(const ObjectId&, POA_ptr) override { takt::classic::raise_nil(); }
  void etherealize(const ObjectId&, POA_ptr, Servant, CORBA::Boolean, CORBA::Boolean) override {
    takt::classic::raise_nil();
  }
};
struct NilLocator final : ServantLocator {
  NilLocator() : LocalObject(takt::classic::Nil()) {}
  Servant preinvoke(const ObjectId&, POA_ptr, const char*, Cookie&) override { takt::classic::raise_nil(); }
  void postinvoke(const ObjectId&, POA_ptr, const char*, Cookie, Servant) override {
    takt::classic::raise_nil();
  }
};
struct NilAdapterActivator final : AdapterActivator {
  NilAdapterActivator() : LocalObject(takt::classic::Nil()) {}
  CORBA::Boolean unknown_adapter(POA_ptr, const char*) override { takt::classic::raise_nil(); }
};

}  // namespace

// Never destroyed: other static objects refer to them.
ServantManager_ptr ServantManager::_nil() {
  static ServantManager* const nil = new NilManager;
  return nil;
}
ServantActivator_ptr ServantActivator::_nil() {
  static ServantActivator* const nil = new NilActivator;
  return nil;
}
ServantLocator_ptr ServantLocator::_nil() {
  static ServantLocator* const nil = new NilLocator;
  return nil;
}
AdapterActivator_ptr AdapterActivator::_nil() {
  static AdapterActivator* const nil = new NilAdapterActivator;
  return nil;
}

takt::classic::Servant* ServantActivator::_takt_incarnate(const unsigned char* id, std::size_t length,
                                                          takt::classic::Reference* poa) {
  const POA_var adapter = Proxies<POA>::make(poa);
  const ObjectId_var object = new_id(id, length);
  return for_runtime([&]() -> takt::classic::Servant* { return incarnate(object.in(), adapter.in()); });
}
void ServantActivator::_takt_etherealize(const unsigned char* id, std::size_t length,
                                         takt::classic::Reference* poa, takt::classic::Servant& servant,
                                         bool cleanup_in_progress, bool remaining_activations) {
  const POA_var adapter = Proxies<POA>::make(poa);
  const ObjectId_var object = new_id(id, length);
  for_runtime([&] {
    etherealize(object.in(), adapter.in(), static_cast<ServantBase*>(&servant), cleanup_in_progress,
                remaining_activations);
  });
}
takt::classic::Servant* ServantLocator::_takt_preinvoke(const unsigned char* id, std::size_t length,
                                                        takt::classic::Reference* poa, const char* operation,
                                                        void*& cookie) {
  const POA_var adapter = Proxies<POA>::make(poa);
  const ObjectId_var object = new_id(id, length);
  return for_runtime(
      [&]() -> takt::classic::Servant* { return preinvoke(object.in(), adapter.in(), operation, cookie); });
}
void ServantLocator::_takt_postinvoke(const unsigned char* id, std::size_t length,
                                      takt::classic::Reference* poa, const char* operation, void* cookie,
                                      takt::classic::Servant& servant) {
  const POA_var adapter = Proxies<POA>::make(poa);
  const ObjectId_var object = new_id(id, length);
  for_runtime(
      [&] { postinvoke(object.in(), adapter.in(), operation, cookie, static_cast<ServantBase*>(&servant)); });
}
bool AdapterActivator::_takt_unknown_adapter(takt::classic::Reference* parent, const char* name) {
  const POA_var adapter = Proxies<POA>::make(parent);
  return for_runtime([&]() -> bool { return unknown_adapter(adapter.in(), name); });
}

ServantManager_ptr POA::get_servant_manager() {
  const CORBA::Object_var manager = make_object(bridge::get_servant_manager(asked(*this)));
  return ServantManager::_narrow(manager.in());
}
void POA::set_servant_manager(ServantManager_ptr manager) {
  if (CORBA::is_nil(manager)) return bridge::set_no_servant_manager(asked(*this));
  if (auto* const activator = dynamic_cast<ServantActivator*>(manager))
    return bridge::set_servant_activator(asked(*this), *activator, *activator);
  if (auto* const locator = dynamic_cast<ServantLocator*>(manager))
    return bridge::set_servant_locator(asked(*this), *locator, *locator);
  takt::classic::raise_system("IDL:omg.org/CORBA/OBJ_ADAPTER:1.0", 0x4f4d0004, CORBA::COMPLETED_NO,
                              "the servant manager is neither a ServantActivator nor a ServantLocator");
}
AdapterActivator_ptr POA::the_activator() {
  const CORBA::Object_var activator = make_object(bridge::the_activator(asked(*this)));
  return AdapterActivator::_narrow(activator.in());
}
void POA::the_activator(AdapterActivator_ptr activator) {
  if (CORBA::is_nil(activator)) return bridge::set_activator(asked(*this), nullptr, nullptr);
  bridge::set_activator(asked(*this), activator, activator);
}
POAList* POA::the_children() {
  const std::vector<takt::classic::Reference*> children = bridge::the_children(asked(*this));
  POAList_var list = new POAList;
  list->length(static_cast<CORBA::ULong>(children.size()));
  for (CORBA::ULong i = 0; i < children.size(); ++i) list[i] = Proxies<POA>::make(children[i]);
  return list._retn();
}
CORBA::OctetSeq* POA::id() {
  const takt::classic::Octets octets = bridge::adapter_id(asked(*this));
  CORBA::OctetSeq* const id = new CORBA::OctetSeq;
  id->length(static_cast<CORBA::ULong>(octets.size()));
  for (CORBA::ULong i = 0; i < octets.size(); ++i) (*id)[i] = octets[i];
  return id;
}

}  // namespace takt_classic_
}  // namespace PortableServer
