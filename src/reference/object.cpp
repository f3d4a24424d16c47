#include <takt/reference/object.h>

#include <algorithm>

#include "reference/object_ref.h"
#include "reference/references.h"

namespace takt::reference {

void throw_nil_reference() {
  throw CORBA::INV_OBJREF(0, CORBA::COMPLETED_NO,
                          "an operation was called on a nil object reference, as narrow() gives it for an "
                          "object of another type; test the reference first");
}

namespace {

// FNV-1a over the fields that _is_equivalent compares.
std::uint32_t hash_of(const cdr::Ior& ior) {
  std::uint32_t hash = 2166136261u;
  for (const auto& profile : ior.profiles)
    for (const std::uint8_t octet : profile.data) hash = (hash ^ octet) * 16777619u;
  return hash;
}

bool same_profiles(const cdr::Ior& a, const cdr::Ior& b) {
  return std::equal(a.profiles.begin(), a.profiles.end(), b.profiles.begin(), b.profiles.end(),
                    [](const auto& x, const auto& y) { return x.tag == y.tag && x.data == y.data; });
}

}  // namespace
}  // namespace takt::reference

namespace CORBA {

using takt::reference::reference_of;

Object::~Object() = default;

const std::string& Object::_interface_repository_id() {
  static const std::string id = "IDL:omg.org/CORBA/Object:1.0";
  return id;
}

bool Object::_is_a_local(const std::string& repository_id) const {
  return repository_id == _interface_repository_id();
}

bool Object::_is_a(const std::string& repository_id) {
  if (_is_a_local(repository_id)) return true;
  const auto& ref = reference_of(*this);
  return repository_id == ref.ior().type_id || ref.references()->operations->is_a(*this, repository_id);
}

bool Object::_non_existent() { return reference_of(*this).references()->operations->non_existent(*this); }

std::string Object::_repository_id() {
  return reference_of(*this).references()->operations->repository_id(*this);
}

object_reference<Object> Object::_get_component() {
  return reference_of(*this).references()->operations->component(*this);
}

object_reference<ORB> Object::_get_orb() { return reference_of(*this).references()->orb(); }

bool Object::_is_equivalent(const object_reference<Object>& other) {
  if (!other) return false;
  if (other.get() == this || other->_ref() == _ref()) return other.get() == this || _ref() != nullptr;
  return _ref() && other->_ref() && takt::reference::same_profiles(_ref()->ior(), other->_ref()->ior());
}

std::uint32_t Object::_hash(std::uint32_t maximum) {
  if (maximum == 0) return 0;
  const auto hash = _ref() ? takt::reference::hash_of(_ref()->ior())
                           : static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(this) >> 4);
  return hash % maximum;
}

std::string LocalObject::_repository_id() { return _interface_repository_id(); }

}  // namespace CORBA
