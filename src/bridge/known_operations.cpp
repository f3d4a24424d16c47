#include "bridge/known_operations.h"

#include <algorithm>
#include <set>

namespace takt::bridge {

namespace {

using CORBA::TCKind;
using CORBA::typecode_reference;

// Collects the valuetypes in a type and its parts, and whether it may contain references.
class TypeInspector {
 public:
  std::map<std::string, typecode_reference, std::less<>> values;

  bool refers(const std::vector<typecode_reference>& types) {
    seen_.clear();
    return any_refers(types);
  }

 private:
  bool any_refers(const std::vector<typecode_reference>& types) {
    bool any = false;
    for (const typecode_reference& type : types) any |= refers(type);
    return any;
  }

  // False for a type that was seen before: its answer counts already, or will, as types may contain each
  // other.
  bool refers(const typecode_reference& type) {
    return type && !type->_is_recursion() && seen_.insert(type.get()).second && look_into(type);
  }

  bool look_into(const typecode_reference& type) {
    const auto& parts = type->_parts();
    bool any = refers(parts.content);
    for (const auto& member : parts.members) any |= refers(member.type);
    switch (parts.kind) {
      case TCKind::tk_any:
      case TCKind::tk_objref:
      case TCKind::tk_component:
      case TCKind::tk_home:
      case TCKind::tk_abstract_interface:
        return true;
      case TCKind::tk_value:  // or a value of a derived type
      case TCKind::tk_event:
        values.try_emplace(parts.id, type->_kept());
        return true;
      case TCKind::tk_value_box:
        values.try_emplace(parts.id, type->_kept());
        return any;
      default:
        return any;
    }
  }

  std::set<const CORBA::TypeCode*> seen_;  // since refers() was asked
};

bool are_same(const OperationTypes& a, const OperationTypes& b) {
  return a.arguments == b.arguments && a.results == b.results && a.exceptions == b.exceptions;
}

constexpr const char* object_id = "IDL:omg.org/CORBA/Object:1.0";

std::vector<OperationTypes> object_operations() {
  const auto of = [](const char* name, std::vector<typecode_reference> arguments, typecode_reference result) {
    return OperationTypes{object_id, name, std::move(arguments), {std::move(result)}, {}};
  };
  using cdr::basic_typecode;
  const auto boolean = basic_typecode(TCKind::tk_boolean), text = basic_typecode(TCKind::tk_string);
  const auto object = cdr::make_named(TCKind::tk_objref, object_id, "Object");
  return {of("_is_a", {text}, boolean),   of("_non_existent", {}, boolean), of("_not_existent", {}, boolean),
          of("_repository_id", {}, text), of("_interface", {}, object),     of("_component", {}, object)};
}

}  // namespace

const typecode_reference* KnownOperations::Entry::exception(std::string_view repository_id) const {
  const auto found = std::ranges::find_if(
      types.exceptions, [&](const typecode_reference& type) { return type->_parts().id == repository_id; });
  return found == types.exceptions.end() ? nullptr : &*found;
}

KnownOperations::KnownOperations(std::vector<OperationTypes> operations) {
  if (operations.empty()) return;
  for (OperationTypes& operation : operations) add(std::move(operation));
  for (OperationTypes& operation : object_operations()) add(std::move(operation));
}

void KnownOperations::add(OperationTypes operation) {
  const auto [place, is_new] = entries_[operation.interface_id].try_emplace(operation.name);
  Entry& entry = place->second;
  if (!is_new) return;
  entry.types = std::move(operation);
  look_into(entry);
  const auto [named, is_first] = by_name_.try_emplace(entry.types.name, &entry);
  if (!is_first && named->second && !are_same(named->second->types, entry.types)) named->second = nullptr;
}

void KnownOperations::look_into(Entry& entry) {
  TypeInspector inspection;
  entry.arguments_refer = inspection.refers(entry.types.arguments);
  entry.results_refer = inspection.refers(entry.types.results);
  entry.results_refer |= inspection.refers(entry.types.exceptions);
  values_.merge(inspection.values);
}

const KnownOperations::Entry* KnownOperations::find(std::string_view interface_id,
                                                    std::string_view name) const {
  if (const auto interface = entries_.find(interface_id); interface != entries_.end())
    if (const auto found = interface->second.find(name); found != interface->second.end())
      return &found->second;
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

const typecode_reference* KnownOperations::value(std::string_view repository_id) const {
  const auto found = values_.find(repository_id);
  return found == values_.end() ? nullptr : &found->second;
}

}  // namespace takt::bridge
