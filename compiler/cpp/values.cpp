// Valuetypes: the abstract class, the state class in namespace obv, the factory; and boxes.
#include <algorithm>

#include "cpp/declarations.h"

namespace takt::idl::cpp {

std::string state_class(const Declaration& value) {
  const std::string module = value.scope ? full_name(*value.scope) : std::string();
  return "::" + (module.empty() ? "" : module + "::") + "obv::" + escaped(value.name);
}

namespace {

const Declaration* concrete_base(const Declaration& value) {
  if (value.bases.empty()) return nullptr;
  const Declaration& base = defined(*value.bases[0]);
  return base.is_abstract ? nullptr : &base;
}

// The value itself and the interfaces that it supports, with their bases: all that declare its operations.
std::vector<const Declaration*> declaring_operations(const Declaration& value) {
  std::vector<const Declaration*> found;
  for (const Declaration* supported : value.supports)
    for (const Declaration* one : with_bases(defined(*supported)))
      if (std::ranges::find(found, one) == found.end()) found.push_back(one);
  found.push_back(&value);
  return found;
}

// Whether the application has to implement operations of the value.
bool has_operations(const Declaration& value) {
  return std::ranges::any_of(with_bases(value), [](const Declaration* one) {
    return one->is_custom || std::ranges::any_of(declaring_operations(*one), [](const Declaration* from) {
             return !calls_of(*from).empty();
           });
  });
}

std::vector<const Declaration*> initializers_of(const Declaration& value) {
  std::vector<const Declaration*> found;
  for (const Declaration* inner : value.contents)
    if (inner->kind == DeclarationKind::initializer) found.push_back(inner);
  return found;
}

void print_identity(Context& context, const Declaration& declaration) {
  std::string ids = string_literal(declaration.repository_id);
  for (const Declaration* at = &declaration; at->is_truncatable && concrete_base(*at);) {
    at = concrete_base(*at);
    ids += ", " + string_literal(at->repository_id);
  }
  context.out.print(R"(static constexpr std::string_view _value_ids[] = {$ids};
static constexpr takt::cdr::ValueDescription _value_description{_value_ids$custom};)",
                    {{"ids", ids}, {"custom", declaration.is_custom ? ", true" : ""}});
}

enum class In : std::uint8_t { value_class, state_class };
enum class Access : std::uint8_t { of_public, of_private };

// Prints a member's accessors: pure virtual in the value class, inline in its state class.
void print_accessors_of_member(Context& context, const Declaration& member, In in) {
  const bool in_state_class = in == In::state_class;
  const std::string name = escaped(member.name), field = field_name(member),
                    type = context.names.type(*member.type, member.scope);
  const auto body = [&](const std::string& statement) {
    return in_state_class ? " override { " + statement + " }" : std::string(" = 0;");
  };
  const std::string virtual_ = in_state_class ? "" : "virtual ";
  const std::string set = body(field + " = value;"), get = body("return " + field + ";");
  if (by_value(*member.type)) {
    context.out.print(R"($virtual_void $name($type value)$set
$virtual_$type $name() const$get)",
                      {{"virtual_void", virtual_ + "void"},
                       {"virtual_", virtual_},
                       {"type", type},
                       {"name", name},
                       {"set", set},
                       {"get", get}});
  } else {
    context.out.print(R"($virtual_void $name(const $type& value)$set
$virtual_void $name($type&& value)$move
$virtual_const $type& $name() const$get)",
                      {{"virtual_void", virtual_ + "void"},
                       {"virtual_const", virtual_ + "const"},
                       {"type", type},
                       {"name", name},
                       {"set", set},
                       {"move", body(field + " = std::move(value);")},
                       {"get", get}});
  }
  context.out.print("$virtual_$type& $name()$get",
                    {{"virtual_", virtual_}, {"type", type}, {"name", name}, {"get", get}});
}

void print_accessors(Context& context, const Declaration& value, In in, Access access) {
  for (const Declaration* member : members_of(value))
    if (member->is_private == (access == Access::of_private)) print_accessors_of_member(context, *member, in);
}

