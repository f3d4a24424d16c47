// Structs, exceptions, enums, constants and typedefs.
#include "classic/printing.h"
#include "classic/types.h"
#include "cpp/names.h"

namespace takt::idl::classic {

using cpp::escaped;
using Kind = DeclarationKind;

namespace {

void print_enum(Context& context, const Declaration& declaration) {
  std::string enumerators;
  for (const Declaration* one : declaration.contents)
    enumerators += (enumerators.empty() ? "" : ", ") + escaped(one->name);
  context.out.print("enum $name { $enumerators };\ntypedef $name& $name_out;",
                    {{"name", escaped(declaration.name)},
                     {"enumerators", enumerators},
                     {"name_out", escaped(declaration.name) + "_out"}});
}

// The _var and _out of a struct or union.
void print_companions(Context& context, const Declaration& declaration) {
  Type type;
  type.kind = TypeKind::named;
  type.declaration = const_cast<Declaration*>(&declaration);
  const std::string name = escaped(declaration.name);
  if (is_variable(type))
    context.out.print(
        "typedef ::takt::classic::ValueVar<$name> $var;\ntypedef ::takt::classic::ValueOut<$name> $out;",
        {{"name", name}, {"var", name + "_var"}, {"out", name + "_out"}});
  else
    context.out.print("typedef ::takt::classic::FixedVar<$name> $var;\ntypedef $name& $out;",
                      {{"name", name}, {"var", name + "_var"}, {"out", name + "_out"}});
}

void print_member(Context& context, const Declaration& member) {
  const std::string name = escaped(member.name);
  if (member.type->kind == TypeKind::sequence) {  // has a name in C++, so that users can name it
    context.out.print(
        "typedef $type _$name_seq;\n_$name_seq $member;",
        {{"type", type_name(*member.type)}, {"name_seq", member.name + "_seq"}, {"member", name}});
    return;
  }
  context.out.print(
      "$type $name$dimensions;",
      {{"type", member_type(*member.type)}, {"name", name}, {"dimensions", dimensions(*member.type)}});
}

void print_nested(Context& context, const Declaration& declaration) {
  for (const Declaration* inner : declaration.contents)
    if (inner->kind != Kind::member) print_declaration(context, *inner);
}

void print_struct(Context& context, const Declaration& declaration) {
  const std::string name = escaped(declaration.name);
  context.out.blank();
  context.out.print("struct $name {", {{"name", name}});
  context.out.indent(2);
  print_nested(context, declaration);
  for (const Declaration* member : members_of(declaration)) print_member(context, *member);
  if (!declaration.is_local)
    context.out.print(
        "void _takt_write(::takt::classic::Writer& takt_out) const;\nvoid "
        "_takt_read(::takt::classic::Reader& "
        "takt_in);");
  context.out.indent(-2);
  context.out.print("};");
  print_companions(context, declaration);
}

std::string constructor_parameters(const Declaration& declaration) {
  std::string list;
  for (const Declaration* member : members_of(declaration)) {
    const Type& type = *member->type;
    std::string spelled;
    if (type.kind == TypeKind::array)
      spelled = "const " + member_type(type) + " (&takt_" + member->name + ")" + dimensions(type);
    else if (type.kind == TypeKind::sequence)
      spelled = "const _" + member->name + "_seq& takt_" + member->name;
    else if (category(type) == Category::array)
      spelled = "const " + type_name(type) + " takt_" + member->name;
    else
      spelled = in_type(type) + " takt_" + member->name;
    list += (list.empty() ? "" : ", ") + spelled;
  }
  return list;
}

void print_exception(Context& context, const Declaration& declaration) {
  const std::string name = escaped(declaration.name);
  cpp::Writer& out = context.out;
  out.blank();
  out.print("class $name : public ::CORBA::UserException {", {{"name", name}});
  out.indent(2);
  out.print("public:");
  print_nested(context, declaration);
  for (const Declaration* member : members_of(declaration)) {
    if (category(*member->type) == Category::basic)
      out.print("$type $name = $type();",
                {{"type", type_name(*member->type)}, {"name", escaped(member->name)}});
    else
      print_member(context, *member);
  }
  out.print("$name() {}", {{"name", name}});
  const std::string parameters = constructor_parameters(declaration);
  if (!parameters.empty())
    out.print("$explicit$name($parameters);",
              {{"explicit", members_of(declaration).size() == 1 ? "explicit " : ""},
               {"name", name},
               {"parameters", parameters}});
  out.print(R"(static const char* _takt_id() { return $id; }
static const char* _takt_exception_name() { return $text; }
void _raise() const override { throw *this; }
const char* _name() const override { return _takt_exception_name(); }
const char* _rep_id() const override { return _takt_id(); }
static $name* _downcast(::CORBA::Exception* takt_e) { return dynamic_cast<$name*>(takt_e); }
static const $name* _downcast(const ::CORBA::Exception* takt_e) { return dynamic_cast<const $name*>(takt_e); }
static $name* _narrow(::CORBA::Exception* takt_e) { return _downcast(takt_e); })",
            {{"name", name},
             {"id", cpp::string_literal(declaration.repository_id)},
             {"text", cpp::string_literal(declaration.name)}});
  if (!declaration.is_local)
    out.print(
        "void _takt_write(::takt::classic::Writer& takt_out) const override;\nvoid "
        "_takt_read(::takt::classic::Reader& takt_in);");
  out.indent(-2);
  out.print("};");
}

void print_forward(Context& context, const Declaration& declaration) {
  const std::string name = escaped(declaration.name);
  if (is_undefined(declaration) &&
      (declaration.forward_kind == Kind::value || declaration.forward_kind == Kind::interface_))
    context.out.print("extern ::takt::classic::TypeNode _takt_type_$name;", {{"name", declaration.name}});
  if (declaration.forward_kind == Kind::value) return print_value_forward(context, declaration);
  if (declaration.forward_kind == Kind::interface_)
    context.out.print(
        R"(class $name;
typedef $name* $ptr;
typedef ::takt::classic::ObjectVar<$name> $var;
typedef ::takt::classic::ObjectOut<$name> $out;)",
        {{"name", name}, {"ptr", name + "_ptr"}, {"var", name + "_var"}, {"out", name + "_out"}});
  else
    context.out.print("$key $name;", {{"key", declaration.forward_kind == Kind::union_ ? "class" : "struct"},
                                      {"name", name}});
}

