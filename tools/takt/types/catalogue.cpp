#include "types/catalogue.h"

#include <algorithm>
#include <utility>

#include <takt/cdr/mapping/type_code.h>

#include "syntax/preprocessor.h"
#include "syntax/reading.h"
#include "types/idl_types.h"

namespace takt::command {
namespace {

std::string without_colons(std::string name) { return name.starts_with("::") ? name.substr(2) : name; }

class CatalogueMaker {
 public:
  CatalogueMaker(const idl::Unit& unit, Catalogue& into) : unit_(unit), into_(into) {}

  void add() { add_from(unit_.root); }

 private:
  using Kind = idl::DeclarationKind;

  void add_from(const idl::Declaration& scope) {
    for (const idl::Declaration* inner : scope.contents) {
      switch (inner->kind) {
        case Kind::module_:
          add_from(*inner);
          break;
        case Kind::interface_:
          if (!inner->is_local) add_interface(*inner);
          add_from(*inner);
          break;
        case Kind::struct_:
        case Kind::union_:
        case Kind::exception:
        case Kind::value:
        case Kind::event:
          add_type(*inner);
          add_from(*inner);
          break;
        case Kind::value_box:
        case Kind::enum_:
        case Kind::typedef_:
          add_type(*inner);
          break;
        default:
          break;
      }
    }
  }

  void add_type(const idl::Declaration& declaration) {
    if (declaration.is_local) return;
    const auto type = types_.of(declaration);
    into_.types.emplace(declaration.repository_id, type);
    into_.types.emplace(without_colons(declaration.scoped_name()), type);
  }

  void add_interface(const idl::Declaration& declaration) {
    if (into_.find(declaration.repository_id)) return;
    Interface interface{declaration.repository_id, without_colons(declaration.scoped_name()), {}};
    for (const idl::Declaration* one : unit_.all_operations(declaration)) {
      if (one->kind == Kind::operation)
        add_operation(interface, *one);
      else
        add_attribute(interface, *one);
    }
    into_.interfaces.push_back(std::move(interface));
  }

  void add_operation(Interface& interface, const idl::Declaration& one) {
    Operation& operation = begin(interface, one.name, one.raises);
    operation.is_oneway = one.is_oneway;
    operation.has_contexts = !one.contexts.empty();
    if (one.type) operation.result = types_.of(*one.type);
    for (const auto& parameter : one.parameters) {
      using From = idl::Declaration::Direction;
      const Direction direction = parameter.direction == From::in    ? Direction::in
                                  : parameter.direction == From::out ? Direction::out
                                                                     : Direction::inout;
      operation.parameters.push_back({parameter.name, direction, types_.of(*parameter.type)});
    }
  }

  void add_attribute(Interface& interface, const idl::Declaration& one) {
    const auto type = types_.of(*one.type);
    begin(interface, "_get_" + one.name, one.raises).result = type;
    if (!one.is_readonly)
      begin(interface, "_set_" + one.name, one.set_raises)
          .parameters.push_back({"value", Direction::in, type});
  }

  Operation& begin(Interface& interface, std::string name, const std::vector<idl::Declaration*>& raises) {
    Operation& operation = interface.operations.emplace_back();
    operation.name = std::move(name);
    operation.result = cdr::basic_typecode(CORBA::TCKind::tk_void);
    for (const idl::Declaration* each : raises) operation.exceptions.push_back(types_.of(defined(*each)));
    return operation;
  }

  const idl::Unit& unit_;
  Catalogue& into_;
  IdlTypes types_;
};

}  // namespace

const Operation* Interface::find(std::string_view operation) const {
  const auto place = std::ranges::find(operations, operation, &Operation::name);
  return place == operations.end() ? nullptr : &*place;
}

const Interface* Catalogue::find(std::string_view interface) const {
  if (interface.starts_with("::")) interface.remove_prefix(2);
  const auto place = std::ranges::find_if(
      interfaces, [&](const Interface& each) { return each.id == interface || each.name == interface; });
  return place == interfaces.end() ? nullptr : &*place;
}

CORBA::typecode_reference Catalogue::type_named(const std::string& name) const {
  const auto place = types.find(without_colons(name));
  return place == types.end() ? CORBA::typecode_reference() : place->second;
}

std::expected<Catalogue, std::string> catalogue_of_idl(const std::vector<std::string>& files,
                                                       const std::vector<std::string>& include_folders) {
  Catalogue catalogue;
  for (const std::string& file : files) {
    const auto unit = idl::read_unit(idl::own_or_installed_idl(file), {include_folders, {}, {}});
    if (!unit) return std::unexpected(unit.error());
    CatalogueMaker(**unit, catalogue).add();
  }
  return catalogue;
}

std::string spoken_name(std::string_view operation) {
  if (operation.starts_with("_get_")) return std::string(operation.substr(5));
  if (operation.starts_with("_set_")) return std::string(operation.substr(5)) + '=';
  return std::string(operation);
}

}  // namespace takt::command
