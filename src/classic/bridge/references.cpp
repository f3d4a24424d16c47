// References of the classic mapping.
#include <algorithm>
#include <string>
#include <utility>

#include <takt/adapter/current.h>
#include <takt/adapter/poa.h>
#include <takt/reference/policy_manager.h>

#include "classic/bridge/memory.h"
#include "classic/bridge/orb_bridge.h"
#include "classic/bridge/runtime.h"

namespace takt::classic {

const Reference::Limited* Reference::find(std::uint32_t milliseconds) const {
  const auto found = std::ranges::find(all_, milliseconds, &Limited::milliseconds);
  return found == all_.end() ? nullptr : &*found;
}
const Reference::Limited* Reference::add(std::uint32_t milliseconds,
                                         CORBA::object_reference<CORBA::Object> object) {
  ++limits_;
  return &all_.emplace_front(milliseconds, std::move(object));
}

Reference* duplicate(Reference* reference) {
  if (reference) reference->count.fetch_add(1, std::memory_order_relaxed);
  return reference;
}
void release(Reference* reference) {
  if (reference && reference->count.fetch_sub(1, std::memory_order_acq_rel) == 1) delete reference;
}

bool is_a(Reference& reference, const char* repository_id) {
  return retries::repeat(reference, "_is_a", [&] {
    return translating([&] { return reference.object()->_is_a(repository_id); });
  });
}
bool non_existent(Reference& reference) {
  return retries::repeat(reference, "_non_existent",
                         [&] { return translating([&] { return reference.object()->_non_existent(); }); });
}
bool is_equivalent(Reference& one, Reference& other) {
  return translating([&] { return one.object()->_is_equivalent(other.object()); });
}
std::uint32_t hash(Reference& reference, std::uint32_t maximum) {
  return translating([&] { return reference.object()->_hash(maximum); });
}
std::string repository_id(Reference& reference) {
  return translating([&] { return reference.object()->_repository_id(); });
}

const char* own_class(Reference& reference) {
  CORBA::Object* const object = reference.object().get();
  if (object->_ref()) return nullptr;
  if (dynamic_cast<PortableServer::POA*>(object)) return "IDL:omg.org/PortableServer/POA:1.0";
  if (dynamic_cast<PortableServer::POAManager*>(object)) return "IDL:omg.org/PortableServer/POAManager:1.0";
  if (dynamic_cast<CORBA::PolicyCurrent*>(object)) return "IDL:omg.org/CORBA/PolicyCurrent:1.0";
  if (dynamic_cast<CORBA::PolicyManager*>(object)) return "IDL:omg.org/CORBA/PolicyManager:1.0";
  if (dynamic_cast<CORBA::Policy*>(object)) return "IDL:omg.org/CORBA/Policy:1.0";
  if (dynamic_cast<PortableServer::Current*>(object)) return "IDL:omg.org/PortableServer/Current:1.0";
  return nullptr;
}

}  // namespace takt::classic