void print_array_typedef(Context& context, const Declaration& declaration) {
  const Type& array = *declaration.type;
  const std::string name = escaped(declaration.name);
  const bool variable = is_variable(array);
  context.out.print("typedef $element $name$dimensions;",
                    {{"element", member_type(array)}, {"name", name}, {"dimensions", dimensions(array)}});
  context.out.print(R"(typedef ::takt::classic::Arrays<$name>::Slice $slice;
typedef ::takt::classic::ArrayVar<$name, $variable> $var;
typedef $out_type $out;
struct $forany : ::takt::classic::ForAny<$name> {
  using ::takt::classic::ForAny<$name>::ForAny;
  $forany() {}
};)",
                    {{"name", name},
                     {"forany", name + "_forany"},
                     {"slice", name + "_slice"},
                     {"variable", variable ? "true" : "false"},
                     {"var", name + "_var"},
                     {"out", name + "_out"},
                     {"out_type", variable ? "::takt::classic::ArrayOut<" + name + ">" : name + "_slice*"}});
}
void print_array_functions(Context& context, const Declaration& declaration) {
  const std::string name = escaped(declaration.name);
  context.out.print(R"($inline $slice* $name_alloc() { return ::takt::classic::Arrays<$name>::alloc(); }
$inline $slice* $name_dup(const $slice* takt_from) { return ::takt::classic::Arrays<$name>::dup(takt_from); }
$inline void $name_copy($slice* takt_to, const $slice* takt_from) { ::takt::classic::Arrays<$name>::copy(takt_to, takt_from); }
$inline void $name_free($slice* takt_slice) { ::takt::classic::Arrays<$name>::free(takt_slice); })",
                    {{"inline", in_class(declaration) ? "static" : "inline"},
                     {"name", name},
                     {"slice", name + "_slice"},
                     {"name_alloc", name + "_alloc"},
                     {"name_dup", name + "_dup"},
                     {"name_copy", name + "_copy"},
                     {"name_free", name + "_free"}});
}

void print_alias(Context& context, const Declaration& declaration) {
  const Type& type = *declaration.type;
  const std::string name = escaped(declaration.name);
  std::vector<std::string> suffixes{"_out"};
  const Category kind = category(type);
  if (kind == Category::object) suffixes = {"_ptr", "_var", "_out"};
  if (kind == Category::string || kind == Category::wstring || kind == Category::variable_value ||
      kind == Category::fixed_value)
    suffixes = {"_var", "_out"};
  if (kind == Category::array) suffixes = {"_slice", "_var", "_out", "_forany"};
  context.out.print("typedef $type $name;", {{"type", type_name(type)}, {"name", name}});
  for (const std::string& suffix : suffixes)
    context.out.print("typedef $type $name;", {{"type", companion(type, suffix)}, {"name", name + suffix}});
  if (kind == Category::array) print_array_functions(context, declaration);
}

void print_typedef(Context& context, const Declaration& declaration) {
  const Type& type = *declaration.type;
  if (type.kind == TypeKind::array) {
    print_array_typedef(context, declaration);
    return print_array_functions(context, declaration);
  }
  if (type.kind != TypeKind::sequence) return print_alias(context, declaration);
  const std::string name = escaped(declaration.name);
  if (type.bound)
    context.out.print(
        "TAKT_CLASSIC_BOUNDED_SEQUENCE($name, $bound, $elements)",
        {{"name", name}, {"bound", std::to_string(type.bound)}, {"elements", elements(*type.element)}});
  else
    context.out.print("TAKT_CLASSIC_SEQUENCE($name, $elements)",
                      {{"name", name}, {"elements", elements(*type.element)}});
}

