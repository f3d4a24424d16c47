// Servant managers and adapter activators of the classic mapping, as the runtime's adapters call them.
#include <string>

#include <takt/adapter/poa.h>
#include <takt/classic/local.h>
#include <takt/classic/manager_hooks.h>

#include "classic/bridge/orb_bridge.h"
#include "classic/bridge/runtime.h"
#include "classic/bridge/servant_host.h"

namespace takt::classic {

void throw_in_runtime(const char* repository_id, std::uint32_t minor, std::uint32_t completed,
                      const char* text) {
  cdr::raise_system_exception(repository_id, minor, static_cast<CORBA::CompletionStatus>(completed), text);
}
void forward_in_runtime(Reference* to) { throw PortableServer::ForwardRequest(object_of(to)); }

namespace poa {

namespace {

namespace ps = PortableServer;
using PoaReference = CORBA::object_reference<ps::POA>;
using HostReference = CORBA::servant_reference<ps::Servant>;

// Holds the application's object.
template <class Implementation>
class Kept {
 public:
  Kept(Implementation& implementation, LocalImplementation& object)
      : implementation_(implementation), object_(object) {
    object_._takt_add_ref();
  }
  ~Kept() { object_._takt_remove_ref(); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  Implementation* operator->() const { return &implementation_; }
  LocalImplementation& object() const { return object_; }

 private:
  Implementation& implementation_;
  LocalImplementation& object_;
};

HostReference host_or_nil(classic::Servant* servant) {
  return servant ? HostReference(host_of(*servant)) : HostReference();
}
classic::Servant& servant_of(const HostReference& servant) {
  return dynamic_cast<ServantHost&>(*servant).servant();
}

class ActivatorHost final : public ps::ServantActivator {
 public:
  ActivatorHost(ActivatorImplementation& activator, LocalImplementation& object) : kept_(activator, object) {}
  LocalImplementation& object() const { return kept_.object(); }
  HostReference incarnate(const ps::ObjectId& id, PoaReference poa) override {
    return host_or_nil(kept_->_takt_incarnate(id.data(), id.size(), refer(std::move(poa))));
  }
  void etherealize(const ps::ObjectId& id, PoaReference poa, HostReference servant, bool cleanup_in_progress,
                   bool remaining_activations) override {
    kept_->_takt_etherealize(id.data(), id.size(), refer(std::move(poa)), servant_of(servant),
                             cleanup_in_progress, remaining_activations);
  }

 private:
  const Kept<ActivatorImplementation> kept_;
};

class LocatorHost final : public ps::ServantLocator {
 public:
  LocatorHost(LocatorImplementation& locator, LocalImplementation& object) : kept_(locator, object) {}
  LocalImplementation& object() const { return kept_.object(); }
  HostReference preinvoke(const ps::ObjectId& id, PoaReference poa, const std::string& operation,
                          Cookie& cookie) override {
    return host_or_nil(
        kept_->_takt_preinvoke(id.data(), id.size(), refer(std::move(poa)), operation.c_str(), cookie));
  }
  void postinvoke(const ps::ObjectId& id, PoaReference poa, const std::string& operation, Cookie cookie,
                  HostReference servant) override {
    kept_->_takt_postinvoke(id.data(), id.size(), refer(std::move(poa)), operation.c_str(), cookie,
                            servant_of(servant));
  }

 private:
  const Kept<LocatorImplementation> kept_;
};

class AdapterHost final : public ps::AdapterActivator {
 public:
  AdapterHost(AdapterImplementation& activator, LocalImplementation& object) : kept_(activator, object) {}
  LocalImplementation& object() const { return kept_.object(); }
  bool unknown_adapter(PoaReference parent, const std::string& name) override {
    return kept_->_takt_unknown_adapter(refer(std::move(parent)), name.c_str());
  }

 private:
  const Kept<AdapterImplementation> kept_;
};

ps::POA& adapter(Reference& poa) {
  if (auto* const object = dynamic_cast<ps::POA*>(poa.object().get())) return *object;
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the object is of another type");
}
// The application's object behind one of the hosts; null for nil.
template <class... Hosts>
Reference* behind(CORBA::Object* object) {
  Reference* found = nullptr;
  const auto see = [&](auto* host) {
    if (host) found = refer_to_local(host->object(), true);
  };
  (see(dynamic_cast<Hosts*>(object)), ...);
  if (object && !found)
    throw CORBA::OBJ_ADAPTER(0, CORBA::COMPLETED_NO,
                             "the adapter's manager or activator is of the IDL to C++11 mapping");
  return found;
}

}  // namespace

Reference* get_servant_manager(Reference& poa) {
  return translating(
      [&] { return behind<ActivatorHost, LocatorHost>(adapter(poa).get_servant_manager().get()); });
}
void set_servant_activator(Reference& poa, ActivatorImplementation& activator, LocalImplementation& object) {
  translating(
      [&] { adapter(poa).set_servant_manager(CORBA::make_reference<ActivatorHost>(activator, object)); });
}
void set_servant_locator(Reference& poa, LocatorImplementation& locator, LocalImplementation& object) {
  translating([&] { adapter(poa).set_servant_manager(CORBA::make_reference<LocatorHost>(locator, object)); });
}
void set_no_servant_manager(Reference& poa) {
  translating([&] { adapter(poa).set_servant_manager({}); });
}
Reference* the_activator(Reference& poa) {
  return translating([&] { return behind<AdapterHost>(adapter(poa).the_activator().get()); });
}
void set_activator(Reference& poa, AdapterImplementation* activator, LocalImplementation* object) {
  translating([&] {
    CORBA::object_reference<ps::AdapterActivator> host;
    if (activator) host = CORBA::make_reference<AdapterHost>(*activator, *object);
    adapter(poa).the_activator(std::move(host));
  });
}
std::vector<Reference*> the_children(Reference& poa) {
  return translating([&] {
    std::vector<Reference*> list;
    for (const auto& child : adapter(poa).the_children()) list.push_back(refer(child));
    return list;
  });
}
Octets adapter_id(Reference& poa) {
  return translating([&] { return adapter(poa).id(); });
}

}  // namespace poa

}  // namespace takt::classic
