// TypeCodes, as constant descriptions, and the operators of Any.
#include "classic/printing.h"
#include "classic/types.h"
#include "cpp/names.h"

namespace takt::idl::classic {

using Kind = DeclarationKind;

namespace {

const char* kind_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::boolean:
      return "boolean";
    case TypeKind::char_:
      return "char";
    case TypeKind::wchar:
      return "wchar";
    case TypeKind::octet:
      return "octet";
    case TypeKind::int16:
      return "short";
    case TypeKind::uint16:
      return "ushort";
    case TypeKind::int32:
      return "long";
    case TypeKind::uint32:
      return "ulong";
    case TypeKind::int64:
      return "longlong";
    case TypeKind::uint64:
      return "ulonglong";
    case TypeKind::float_:
      return "float";
    case TypeKind::double_:
      return "double";
    case TypeKind::long_double:
      return "longdouble";
    case TypeKind::any:
      return "any";
    case TypeKind::typecode:
      return "TypeCode";
    case TypeKind::object:
      return "objref";
    case TypeKind::string:
      return "string";
    case TypeKind::wstring:
      return "wstring";
    case TypeKind::sequence:
      return "sequence";
    case TypeKind::array:
      return "array";
    case TypeKind::fixed:
      return "fixed";
    default:
      return "null";
  }
}

const char* kind_name(const Declaration& declaration) {
  switch (declaration.kind) {
    case Kind::struct_:
      return "struct";
    case Kind::union_:
      return "union";
    case Kind::exception:
      return "except";
    case Kind::enum_:
      return "enum";
    case Kind::interface_:
      return declaration.is_local      ? "local_interface"
             : declaration.is_abstract ? "abstract_interface"
                                       : "objref";
    case Kind::value:
      return "value";
    case Kind::value_box:
      return "value_box";
    case Kind::typedef_:
      return "alias";
    default:
      return nullptr;
  }
}

// "M::I::" before a name in the scope of the declaration.
std::string scope_of(const Declaration& declaration) {
  const std::string name = full_name(declaration);
  return name.substr(0, name.rfind("::") + 2);
}
std::string node_name(const Declaration& declaration) {
  return scope_of(declaration) + "_takt_type_" + declaration.name;
}

// Prints the descriptions of one declaration's types.
class Nodes {
 public:
  Nodes(Context& context, const Declaration& declaration) : out_(context.out), prefix_("takt_") {
    for (const char c : local_name(declaration)) prefix_ += c == ':' ? '_' : c;
  }

  const std::string& prefix() const { return prefix_; }
  // The address of a type's description, which is printed first if the type has no name.
  std::string address(const Type& type) {
    if (type.kind == TypeKind::named) return "&" + node_name(defined(*type.declaration));
    if (type.kind == TypeKind::value_base) return "&::takt::classic::value_base_type";
    const bool text = type.kind == TypeKind::string || type.kind == TypeKind::wstring;
    const bool composed = type.kind == TypeKind::sequence || type.kind == TypeKind::array;
    const bool decimal = type.kind == TypeKind::fixed;
    if (!composed && !decimal && !(text && type.bound))
      return std::string("&::takt::classic::basic_types[::CORBA::tk_") + kind_name(type.kind) + "]";
    const std::string content = composed ? address(*type.element) : "nullptr";
    const std::string name = prefix_ + "_type_" + std::to_string(++count_);
    out_.print(
        "static ::takt::classic::TypeNode $name(::CORBA::tk_$kind, nullptr, nullptr, nullptr, 0, $content, "
        "$bound$scale);",
        {{"name", name},
         {"kind", kind_name(type.kind)},
         {"content", content},
         {"bound", std::to_string(decimal ? type.digits : type.bound)},
         {"scale", decimal ? ", " + std::to_string(type.scale) : ""}});
    return "&" + name;
  }

 private:
  cpp::Writer& out_;
  std::string prefix_;
  int count_ = 0;
};

struct Members {
  std::string list;
  std::size_t count = 0;
  std::string default_index = "-1";

  void add(const Declaration& member, const std::string& node, const std::string& label) {
    list += "{" + cpp::string_literal(member.name) + ", " + node + ", " + label + "}, ";
    ++count;
  }
};

