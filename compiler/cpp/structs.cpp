// Structs and exceptions.
#include <algorithm>

#include "cpp/declarations.h"
#include "sema/defaults.h"

namespace takt::idl::cpp {

namespace {

bool small(const Declaration& member) { return by_value(*member.type) && !member.is_optional; }

// The accessor's name. An exception's member `what` is escaped, because std::exception has a what().
std::string accessor(const Declaration& member) {
  const bool taken = member.scope->kind == DeclarationKind::exception && member.name == "what";
  return taken ? "_cxx_what" : escaped(member.name);
}

void print_accessors(Context& context, const Declaration& member, const Declaration* scope) {
  const std::string name = accessor(member), field = field_name(member),
                    type = member_type(context, member, scope);
  if (small(member))
    context.out.print(R"(void $name($type value) { $name_ = value; }
$type $name() const { return $name_; }
$type& $name() { return $name_; })",
                      {{"name", name}, {"type", type}, {"name_", field}});
  else
    context.out.print(R"(void $name(const $type& value) { $name_ = value; }
void $name($type&& value) { $name_ = std::move(value); }
const $type& $name() const { return $name_; }
$type& $name() { return $name_; })",
                      {{"name", name}, {"type", type}, {"name_", field}});
}

void print_constructor(Context& context, const Declaration& declaration, const std::string& base) {
  const auto members = members_of(declaration);
  const std::string name = escaped(declaration.name);
  std::string parameters, initializers;
  const auto add = [&](const std::string& parameter, const std::string& initialized) {
    parameters += (parameters.empty() ? "" : ", ") + parameter;
    initializers += (initializers.empty() ? "" : ", ") + initialized;
  };
  const bool has_base_member = std::ranges::find(members, "base", &Declaration::name) != members.end();
  const std::string part = has_base_member ? "_base" : "base";  // no member's name begins like that
  if (!base.empty()) add(base + " " + part, base + "(std::move(" + part + "))");
  for (const Declaration* member : members) {
    const std::string field = escaped(member->name), type = member_type(context, *member, &declaration);
    if (member->type->resolved().kind == TypeKind::array)
      add("const " + type + "& " + field, field_name(*member) + "(" + field + ")");
    else
      add(type + " " + field,
          field_name(*member) + "(" + (small(*member) ? field : "std::move(" + field + ")") + ")");
  }
  // Until the outer class is complete, a nested class's defaulted constructor is not known to exist, and a
  // union of the nested class needs it.
  context.out.print("$name() $body", {{"name", name}, {"body", in_class(declaration) ? "{}" : "= default;"}});
  if (parameters.empty()) return;
  const bool one = members.size() + !base.empty() == 1;
  context.out.print("$explicit$name($parameters)\n    : $initializers {}",
                    {{"explicit", one ? "explicit " : ""},
                     {"name", name},
                     {"parameters", parameters},
                     {"initializers", initializers}});
}

void print_fields(Context& context, const Declaration& declaration, const std::string& base) {
  const auto members = members_of(declaration);
  std::string fields;
  if (!base.empty()) fields = "takt::cdr::base_part<" + base + ">(self)";
  for (const Declaration* member : members)
    fields += (fields.empty() ? "" : ", ") + ("self." + field_name(*member));
  context.out.print(R"(template <class Self, class Visitor>
static constexpr decltype(auto) _fields([[maybe_unused]] Self& self, Visitor&& visit) {
  return visit($fields);
})",
                    {{"fields", fields}});
}

}  // namespace

std::string field_name(const Declaration& member) {
  std::string name = escaped(member.name) + "_";
  const auto is_taken = [&](const Declaration* other) {
    if (other->kind != DeclarationKind::member || other == &member) return false;
    if (other->name.ends_with('_') && escaped(other->name) == name) return true;
    const auto without_end = std::string_view(name).substr(0, name.size() - 1);
    return other->scope == member.scope && without_end.ends_with(other->name) &&
           without_end == escaped(other->name);
  };
  // Neither the names of the class and its bases nor accessors of the bases must be hidden.
  const auto is_taken_in_chain = [&] {
    for (const Declaration* at = member.scope; at; at = at->bases.empty() ? nullptr : &defined(*at->bases[0]))
      if (escaped(at->name) == name || std::ranges::any_of(at->contents, is_taken)) return true;
    return false;
  };
  while (is_taken_in_chain()) name += "_";
  return name;
}

bool has_text(const Declaration& declaration) {
  return declaration.kind == DeclarationKind::exception && !members_of(declaration).empty() &&
         declaration.name != "what";
}

std::string initializer(const Context& context, const Declaration& member, const Declaration* scope) {
  if (member.is_optional && !member.find_annotation("default")) return "{}";
  const auto value = default_of(member, context.unit);
  return value ? "{" + context.names.value(*value, *member.type, scope) + "}" : "{}";
}

std::string member_type(const Context& context, const Declaration& member, const Declaration* scope) {
  const std::string type = context.names.type(*member.type, scope);
  return member.is_optional ? "IDL::optional<" + type + ">" : type;
}

void print_struct(Context& context, const Declaration& declaration) {
  Writer& out = context.out;
  const std::string name = escaped(declaration.name);
  const bool is_exception = declaration.kind == DeclarationKind::exception;
  const auto members = members_of(declaration);
  const std::string base =
      declaration.bases.empty() ? "" : context.names.declared(defined(*declaration.bases[0]), &declaration);

  out.blank();
  out.print("class $name$bases {", {{"name", name},
                                    {"bases", is_exception   ? " final : public CORBA::UserException"
                                              : base.empty() ? ""
                                                             : " : public " + base}});
  out.indent(2);
  out.print("public:");
  print_nested(context, declaration);
  out.print("static constexpr takt::cdr::Description<$count> _description$description;",
            {{"count", std::to_string(members.size())}, {"description", description(declaration, members)}});
  out.blank();
  print_constructor(context, declaration, base);
  out.blank();
  for (const Declaration* member : members) print_accessors(context, *member, &declaration);
  out.blank();
  if (is_exception)
    out.print(R"(const char* _rep_id() const noexcept override { return _description.id.data(); }
const char* _name() const noexcept override { return "$name"; }
[[noreturn]] void _raise() const override { throw *this; }
const takt::cdr::ExceptionForm* _form() const noexcept override;)",
              {{"name", declaration.name}});
  if (has_text(declaration)) out.print("const char* what() const noexcept override;", {});
  print_value_semantics(context, name);
  out.print("static CORBA::typecode_reference _type_code();");
  print_fields(context, declaration, base);
  if (!members.empty()) {
    out.blank();
    out.print("private:");
    for (const Declaration* member : members)
      out.print("$type $name_$initializer;", {{"type", member_type(context, *member, &declaration)},
                                              {"name_", field_name(*member)},
                                              {"initializer", initializer(context, *member, &declaration)}});
    if (has_text(declaration)) out.print("takt::cdr::ExceptionText _text;", {});
  }
  out.indent(-2);
  out.print("};");
}

}  // namespace takt::idl::cpp