void print_value_class(Context& context, const Declaration& value) {
  Writer& out = context.out;
  const std::string name = escaped(value.name);
  std::string bases;
  for (const Declaration* base : value.bases)
    bases += (bases.empty() ? "" : ", ") +
             ("public virtual " + context.names.declared(defined(*base), value.scope));
  if (bases.empty()) bases = "public virtual CORBA::ValueBase";
  for (const Declaration* from : declaring_operations(value))
    if (is_abstract_interface(*from))
      bases += ", public virtual " + context.names.declared(*from, value.scope);

  out.print("class $name : $bases {", {{"name", name}, {"bases", bases}});
  out.indent(2);
  out.print("public:");
  out.print(R"(using _traits_type = IDL::traits<$name>;
using _ref_type = CORBA::valuetype_reference<$name>;)",
            {{"name", name}});
  if (!value.is_abstract) {
    out.print(R"(using _obv_type = $state;
using _factory_type = $factory;)",
              {{"state", state_class(value)}, {"factory", value.name + "_init"}});
    print_identity(context, value);
  }
  print_nested(context, value);
  print_accessors(context, value, In::value_class, Access::of_public);
  for (const Declaration* from : declaring_operations(value))
    for (const Call& call : calls_of(*from))
      out.print("virtual $result $name($parameters) = 0;",
                {{"result", result_type(context, call, &value)},
                 {"name", call.method},
                 {"parameters", parameter_list(context, call, &value)}});
  out.blank();
  out.print(R"(static const std::string& _repository_id();
static CORBA::typecode_reference _type_code();)");
  out.blank();
  out.print("protected:");
  out.print("$name() = default;", {{"name", name}});
  print_accessors(context, value, In::value_class, Access::of_private);
  out.indent(-2);
  out.print("};");
}

// The constructor takes the state of the base values too. Since these are virtual bases, it assigns their
// state instead of initializing it.
void print_constructor(Context& context, const Declaration& value) {
  std::vector<const Declaration*> chain;
  for (const Declaration* at = &value; at; at = concrete_base(*at)) chain.insert(chain.begin(), at);
  std::string parameters, initializers, assignments;
  std::size_t count = 0;
  for (const Declaration* from : chain) {
    for (const Declaration* member : members_of(*from)) {
      const std::string name = escaped(member->name), type = context.names.type(*member->type, from);
      const std::string moved = by_value(*member->type) ? name : "std::move(" + name + ")";
      parameters += (parameters.empty() ? "" : ", ") + type + " " + name;
      if (from == &value)
        initializers += (initializers.empty() ? " : " : ", ") + field_name(*member) + "(" + moved + ")";
      else
        assignments += " " + state_class(*from) + "::" + name + "(" + moved + ");";
      ++count;
    }
  }
  const std::string name = escaped(value.name);
  context.out.print("$name() = default;", {{"name", name}});
  if (count == 0) return;
  context.out.print("$explicit$name($parameters)$initializers {$assignments}",
                    {{"explicit", count == 1 ? "explicit " : ""},
                     {"name", name},
                     {"parameters", parameters},
                     {"initializers", initializers},
                     {"assignments", assignments}});
}

void print_state_class(Context& context, const Declaration& value) {
  Writer& out = context.out;
  const std::string name = escaped(value.name);
  const Declaration* const base = concrete_base(value);
  out.blank();
  out.print("namespace obv {");
  out.print("class $name : public virtual $value$base$custom {",
            {{"name", name},
             {"value", "::" + full_name(value)},
             {"base", base ? ", public virtual " + state_class(*base) : ""},
             {"custom", value.is_custom ? ", public virtual CORBA::CustomMarshal" : ""}});
  out.indent(2);
  out.print("public:");
  print_accessors(context, value, In::state_class, Access::of_public);
  out.print(R"(const takt::cdr::ValueDescription& _value_type() const override;
void _write_state(takt::cdr::Encoder& to) const override;
bool _read_state(takt::cdr::Decoder& from) override;)");
  out.blank();
  out.print("protected:");
  print_constructor(context, value);
  print_accessors(context, value, In::state_class, Access::of_private);
  const auto members = members_of(value);
  if (!members.empty()) {
    out.blank();
    out.print("private:");
    for (const Declaration* member : members)
      out.print("$type $name_$initializer;", {{"type", context.names.type(*member->type, &value)},
                                              {"name_", field_name(*member)},
                                              {"initializer", initializer(context, *member, &value)}});
  }
  out.indent(-2);
  out.print("};");
  out.print("}  // namespace obv");
}

