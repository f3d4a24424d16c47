#include "ifr/load.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <takt/cdr/exception.h>

#include "ifr/idl_texts.h"
#include "ifr/model/limits.h"
#include "ifr/model/type_text.h"
#include "ifr/types/type_codes.h"
#include "model/model.h"
#include "syntax/preprocessor.h"
#include "syntax/reading.h"
#include "types/idl_types.h"

namespace takt::command {
namespace {

using idl::Declaration;
using ifr::Definition;
using ifr::Details;
using ifr::Kind;
using ifr::Member;
using ifr::Number;
using DeclarationKind = idl::DeclarationKind;

struct Refused {
  const Declaration* at;
  std::string why;
};

// Loads one unit. A definition gets its number when it is first referred to, which may be before it is
// inserted.
class UnitLoader {
 public:
  UnitLoader(ifr::Store& store, ifr::TypeCodes& types, const idl::Unit& unit, LoadCounts& counts)
      : store_(store), types_(types), unit_(unit), counts_(counts) {}

  void load() {
    add_contents(unit_.root, ifr::repository_number, false);
    for (const auto& [declaration, number] : numbers_) add_undefined(*declaration, number);
  }

  std::string text_of(const Refused& refused) const {
    const idl::Location at = refused.at->at;
    return unit_.files[at.file].name + ':' + std::to_string(at.line) + ':' + std::to_string(at.column) +
           ": error: " + refused.why + '\n';
  }

 private:
  [[noreturn]] static void refuse(const Declaration& at, const std::string& why) { throw Refused{&at, why}; }

  std::string text_of(const idl::Type& type) {
    return type_text_of(type, [this](const Declaration& named) { return number_of(named); });
  }

  Number number_of(const Declaration& given) {
    const Declaration& declaration = idl::defined(given);
    const auto [place, is_new] = numbers_.emplace(&declaration, 0);
    if (!is_new) return place->second;
    const auto [of_id, is_new_id] = by_id_.emplace(id_of(declaration), 0);
    if (is_new_id) {
      const auto stored = store_.find_id(of_id->first);
      of_id->second = stored ? stored->number : store_.next_number();
    }
    place->second = of_id->second;
    if (is_new_id && is_predefined(declaration) && !store_.find_entry(of_id->second))
      add_predefined(declaration);
    return numbers_[&declaration];
  }

  // The types of module CORBA, which IDL may use without declaring them.
  static bool is_predefined(const Declaration& declaration) {
    const auto& around = declaration.scope->contents;
    return declaration.kind != DeclarationKind::module_ &&
           std::ranges::find(around, &declaration) == around.end();
  }

  void add_predefined(const Declaration& declaration) {
    const Declaration& scope = *declaration.scope;
    if (scope.scope && !store_.find_entry(number_of_module(scope, ifr::repository_number)))
      put(scope, Kind::dk_Module, ifr::repository_number, {});
    add(declaration, scope.scope ? number_of(scope) : ifr::repository_number, false);
  }

  // Modules are opened again by their names, whatever the prefix of their ids is.
  Number number_of_module(const Declaration& module, Number container) {
    const auto stored = store_.find_name(container, module.name);
    if (!stored || stored->kind != Kind::dk_Module || stored->name != module.name) return number_of(module);
    by_id_[id_of(module)] = stored->number;
    return numbers_[&module] = stored->number;
  }

  // The module of predefined types has no id in the model.
  static std::string id_of(const Declaration& declaration) {
    return declaration.repository_id.empty() ? "IDL:omg.org" + slashed(declaration) + ":1.0"
                                             : declaration.repository_id;
  }
  static std::string slashed(const Declaration& declaration) {
    return declaration.scope ? slashed(*declaration.scope) + '/' + declaration.name : std::string();
  }