Members members(const Context& context, Nodes& nodes, const Declaration& declaration) {
  Members result;
  if (declaration.kind == Kind::enum_)
    for (const Declaration* enumerator : declaration.contents) result.add(*enumerator, "nullptr", "0");
  if (declaration.kind == Kind::struct_ || declaration.kind == Kind::exception)
    for (const Declaration* member : members_of(declaration))
      result.add(*member, nodes.address(*member->type), "0");
  if (declaration.kind == Kind::value)
    for (const Declaration* member : members_of(declaration))
      result.add(*member, nodes.address(*member->type),
                 member->is_private ? "::CORBA::PRIVATE_MEMBER" : "::CORBA::PUBLIC_MEMBER");
  if (declaration.kind != Kind::union_) return result;
  const bool letters = declaration.type->resolved().kind == TypeKind::char_;
  for (const Declaration* member : members_of(declaration)) {
    const std::string node = nodes.address(*member->type);
    for (const Value& label : member->labels)
      result.add(*member, node,
                 (letters ? "static_cast<unsigned char>(" : "static_cast< ::std::int64_t>(") +
                     label_text(context, declaration, label) + ")");
    if (!member->default_label) continue;
    result.default_index = std::to_string(result.count);
    result.add(*member, node, "0");
  }
  return result;
}

}  // namespace

void print_type_code(Context& context, const Declaration& declaration) {
  if (!kind_name(declaration)) return;
  context.out.print(
      "$storage ::takt::classic::TypeNode _takt_type_$name;\n$storage const ::CORBA::TypeCode_ptr "
      "_tc_$name;",
      {{"storage", in_class(declaration) ? "static" : "extern"}, {"name", declaration.name}});
}

void print_type_code_source(Context& context, const Declaration& declaration) {
  const char* const kind = kind_name(declaration);
  if (!kind) return;
  Nodes nodes(context, declaration);
  const Members has = members(context, nodes, declaration);
  const bool has_content = declaration.kind == Kind::typedef_ || declaration.kind == Kind::union_ ||
                           declaration.kind == Kind::value_box;
  std::string content = has_content ? nodes.address(*declaration.type) : "nullptr";
  const char* modifier = "0";
  if (declaration.kind == Kind::value) {
    if (!declaration.bases.empty() && !defined(*declaration.bases.front()).is_abstract)
      content = "&" + node_name(defined(*declaration.bases.front()));
    if (declaration.is_abstract) modifier = "::CORBA::VM_ABSTRACT";
    if (declaration.is_custom) modifier = "::CORBA::VM_CUSTOM";
    if (declaration.is_truncatable) modifier = "::CORBA::VM_TRUNCATABLE";
  }
  std::string local = local_name(declaration);
  local.resize(local.size() - cpp::escaped(declaration.name).size());
  if (has.count)
    context.out.print(
        "static const ::takt::classic::TypeMember $prefix_members[] = {$list};",
        {{"prefix", nodes.prefix()}, {"prefix_members", nodes.prefix() + "_members"}, {"list", has.list}});
  context.out.print(
      "::takt::classic::TypeNode $node(::CORBA::tk_$kind, $id, $name, $members, $count, $content, $modifier, "
      "$default);\nconst ::CORBA::TypeCode_ptr $constant = ::takt::classic::make_type_code($node);",
      {{"node", local + "_takt_type_" + declaration.name},
       {"constant", local + "_tc_" + declaration.name},
       {"kind", kind},
       {"id", cpp::string_literal(declaration.repository_id)},
       {"name", cpp::string_literal(declaration.name)},
       {"members", has.count ? nodes.prefix() + "_members" : "nullptr"},
       {"count", std::to_string(has.count)},
       {"content", content},
       {"modifier", modifier},
       {"default", has.default_index}});
}

void print_any_operators(Context& context, const Declaration& declaration) {
  const char* macro = nullptr;
  const bool local =
      declaration.is_local || (declaration.kind == Kind::typedef_ && holds_local(*declaration.type));
  switch (local ? Kind::native : declaration.kind) {
    case Kind::struct_:
    case Kind::union_:
      macro = "VALUE";
      break;
    case Kind::exception:
      macro = "EXCEPTION";
      break;
    case Kind::enum_:
      macro = "ENUM";
      break;
    case Kind::interface_:
    case Kind::value:
    case Kind::value_box:
      macro = "OBJECT";
      break;
    case Kind::typedef_:  // aliases have the operators of their types
      if (declaration.type->kind == TypeKind::sequence) macro = "VALUE";
      if (declaration.type->kind == TypeKind::array) macro = "ARRAY";
      break;
    default:
      break;
  }
  if (macro)
    context.out.print("TAKT_CLASSIC_ANY_$macro($type, $node)",
                      {{"macro", macro}, {"type", full_name(declaration)}, {"node", node_name(declaration)}});
  for (const Declaration* inner : declaration.contents) print_any_operators(context, *inner);
}

}  // namespace takt::idl::classic