std::string constant_value(const Context& context, const Declaration& declaration) {
  if (const auto* enumerator = std::get_if<const Declaration*>(&declaration.value.is))
    return enumerator_name(**enumerator);
  const std::string value = context.names.value(declaration.value, *declaration.type, nullptr);
  // names.value() spells the type of the other mapping in front of the digits.
  if (declaration.type->resolved().kind == TypeKind::fixed)
    return "::CORBA::Fixed" + value.substr(value.find("(\""));
  return value;
}
bool is_number(const Type& type) {
  const TypeKind kind = type.resolved().kind;
  return category(type) == Category::basic && kind != TypeKind::float_ && kind != TypeKind::double_ &&
         kind != TypeKind::long_double;
}
std::string constant_type(const Type& type) {
  const Category kind = category(type);
  return kind == Category::string        ? "const char* const"
         : kind == Category::wstring     ? "const wchar_t* const"
         : kind == Category::fixed_value ? "const ::CORBA::Fixed"
                                         : "const " + type_name(type);
}

}  // namespace

void print_constant(Context& context, const Declaration& declaration) {
  const bool nested = in_class(declaration);
  const std::string value =
      nested && !is_number(*declaration.type) ? "" : " = " + constant_value(context, declaration);
  context.out.print("$static$type $name$value;", {{"static", nested ? "static " : ""},
                                                  {"type", constant_type(*declaration.type)},
                                                  {"name", escaped(declaration.name)},
                                                  {"value", value}});
}

void print_constant_source(Context& context, const Declaration& declaration) {
  if (!in_class(declaration)) return;
  const std::string value = is_number(*declaration.type) ? "" : " = " + constant_value(context, declaration);
  context.out.print(
      "$type $name$value;",
      {{"type", constant_type(*declaration.type)}, {"name", local_name(declaration)}, {"value", value}});
}

namespace {

void print_type(Context& context, const Declaration& declaration) {
  switch (declaration.kind) {
    case Kind::struct_:
      return print_struct(context, declaration);
    case Kind::exception:
      return print_exception(context, declaration);
    case Kind::union_:
      print_union(context, declaration);
      return print_companions(context, declaration);
    case Kind::enum_:
      return print_enum(context, declaration);
    case Kind::constant:
      return print_constant(context, declaration);
    case Kind::typedef_:
      return print_typedef(context, declaration);
    case Kind::forward_:
      return print_forward(context, declaration);
    case Kind::interface_:
      return print_interface(context, declaration);
    case Kind::value:
      return print_value(context, declaration);
    case Kind::value_box:
      return print_box(context, declaration);
    default:
      return;
  }
}

}  // namespace

void print_declaration(Context& context, const Declaration& declaration) {
  print_type(context, declaration);
  print_type_code(context, declaration);
}

namespace {

void print_exception_constructor(Context& context, const Declaration& declaration) {
  cpp::Writer& out = context.out;
  out.print("$name::$plain($parameters) {", {{"name", local_name(declaration)},
                                             {"plain", escaped(declaration.name)},
                                             {"parameters", constructor_parameters(declaration)}});
  out.indent(2);
  for (const Declaration* member : members_of(declaration)) {
    const std::string to = escaped(member->name), from = "takt_" + member->name;
    if (category(*member->type) == Category::object)
      out.print("$to = ::takt::classic::Handles< $interface>::duplicate($from);",
                {{"to", to}, {"interface", interface_name(*member->type)}, {"from", from}});
    else if (member->type->kind == TypeKind::array)
      out.print("::takt::classic::copy_array($to, $from);", {{"to", to}, {"from", from}});
    else if (category(*member->type) == Category::array)
      out.print("::takt::classic::Arrays< $type>::copy($to, $from);",
                {{"type", type_name(*member->type)}, {"to", to}, {"from", from}});
    else
      out.print("$to = $from;", {{"to", to}, {"from", from}});
  }
  out.indent(-2);
  out.print("}");
}

}  // namespace

void print_struct_source(Context& context, const Declaration& declaration) {
  const auto members = members_of(declaration);
  context.out.blank();
  if (declaration.kind == Kind::exception && !members.empty())
    print_exception_constructor(context, declaration);
  if (declaration.is_local) return;
  // Strings are written with their bounds.
  for (const Transfer transfer : {Transfer::write, Transfer::read}) {
    context.out.print(transfer == Transfer::write
                          ? "void $name::_takt_write(::takt::classic::Writer&$out) const {"
                          : "void $name::_takt_read(::takt::classic::Reader&$in) {",
                      {{"name", local_name(declaration)},
                       {"out", members.empty() ? "" : " takt_out"},
                       {"in", members.empty() ? "" : " takt_in"}});
    for (const Declaration* member : members)
      context.out.print("  $statement;",
                        {{"statement", member_statement(transfer, *member->type, escaped(member->name))}});
    context.out.print("}");
  }
}

}  // namespace takt::idl::classic