  void put(const Declaration& declaration, Kind kind, Number container, Details details,
           bool in_complete = false) {
    Definition definition{{.number = number_of(declaration),
                           .kind = kind,
                           .container = container,
                           .id = id_of(declaration),
                           .name = declaration.name,
                           .version = version_in(id_of(declaration))},
                          std::move(details)};
    const auto stored = store_.find(definition.number);
    if (!stored) {
      if (in_complete)
        refuse(declaration,
               definition.id + " is not in the repository, although the definition around it is");
      check_name(declaration, definition);
      store_.insert(definition);
      ++counts_.added;
      return;
    }
    const bool is_same = stored->kind == kind && stored->container == container &&
                         stored->name == definition.name && stored->version == definition.version;
    if (is_same && written_out(stored->details) == definition.details) {
      ++counts_.kept;
    } else if (is_same && stored->details.is_incomplete()) {
      store_.update(*stored, definition);
      ++counts_.completed;
    } else {
      refuse(declaration, definition.id + " is in the repository as " + ifr::name_of(stored->kind) + " '" +
                              stored->name + "' that differs from this " + (is_same ? "one" : "definition") +
                              "; destroy it there, or give this one another version");
    }
  }

  // Clients may have made types without a name as objects.
  Details written_out(Details details) {
    for (std::string* type : ifr::types_in(details)) *type = store_.expanded(*type, limits_.nesting);
    return details;
  }

  void check_name(const Declaration& declaration, const Definition& definition) {
    if (const auto other = store_.find_name(definition.container, definition.name))
      refuse(declaration, "'" + definition.name + "' is in the repository's same scope as " + other->id);
  }

  void add_contents(const Declaration& scope, Number container, bool in_complete) {
    for (const Declaration* inner : scope.contents) add(*inner, container, in_complete);
  }

  // `in_complete`: the definition around it was in the store, so this one must be there.
  void add(const Declaration& declaration, Number container, bool in_complete) {
    try {
      add_kind(declaration, container, in_complete);
    } catch (const NoForm& failure) {
      refuse(declaration, failure.what());
    }
  }

  void add_kind(const Declaration& declaration, Number container, bool in_complete) {
    Details details;
    switch (declaration.kind) {
      case DeclarationKind::module_:
        add_module(declaration, container);
        break;
      case DeclarationKind::interface_:
        add_interface(declaration, container);
        break;
      case DeclarationKind::value:
      case DeclarationKind::event:
        add_value(declaration, container);
        break;
      case DeclarationKind::struct_:
      case DeclarationKind::exception:
        add_struct(declaration, container, in_complete);
        break;
      case DeclarationKind::union_:
        add_union(declaration, container, in_complete);
        break;
      case DeclarationKind::enum_:
        for (const Declaration* each : declaration.contents)
          details.members().push_back({each->name, "", 0, false, 0});
        put(declaration, Kind::dk_Enum, container, std::move(details), in_complete);
        break;
      case DeclarationKind::typedef_:
      case DeclarationKind::value_box:
        details.type(text_of(*declaration.type));
        put(declaration, declaration.kind == DeclarationKind::typedef_ ? Kind::dk_Alias : Kind::dk_ValueBox,
            container, std::move(details), in_complete);
        break;
      case DeclarationKind::bitmask:
      case DeclarationKind::bitset:
        details.type(holder_text_of(declaration));
        put(declaration, Kind::dk_Alias, container, std::move(details), in_complete);
        break;
      case DeclarationKind::native:
        put(declaration, Kind::dk_Native, container, std::move(details), in_complete);
        break;
      case DeclarationKind::constant:
        add_constant(declaration, container, in_complete);
        break;
      case DeclarationKind::component:
      case DeclarationKind::home:
      case DeclarationKind::port_type:
        refuse(declaration, "the interface repository of Takt has no components");
      default:  // for example a forward declaration, which is no definition
        break;
    }
  }

  void add_module(const Declaration& declaration, Number container) {
    const Number number = number_of_module(declaration, container);
    if (!store_.find_entry(number)) put(declaration, Kind::dk_Module, container, {});
    add_contents(declaration, number, false);
  }

  // Whether the store has the whole definition, so that its contents must be there, too.
  bool is_complete(const Declaration& declaration) {
    const auto stored = store_.find(number_of(declaration));
    return stored && !stored->details.is_incomplete();
  }

  void check_count(const Declaration& declaration, std::size_t count) {
    const std::size_t stored = store_.contents(number_of(declaration), count + 1).size();
    if (stored != count)
      refuse(declaration, declaration.repository_id + " has definitions in the repository that are not here");
  }