void print_factory(Context& context, const Declaration& value) {
  Writer& out = context.out;
  out.blank();
  out.print("class $name : public virtual CORBA::ValueFactoryBase {", {{"name", value.name + "_init"}});
  out.indent(2);
  out.print("public:");
  for (const Declaration* made : initializers_of(value)) {
    Call call{};
    call.parameters = made->parameters;
    out.print("virtual CORBA::valuetype_reference<$value> $name($parameters) = 0;",
              {{"value", context.names.declared(value, value.scope)},
               {"name", escaped(made->name)},
               {"parameters", parameter_list(context, call, value.scope)}});
  }
  if (!has_operations(value))
    out.print("CORBA::valuetype_reference<CORBA::ValueBase> create_for_unmarshal() override;");
  out.indent(-2);
  out.print("};");
}

void print_state_source(Context& context, const Declaration& value) {
  const Declaration* const base = concrete_base(value);
  std::string members;
  for (const Declaration* member : members_of(value)) members += ", " + field_name(*member);
  const std::string name = "obv::" + escaped(value.name);
  context.out.print("const takt::cdr::ValueDescription& $name::_value_type() const { return $value; }",
                    {{"name", name}, {"value", "::" + full_name(value) + "::_value_description"}});
  if (value.is_custom) {
    context.out.print(R"(void $name::_write_state(takt::cdr::Encoder& to) const {
  CORBA::DataOutputStream stream(to);
  marshal(stream);
}
bool $name::_read_state(takt::cdr::Decoder& from) {
  CORBA::DataInputStream stream(from);
  unmarshal(stream);
  return from.ok();
})",
                      {{"name", name}});
    return;
  }
  const std::string base_name = base ? state_class(*base) : "";
  context.out.print(
      R"(void $name::_write_state([[maybe_unused]] takt::cdr::Encoder& to) const {
$base_write
$write
}
bool $name::_read_state(takt::cdr::Decoder& from) {
  return $base_read$read;
})",
      {{"name", name},
       {"base_write", base ? "  " + base_name + "::_write_state(to);\n  takt::cdr::end_base_state(to);" : ""},
       {"base_read", base ? base_name + "::_read_state(from) && " : ""},
       {"write", members.empty() ? "" : "  takt::cdr::write_members(to" + members + ");"},
       {"read", members.empty() ? "from.ok()" : "takt::cdr::read_members(from" + members + ")"}});
}

}  // namespace

void print_value(Context& context, const Declaration& value) {
  context.out.blank();
  if (!value.is_abstract)
    context.out.print(R"(namespace obv {
class $name;
}
class $factory;)",
                      {{"name", escaped(value.name)}, {"factory", value.name + "_init"}});
  print_value_class(context, value);
  if (value.is_abstract) return;
  // In namespace obv, a value's name means its state class.
  context.names.in_full(true);
  print_state_class(context, value);
  context.names.in_full(false);
  print_factory(context, value);
}

void print_value_box(Context& context, const Declaration& box) {
  Writer& out = context.out;
  const std::string name = escaped(box.name), type = context.names.type(*box.type, box.scope);
  out.blank();
  out.print("class $name final : public takt::cdr::ValueBox<$name, $type> {",
            {{"name", name}, {"type", type}});
  out.indent(2);
  out.print("public:");
  out.print(R"(using _traits_type = IDL::traits<$name>;
using _ref_type = CORBA::valuetype_reference<$name>;)",
            {{"name", name}});
  print_identity(context, box);
  out.blank();
  out.print(R"($name() = default;
explicit $name(_boxed_type value) : ValueBox(std::move(value)) {}
static const std::string& _repository_id();
static CORBA::typecode_reference _type_code();)",
            {{"name", name}});
  out.indent(-2);
  out.print("};");
}

void print_value_source(Context& context, const Declaration& value) {
  context.out.blank();
  context.out.print(R"(const std::string& $name::_repository_id() {
  static const std::string id = $id;
  return id;
})",
                    {{"name", escaped(value.name)}, {"id", string_literal(value.repository_id)}});
  if (value.is_abstract || value.kind == DeclarationKind::value_box) return;
  print_state_source(context, value);
  if (has_operations(value)) return;
  context.out.print(
      R"(CORBA::valuetype_reference<CORBA::ValueBase> $factory::create_for_unmarshal() {
  return CORBA::make_reference<$state>();
})",
      {{"factory", value.name + "_init"}, {"state", state_class(value)}});
}

}  // namespace takt::idl::cpp
