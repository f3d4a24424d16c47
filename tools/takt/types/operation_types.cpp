#include "types/operation_types.h"

#include <algorithm>
#include <utility>

#include <takt/cdr/mapping/type_code.h>

#include "syntax/preprocessor.h"
#include "syntax/reading.h"
#include "types/idl_types.h"

namespace takt::command {
namespace {

using CORBA::TCKind;
using idl::Declaration;
using idl::DeclarationKind;
using idl::TypeKind;

class Operations {
 public:
  explicit Operations(const idl::Unit& unit) : unit_(unit) {}

  std::vector<OperationTypes> all() {
    add_from(unit_.root);
    return std::move(found_);
  }

 private:
  using Direction = Declaration::Direction;

  void add_from(const Declaration& scope) {
    for (const Declaration* inner : scope.contents)
      if (inner->kind == DeclarationKind::module_)
        add_from(*inner);
      else if (inner->kind == DeclarationKind::interface_ && !inner->is_local)
        for (const Declaration* one : unit_.all_operations(*inner)) add(*inner, *one);
  }

  void add(const Declaration& interface, const Declaration& one) {
    if (one.kind == DeclarationKind::operation) {
      put(interface, one.name, one);
      return;
    }
    OperationTypes& get = begin(interface, "_get_" + one.name, one.raises);
    get.results.push_back(types_.of(*one.type));
    if (one.is_readonly) return;
    OperationTypes& set = begin(interface, "_set_" + one.name, one.set_raises);
    set.arguments.push_back(types_.of(*one.type));
  }

  void put(const Declaration& interface, const std::string& name, const Declaration& operation) {
    OperationTypes& types = begin(interface, name, operation.raises);
    if (operation.type && operation.type->kind != TypeKind::void_)
      types.results.push_back(types_.of(*operation.type));
    for (const auto& parameter : operation.parameters) {
      const auto type = types_.of(*parameter.type);
      if (parameter.direction != Direction::out) types.arguments.push_back(type);
      if (parameter.direction != Direction::in) types.results.push_back(type);
    }
    if (!operation.contexts.empty())
      types.arguments.push_back(cdr::sequence_typecode(cdr::basic_typecode(TCKind::tk_string)));
  }

  OperationTypes& begin(const Declaration& interface, std::string name,
                        const std::vector<Declaration*>& raises) {
    OperationTypes types{interface.repository_id, std::move(name), {}, {}, {}};
    for (const Declaration* exception : raises) types.exceptions.push_back(types_.of(defined(*exception)));
    return found_.emplace_back(std::move(types));
  }

  const idl::Unit& unit_;
  IdlTypes types_;
  std::vector<OperationTypes> found_;
};

}  // namespace

std::vector<OperationTypes> operation_types_of(const idl::Unit& unit) { return Operations(unit).all(); }

std::expected<std::vector<OperationTypes>, std::string> operation_types_in(
    const std::vector<std::string>& files, const std::vector<std::string>& include_folders) {
  std::vector<OperationTypes> all;
  for (const std::string& file : files) {
    const auto unit = idl::read_unit(idl::own_or_installed_idl(file), {include_folders, {}, {}});
    if (!unit) return std::unexpected(unit.error());
    std::ranges::move(operation_types_of(**unit), std::back_inserter(all));
  }
  return all;
}

}  // namespace takt::command