  static bool has_definition(const Declaration& inner) {
    return inner.kind != DeclarationKind::forward_ && inner.kind != DeclarationKind::initializer &&
           inner.kind != DeclarationKind::enumerator && inner.kind != DeclarationKind::type_parameter &&
           inner.kind != DeclarationKind::template_module;
  }

  // The contents of an interface or value.
  void add_body(const Declaration& declaration, bool in_complete) {
    const Number number = number_of(declaration);
    std::size_t count = 0;
    for (const Declaration* inner : declaration.contents) {
      if (has_definition(*inner)) ++count;
      if (inner->kind == DeclarationKind::operation)
        add_operation(*inner, number, in_complete);
      else if (inner->kind == DeclarationKind::attribute || inner->kind == DeclarationKind::member)
        add_feature(*inner, number, in_complete);
      else
        add(*inner, number, in_complete);
    }
    if (in_complete) check_count(declaration, count);
  }

  void add_interface(const Declaration& declaration, Number container) {
    Details details;
    for (const Declaration* base : declaration.bases) details.bases().push_back(number_of(*base));
    const bool in_complete = is_complete(declaration);
    put(declaration, interface_kind(declaration), container, std::move(details));
    add_body(declaration, in_complete);
  }

  static Kind interface_kind(const Declaration& declaration) {
    return declaration.is_local      ? Kind::dk_LocalInterface
           : declaration.is_abstract ? Kind::dk_AbstractInterface
                                     : Kind::dk_Interface;
  }

  void add_value(const Declaration& declaration, Number container) {
    Details details;
    details.is_abstract(declaration.is_abstract);
    details.is_custom(declaration.is_custom);
    details.is_truncatable(declaration.is_truncatable);
    for (const Declaration* base : declaration.bases)
      if (idl::defined(*base).is_abstract)
        details.bases().push_back(number_of(*base));
      else
        details.base(number_of(*base));
    for (const Declaration* each : declaration.supports) details.supported().push_back(number_of(*each));
    for (const Declaration* inner : declaration.contents)
      if (inner->kind == DeclarationKind::initializer) add_initializer(*inner, details);
    if (std::ranges::all_of(details.more.of_initializers(), &std::vector<Number>::empty))
      details.more.of_initializers().clear();
    const bool in_complete = is_complete(declaration);
    put(declaration, Kind::dk_Value, container, std::move(details));
    add_body(declaration, in_complete);
  }

  void add_initializer(const Declaration& initializer, Details& details) {
    details.initializers().push_back({initializer.name, parameters_of(initializer)});
    details.more.of_initializers().push_back(numbers_of(initializer.raises));
  }

  std::vector<Number> numbers_of(const std::vector<Declaration*>& exceptions) {
    std::vector<Number> numbers;
    for (const Declaration* each : exceptions) numbers.push_back(number_of(*each));
    return numbers;
  }

  ifr::Members parameters_of(const Declaration& operation) {
    ifr::Members members;
    for (const auto& parameter : operation.parameters)
      members.push_back({parameter.name, text_of(*parameter.type), 0, false,
                         static_cast<std::int16_t>(parameter.direction)});
    return members;
  }

  void add_operation(const Declaration& operation, Number container, bool in_complete) {
    Details details;
    details.type(operation.type ? text_of(*operation.type)
                                : ifr::primitive_text(Takt::Reflection::PrimitiveKind::pk_void));
    details.members(parameters_of(operation));
    details.raised(numbers_of(operation.raises));
    details.contexts(operation.contexts);
    details.mode(operation.is_oneway ? 1 : 0);
    put(operation, Kind::dk_Operation, container, std::move(details), in_complete);
  }

  // An attribute, or a value's member.
  void add_feature(const Declaration& feature, Number container, bool in_complete) {
    Details details;
    details.type(text_of(*feature.type));
    const bool is_attribute = feature.kind == DeclarationKind::attribute;
    details.mode((is_attribute ? feature.is_readonly : !feature.is_private) ? 1 : 0);
    details.raised(numbers_of(feature.raises));
    details.more.on_set(numbers_of(feature.set_raises));
    put(feature, is_attribute ? Kind::dk_Attribute : Kind::dk_ValueMember, container, std::move(details),
        in_complete);
  }

