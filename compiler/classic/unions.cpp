// Unions. Each member has a place of its own, so that members with constructors need no care.
#include "classic/printing.h"
#include "classic/types.h"
#include "cpp/names.h"

namespace takt::idl::classic {

using cpp::escaped;

std::string label_text(const Context& context, const Declaration& declaration, const Value& value) {
  if (const auto* enumerator = std::get_if<const Declaration*>(&value.is))
    return enumerator_name(**enumerator);
  return context.names.value(value, declaration.type->resolved(), nullptr);
}

namespace {

// A discriminator that no label has; empty if there is none.
std::string unlabelled(const Context& context, const Declaration& declaration) {
  const auto unused = cpp::unused_label(declaration);
  return unused ? label_text(context, declaration, *unused) : std::string();
}

std::string chosen_label(const Context& context, const Declaration& declaration, const Declaration& member) {
  return member.labels.empty() ? unlabelled(context, declaration)
                               : label_text(context, declaration, member.labels.front());
}

std::string accessors(const Category kind) {
  switch (kind) {
    case Category::string:
    case Category::wstring:
      return R"(void $name($char* takt_value) { _pd__d = $label; _pd_$plain = takt_value; }
void $name(const $char* takt_value) { _pd__d = $label; _pd_$plain = takt_value; }
void $name(const ::takt::classic::TextVar<$char>& takt_value) { _pd__d = $label; _pd_$plain = takt_value; }
const $char* $name() const { return _pd_$plain.in(); })";
    case Category::object:
      return R"(void $name($type_ptr takt_value) { _pd__d = $label; _pd_$plain = ::takt::classic::duplicated(takt_value); }
$type_ptr $name() const { return _pd_$plain.in(); })";
    case Category::fixed_value:
    case Category::variable_value:
      return R"(void $name(const $type& takt_value) { _pd__d = $label; _pd_$plain = takt_value; }
const $type& $name() const { return _pd_$plain; }
$type& $name() { return _pd_$plain; })";
    case Category::array:
      return R"(void $name(const $type takt_value) { _pd__d = $label; ::takt::classic::Arrays< $type>::copy(_pd_$plain, takt_value); }
const $slice* $name() const { return _pd_$plain; }
$slice* $name() { return _pd_$plain; })";
    default:
      return R"(void $name($type takt_value) { _pd__d = $label; _pd_$plain = takt_value; }
$type $name() const { return _pd_$plain; })";
  }
}

void print_member(Context& context, const Declaration& declaration, const Declaration& member) {
  const Type& type = *member.type;
  const std::string named = named_type(member);
  print_named_type(context, type, named);
  context.out.print(accessors(category(type)),
                    {{"name", escaped(member.name)},
                     {"plain", member.name},
                     {"type", named},
                     {"type_ptr", named + "_ptr"},
                     {"slice", named + "_slice"},
                     {"char", category(type) == Category::wstring ? "wchar_t" : "char"},
                     {"label", chosen_label(context, declaration, member)}});
}

}  // namespace

void print_union(Context& context, const Declaration& declaration) {
  const std::string name = escaped(declaration.name);
  const std::string discriminator = type_name(*declaration.type);
  cpp::Writer& out = context.out;
  out.blank();
  out.print("class $name {", {{"name", name}});
  out.indent(2);
  out.print("public:");
  for (const Declaration* inner : declaration.contents)
    if (inner->kind != DeclarationKind::member) print_declaration(context, *inner);
  const std::string initial = declaration.has_implicit_default
                                  ? unlabelled(context, declaration)
                                  : chosen_label(context, declaration, *members_of(declaration).front());
  out.print("$name() : _pd__d($initial) {}\nvoid _d($type takt_value);\n$type _d() const { return _pd__d; }",
            {{"name", name}, {"type", discriminator}, {"initial", initial}});
  if (declaration.has_implicit_default)
    out.print("void _default() { _pd__d = $initial; }", {{"initial", initial}});
  for (const Declaration* member : members_of(declaration)) print_member(context, declaration, *member);
  if (!declaration.is_local)
    out.print(
        "void _takt_write(::takt::classic::Writer& takt_out) const;\nvoid "
        "_takt_read(::takt::classic::Reader& "
        "takt_in);");
  out.blank();
  out.print("private:");
  out.print("static int _takt_case($type takt_value);\n$type _pd__d;", {{"type", discriminator}});
  for (const Declaration* member : members_of(declaration)) {
    const std::string type = member->type->kind == TypeKind::array || member->type->kind == TypeKind::sequence
                                 ? named_type(*member)
                                 : member_type(*member->type);
    // Initialized, because copies of the union copy the members that are not chosen too.
    out.print("$type _pd_$name{};", {{"type", type}, {"name", member->name}});
  }
  out.indent(-2);
  out.print("};");
}

void print_union_source(Context& context, const Declaration& declaration) {
  cpp::Writer& out = context.out;
  const std::string name = local_name(declaration), type = type_name(*declaration.type);
  const auto members = members_of(declaration);
  out.blank();
  // The members are numbered from 1; 0 is no member.
  out.print("int $name::_takt_case($type takt_value) {", {{"name", name}, {"type", type}});
  out.indent(2);
  std::string otherwise = "0";
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i]->default_label) otherwise = std::to_string(i + 1);
    for (const Value& label : members[i]->labels)
      out.print("if (takt_value == $label) return $number;",
                {{"label", label_text(context, declaration, label)}, {"number", std::to_string(i + 1)}});
  }
  out.print("return $otherwise;", {{"otherwise", otherwise}});
  out.indent(-2);
  out.print("}");
  out.print(R"(void $name::_d($type takt_value) {
  if (_takt_case(takt_value) != _takt_case(_pd__d)) ::takt::classic::raise_discriminator();
  _pd__d = takt_value;
})",
            {{"name", name}, {"type", type}});
  if (declaration.is_local) return;
  for (const Transfer transfer : {Transfer::write, Transfer::read}) {
    out.print(transfer == Transfer::write
                  ? "void $name::_takt_write(::takt::classic::Writer& takt_out) const {\n  $statement;"
                  : "void $name::_takt_read(::takt::classic::Reader& takt_in) {\n  $statement;",
              {{"name", name}, {"statement", member_statement(transfer, *declaration.type, "_pd__d")}});
    out.print("  switch (_takt_case(_pd__d)) {");
    for (std::size_t i = 0; i < members.size(); ++i)
      out.print("    case $number: $statement; break;",
                {{"number", std::to_string(i + 1)},
                 {"statement", member_statement(transfer, *members[i]->type, "_pd_" + members[i]->name)}});
    out.print("    default: break;\n  }\n}");
  }
}

}  // namespace takt::idl::classic
