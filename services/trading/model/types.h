// The types of services: their properties, and the types that they extend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "CosTradingReposC.h"

namespace takt::trading {

using TypeRepository = CosTradingRepos::ServiceTypeRepository;
using PropertyType = TypeRepository::PropStruct;
using PropertyMode = TypeRepository::PropertyMode;
using Incarnation = std::uint64_t;

// The interface that every object has.
inline constexpr const char* any_object = "IDL:omg.org/CORBA/Object:1.0";

inline bool is_readonly(PropertyMode mode) {
  return mode == PropertyMode::PROP_READONLY || mode == PropertyMode::PROP_MANDATORY_READONLY;
}
inline bool is_mandatory(PropertyMode mode) {
  return mode == PropertyMode::PROP_MANDATORY || mode == PropertyMode::PROP_MANDATORY_READONLY;
}

TypeRepository::IncarnationNumber idl_of(Incarnation number);
Incarnation incarnation_of(const TypeRepository::IncarnationNumber& number);

// Immutable; a changed type is a new object.
struct ServiceType {
  std::string name;
  TypeRepository::TypeStruct own;        // as it was added
  std::vector<PropertyType> properties;  // with those that it inherits, strongest mode, by name
  std::vector<std::string> ancestors;    // all types that it extends, by name

  // Null if the type does not have it.
  const PropertyType* property(const std::string& name) const;
  Incarnation incarnation() const { return incarnation_of(own.incarnation()); }
};
using TypePtr = std::shared_ptr<const ServiceType>;

// Not thread-safe.
class TypeBook {
 public:
  // Null if there is none.
  TypePtr find(const std::string& name) const;
  const std::map<std::string, TypePtr>& all() const { return types_; }
  std::size_t size() const { return types_.size(); }
  // The types that extend it, directly or not, by name.
  std::vector<std::string> descendants(const std::string& name) const;
  // The type with what it inherits. Its supertypes must be there; properties that contradict those are the
  // caller's to refuse.
  TypePtr made(std::string name, TypeRepository::TypeStruct own) const;
  // Adds it, or replaces the one with the name. Its supertypes must be there.
  void put(TypePtr type);
  // Nothing extends it.
  void remove(const std::string& name);

  // The incarnation of the type that was added last.
  Incarnation incarnation() const { return incarnation_; }
  void set_incarnation(Incarnation number) { incarnation_ = number; }

 private:
  std::map<std::string, TypePtr> types_;
  std::map<std::string, std::vector<std::string>> direct_;  // the types that extend a type directly
  Incarnation incarnation_ = 0;
};

}  // namespace takt::trading
