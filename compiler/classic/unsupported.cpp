// Refuses IDL that the classic back end does not support yet, so that it never generates wrong code.
#include "classic/generator.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cpp/context.h"
#include "cpp/names.h"
#include "cpp/orb_idl.h"

namespace takt::idl::classic {

namespace {

using Kind = DeclarationKind;

// The types of the ORB's IDL that the headers have.
constexpr std::array orb_types{
    "AnySeq",      "BooleanSeq", "CharSeq",      "Current",       "DoubleSeq",         "Environment",
    "FloatSeq",    "Identifier", "InterfaceDef", "LongDoubleSeq", "LongLongSeq",       "LongSeq",
    "OctetSeq",    "Policy",     "PolicyType",   "RepositoryId",  "ServiceDetailType", "ServiceOption",
    "ServiceType", "ShortSeq",   "StringSeq",    "ULongLongSeq",  "ULongSeq",          "UShortSeq",
    "VersionSpec", "WCharSeq",   "WStringSeq"};

// The first construct found that is not supported; null while there is none.
class Search {
 public:
  explicit Search(const Unit& unit) : unit_(unit), is_orbs_(cpp::orb_files(unit)) {}

  std::string result;

  void visit(const Declaration& declaration) {
    if (declaration.kind != Kind::bitset && declaration.kind != Kind::bitmask)
      for (const Declaration* inner : declaration.contents) visit(*inner);
    if (!declaration.in_main_file || !result.empty()) return;
    const std::string scope = declaration.scope ? declaration.scope->scoped_name() : std::string();
    if (declaration.kind != Kind::module_ && (scope == "::CORBA" || scope == "::PortableServer"))
      return refuse(declaration, "declaration in a module of the ORB's");
    switch (declaration.kind) {
      case Kind::value:
        return see_value(declaration);
      case Kind::event:
        return refuse(declaration, "eventtype");
      case Kind::initializer:
        return see_operation(declaration);
      case Kind::bitset:
        return refuse(declaration, "bitset");
      case Kind::bitmask:
        return refuse(declaration, "bitmask");
      case Kind::native:
        return refuse(declaration, "native type");
      case Kind::component:
      case Kind::home:
        return refuse(declaration, "component or home");
      case Kind::interface_:
        return see_interface(declaration);
      case Kind::enum_:
        return see_enum(declaration);
      case Kind::struct_:
        if (!declaration.bases.empty()) return refuse(declaration, "struct with a base");
        return;
      case Kind::value_box:
      case Kind::union_:
      case Kind::constant:
      case Kind::attribute:
      case Kind::member:
      case Kind::typedef_:
        return see_typed(declaration);
      case Kind::operation:
        return see_operation(declaration);
      default:
        return;
    }
  }

 private:
  void refuse(const Declaration& declaration, std::string_view what) {
    if (!result.empty()) return;
    result = unit_.files[declaration.at.file].name + ":" + std::to_string(declaration.at.line) +
             ": the classic mapping does not have this yet: " + std::string(what) + " (" +
             declaration.scoped_name().substr(2) + "); the default mapping does";
  }

  // The classic mapping's codec and TypeCodes know enumerators by their order.
  void see_enum(const Declaration& declaration) {
    Int128 ordinal = 0;
    for (const Declaration* enumerator : declaration.contents)
      if (std::get<Int128>(enumerator->value.is) != ordinal++)
        return refuse(*enumerator, "@value of an enumerator");
  }
  void see_interface(const Declaration& declaration) {
    for (const Declaration* base : cpp::with_bases(declaration)) {
      if (base->is_abstract && declaration.is_local)
        return refuse(declaration, "local interface with a base that is an abstract interface");
      if (base->in_main_file) continue;
      // The skeleton has the operations of bases in other files too.
      for (const Declaration* member : base->contents) see_inherited(*member);
    }
  }
  void see_value(const Declaration& declaration) {
    for (const Declaration* base : cpp::with_bases(declaration)) {
      for (const Declaration* supported : base->supports) {
        see_interface(defined(*supported));
      }
      if (base->in_main_file) continue;
      for (const Declaration* member : base->contents) see_inherited(*member);
    }
  }
  void see_inherited(const Declaration& member) {
    if (member.kind == Kind::operation) see_operation(member);
    if (member.kind == Kind::attribute) see_typed(member);
  }
  void see_typed(const Declaration& declaration) {
    if (declaration.is_optional) return refuse(declaration, "@optional member");
    if (declaration.kind == Kind::attribute) {
      for (const auto& list : {declaration.raises, declaration.set_raises})
        for (const Declaration* exception : list) see_name(declaration, *exception);
      see_parameter(declaration, *declaration.type);
    }
    see(declaration, *declaration.type);
  }
  void see_operation(const Declaration& declaration) {
    if (declaration.type && declaration.type->kind != TypeKind::void_) {
      see(declaration, *declaration.type);
      see_parameter(declaration, *declaration.type);
    }
    for (const auto& parameter : declaration.parameters) {
      see(declaration, *parameter.type);
      see_parameter(declaration, *parameter.type);
    }
    for (const Declaration* exception : declaration.raises) see_name(declaration, *exception);
  }
  void see_parameter(const Declaration& declaration, const Type& type) {
    if (type.kind == TypeKind::sequence || type.kind == TypeKind::array)
      refuse(declaration, "parameter or attribute of a sequence or array without a name");
  }

  void see(const Declaration& declaration, const Type& type) {
    switch (type.kind) {
      case TypeKind::int8:
      case TypeKind::uint8:
        return refuse(declaration, "int8 or uint8");
      case TypeKind::map:
        return refuse(declaration, "map");
      case TypeKind::sequence:
      case TypeKind::array:
        return see(declaration, *type.element);
      case TypeKind::named:
        return see_name(declaration, *type.declaration);
      default:
        return;
    }
  }
  // Other files are checked when they are compiled, but for the ORB's, whose types are the library's.
  void see_name(const Declaration& declaration, const Declaration& named) {
    const bool is_orbs = named.at.file < is_orbs_.size() && is_orbs_[named.at.file];
    if (is_orbs && (named.scope->scoped_name() != "::CORBA" ||
                    std::ranges::find(orb_types, named.name) == orb_types.end()))
      refuse(declaration, "type " + named.scoped_name().substr(2) + " of the ORB's IDL");
    if (!is_orbs && defined(named).kind == Kind::native) refuse(declaration, "native type");
  }

  const Unit& unit_;
  const std::vector<bool> is_orbs_;
};

}  // namespace

std::string unsupported(const Unit& unit) {
  Search search(unit);
  search.visit(unit.root);
  return search.result;
}

}  // namespace takt::idl::classic