  // A struct's members, those of its base first.
  void add_members(const Declaration& declaration, ifr::Members& members) {
    if (declaration.kind == DeclarationKind::struct_ && !declaration.bases.empty())
      add_members(idl::defined(*declaration.bases.front()), members);
    for (const Declaration* member : declaration.contents) {
      if (member->kind != DeclarationKind::member) continue;
      if (member->is_optional) refuse(*member, "the standard's interface repository has no optional members");
      members.push_back({member->name, text_of(*member->type), 0, false, 0});
    }
  }

  // Adds the types that are declared inside a struct, union or exception.
  void add_inner(const Declaration& declaration, bool in_complete) {
    for (const Declaration* inner : declaration.contents)
      if (inner->kind == DeclarationKind::struct_ || inner->kind == DeclarationKind::union_ ||
          inner->kind == DeclarationKind::enum_)
        add(*inner, number_of(declaration), in_complete);
  }

  void add_struct(const Declaration& declaration, Number container, bool in_complete) {
    Details details;
    add_members(declaration, details.members());
    const bool was_complete = is_complete(declaration);
    put(declaration, declaration.kind == DeclarationKind::exception ? Kind::dk_Exception : Kind::dk_Struct,
        container, std::move(details), in_complete);
    add_inner(declaration, was_complete);
  }

  void add_union(const Declaration& declaration, Number container, bool in_complete) {
    Details details;
    details.type(text_of(*declaration.type));
    const idl::TypeKind discriminator = declaration.type->resolved().kind;
    for (const Declaration* member : declaration.contents) {
      if (member->kind != DeclarationKind::member) continue;
      const std::string type = text_of(*member->type);
      for (const idl::Value& label : member->labels)
        details.members().push_back({member->name, type, label_of(label, discriminator), false, 0});
      if (member->default_label) details.members().push_back({member->name, type, 0, true, 0});
    }
    const bool was_complete = is_complete(declaration);
    put(declaration, Kind::dk_Union, container, std::move(details), in_complete);
    add_inner(declaration, was_complete);
  }

  void add_constant(const Declaration& declaration, Number container, bool in_complete) {
    Details details;
    details.type(
        constant_type_of(declaration, [this](const Declaration& named) { return number_of(named); }));
    details.value(constant_of(declaration.value, *declaration.type, types_.of(details.type())));
    put(declaration, Kind::dk_Constant, container, std::move(details), in_complete);
  }

  // IDL may only declare an interface or value, and define it in a file that is loaded later.
  void add_undefined(const Declaration& declaration, Number number) {
    if (declaration.kind != DeclarationKind::forward_ || store_.find_entry(number)) return;
    const bool is_value = declaration.forward_kind == DeclarationKind::value ||
                          declaration.forward_kind == DeclarationKind::event;
    Details details;
    details.is_incomplete(true);
    details.is_abstract(is_value && declaration.is_abstract);
    const bool in_scope = declaration.scope && declaration.scope->scope;
    put(declaration, is_value ? Kind::dk_Value : interface_kind(declaration),
        in_scope ? number_of(*declaration.scope) : ifr::repository_number, std::move(details));
  }

  ifr::Store& store_;
  ifr::TypeCodes& types_;
  const idl::Unit& unit_;
  LoadCounts& counts_;
  const ifr::Limits limits_;
  std::map<const Declaration*, Number> numbers_;
  std::map<std::string, Number> by_id_;
};

}  // namespace

std::expected<LoadCounts, std::string> load_idl(ifr::Store& store, const std::vector<std::string>& files,
                                                const std::vector<std::string>& include_folders) {
  LoadCounts counts;
  const ifr::Limits limits;
  ifr::Store::Transaction transaction(store, ifr::Store::Access::change);
  for (const std::string& file : files) {
    const auto unit = idl::read_unit(idl::own_or_installed_idl(file), {include_folders, {}, {}});
    if (!unit) return std::unexpected(unit.error());
    ifr::TypeCodes types(store, limits);
    UnitLoader loader(store, types, **unit, counts);
    try {
      loader.load();
    } catch (const Refused& refused) {
      return std::unexpected(loader.text_of(refused));
    }
  }
  transaction.commit();
  return counts;
}

}  // namespace takt::command
