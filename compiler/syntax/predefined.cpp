// The types of module CORBA that IDL may use without an #include (CORBA 3.0.3: 4.2, 4.8, 4.9.1, 5.5.2, 10).
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "syntax/parser.h"

namespace takt::idl {

namespace {

using K = DeclarationKind;

struct Predefined {
  std::string_view name;
  K kind;
  TypeKind type = TypeKind::void_;  // typedefs: the type, or a sequence's element
  bool is_sequence = false;
};

constexpr std::array predefined_types{
    Predefined{"Identifier", K::typedef_, TypeKind::string},
    Predefined{"RepositoryId", K::typedef_, TypeKind::string},
    Predefined{"VersionSpec", K::typedef_, TypeKind::string},
    Predefined{"PolicyType", K::typedef_, TypeKind::uint32},
    Predefined{"ServiceType", K::typedef_, TypeKind::uint16},
    Predefined{"ServiceOption", K::typedef_, TypeKind::uint32},
    Predefined{"ServiceDetailType", K::typedef_, TypeKind::uint32},
    Predefined{"AnySeq", K::typedef_, TypeKind::any, true},
    Predefined{"BooleanSeq", K::typedef_, TypeKind::boolean, true},
    Predefined{"CharSeq", K::typedef_, TypeKind::char_, true},
    Predefined{"WCharSeq", K::typedef_, TypeKind::wchar, true},
    Predefined{"OctetSeq", K::typedef_, TypeKind::octet, true},
    Predefined{"ShortSeq", K::typedef_, TypeKind::int16, true},
    Predefined{"UShortSeq", K::typedef_, TypeKind::uint16, true},
    Predefined{"LongSeq", K::typedef_, TypeKind::int32, true},
    Predefined{"ULongSeq", K::typedef_, TypeKind::uint32, true},
    Predefined{"LongLongSeq", K::typedef_, TypeKind::int64, true},
    Predefined{"ULongLongSeq", K::typedef_, TypeKind::uint64, true},
    Predefined{"FloatSeq", K::typedef_, TypeKind::float_, true},
    Predefined{"DoubleSeq", K::typedef_, TypeKind::double_, true},
    Predefined{"LongDoubleSeq", K::typedef_, TypeKind::long_double, true},
    Predefined{"StringSeq", K::typedef_, TypeKind::string, true},
    Predefined{"WStringSeq", K::typedef_, TypeKind::wstring, true},
    Predefined{"InterfaceDef", K::forward_},
    Predefined{"Policy", K::interface_},
    Predefined{"Current", K::interface_},
    Predefined{"Environment", K::native},
};

constexpr std::string_view kinds_of_types[] = {"tk_null",
                                               "tk_void",
                                               "tk_short",
                                               "tk_long",
                                               "tk_ushort",
                                               "tk_ulong",
                                               "tk_float",
                                               "tk_double",
                                               "tk_boolean",
                                               "tk_char",
                                               "tk_octet",
                                               "tk_any",
                                               "tk_TypeCode",
                                               "tk_Principal",
                                               "tk_objref",
                                               "tk_struct",
                                               "tk_union",
                                               "tk_enum",
                                               "tk_string",
                                               "tk_sequence",
                                               "tk_array",
                                               "tk_alias",
                                               "tk_except",
                                               "tk_longlong",
                                               "tk_ulonglong",
                                               "tk_longdouble",
                                               "tk_wchar",
                                               "tk_wstring",
                                               "tk_fixed",
                                               "tk_value",
                                               "tk_value_box",
                                               "tk_native",
                                               "tk_abstract_interface",
                                               "tk_local_interface",
                                               "tk_component",
                                               "tk_home",
                                               "tk_event"};

}  // namespace

Declaration& Parser::make_predefined(DeclarationKind kind, const std::string& name, Declaration* scope) {
  if (!predefined_file_) {
    predefined_file_ = static_cast<std::uint32_t>(unit_.files.size());
    unit_.files.push_back({"<orb.idl>", false});
  }
  Declaration& made = unit_.declarations.emplace_back();
  made.kind = kind;
  made.name = name;
  made.at = {*predefined_file_, 1, 1};
  made.scope = scope;
  made.in_main_file = false;
  if (kind == K::module_) return made;
  made.repository_id = "IDL:omg.org/CORBA/" + name + ":1.0";
  predefined_.emplace(name, &made);
  return made;
}

void Parser::make_predefined_kinds(Declaration* module) {
  Declaration& made = make_predefined(K::enum_, "TCKind", module);
  const Type* const type = named_type(made);
  Int128 ordinal = 0;
  for (const std::string_view name : kinds_of_types) {
    Declaration& enumerator = make_predefined(K::enumerator, std::string(name), module);
    enumerator.type = type;
    enumerator.value = {ordinal++};
    made.contents.push_back(&enumerator);
  }
}

Declaration* Parser::predefined(const std::string& name) {
  if (const auto known = predefined_.find(name); known != predefined_.end()) return known->second;
  const bool is_kind =
      name == "TCKind" || std::ranges::find(kinds_of_types, name) != std::end(kinds_of_types);
  const auto* const found = std::ranges::find(predefined_types, name, &Predefined::name);
  if (!is_kind && found == predefined_types.end()) return nullptr;
  Declaration* module = scopes_.find_here(unit_.root, "CORBA");
  if (!module) {
    if (!predefined_module_) predefined_module_ = &make_predefined(K::module_, "CORBA", &unit_.root);
    module = predefined_module_;
  }
  if (is_kind) {
    make_predefined_kinds(module);
    return predefined_.at(name);
  }
  Declaration& made = make_predefined(found->kind, name, module);
  if (found->kind == K::typedef_) {
    Type type;
    type.kind = TypeKind::sequence;
    type.element = simple(found->type);
    made.type = found->is_sequence ? make_type(type) : type.element;
    made.nesting = made.type->nesting;
  }
  made.is_local = found->kind == K::interface_;
  if (made.is_local || found->kind == K::native) taken_as_local_.insert(&made);
  return &made;
}

// IDL of before CORBA 2.3 has no `local`: its interfaces that pass or inherit types such as CORBA::Policy are
// called "locality constrained" in comments.
bool Parser::take_as_local(Declaration& interface, const Declaration& by, Location where) {
  if (!taken_as_local_.contains(&by)) return false;
  if (!interface.is_local && interface.kind == K::interface_) {
    diagnostics_.outdated(where, "'" + by.scoped_name().substr(2) + "' is local, so '" + interface.name +
                                     "' is taken as local too; write 'local interface " + interface.name +
                                     "'");
    interface.is_local = true;
    taken_as_local_.insert(&interface);
  }
  return true;
}

}  // namespace takt::idl
