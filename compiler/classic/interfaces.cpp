// Interfaces: proxy classes and their operations.
#include <algorithm>

#include "classic/printing.h"
#include "classic/types.h"
#include "cpp/names.h"

namespace takt::idl::classic {

using cpp::Call;
using cpp::escaped;
using Direction = Declaration::Direction;

std::string parameters_of(const Call& call) {
  std::string list;
  for (const auto& parameter : call.parameters)
    list += (list.empty() ? "" : ", ") + parameter_type(parameter) + " " + parameter_name(parameter);
  if (has_context(call))
    list += (list.empty() ? "" : ", ") + std::string("::CORBA::Context_ptr takt_context");
  return list;
}
std::string arguments_of(const Call& call) {
  std::string list;
  for (const auto& parameter : call.parameters)
    list += (list.empty() ? "" : ", ") + parameter_name(parameter);
  if (has_context(call)) list += (list.empty() ? "" : ", ") + std::string("takt_context");
  return list;
}
bool has_context(const Call& call) { return !call.declaration->contexts.empty(); }

bool read_in_place(const Type& type) {
  const Category kind = category(type);
  return kind == Category::basic || kind == Category::fixed_value ||
         (kind == Category::array && !is_variable(type));
}

Held held(const Type& type, const std::string& name) {
  const std::string var = companion(type, "_var");
  switch (category(type)) {
    case Category::string:
    case Category::wstring:
    case Category::object:
      return {var + " " + name, name + ".inout()", name + "._retn()"};
    case Category::variable_value:
      return {var + " " + name + "(new " + type_name(type) + ")", name + ".inout()", name + "._retn()"};
    case Category::array:
      return {var + " " + name + "(" + type_name(type) + "_alloc())", name + ".ptr()", name + "._retn()"};
    default:
      return {type_name(type) + " " + name + " = " + type_name(type) + "()", name, name};
  }
}

namespace {

bool has_arguments(const Call& call) {
  for (const auto& parameter : call.parameters)
    if (parameter.direction != Direction::out) return true;
  return has_context(call);
}

// Values are copied also within the process, which a message does, and only the values of a context that the
// operation names are passed.
bool needs_message(const Call& call) {
  if (has_context(call)) return true;
  if (call.result && holds_value(*call.result)) return true;
  return std::ranges::any_of(call.parameters,
                             [](const auto& parameter) { return holds_value(*parameter.type); });
}

// The function by which a stub gets its reference.
const char* reference_of(const Declaration& interface) {
  return interface.is_abstract ? "_takt_abstract_reference()" : "_takt_reference()";
}

void print_local_call(Context& context, const Declaration& interface, const Call& call,
                      const std::string& operation) {
  std::string arguments;
  if (call.result) arguments = "&takt_local_result";
  for (const auto& parameter : call.parameters)
    arguments +=
        (arguments.empty() ? "" : ", ") + ("::takt::classic::argument_of(" + parameter_name(parameter) + ")");
  if (call.result) context.out.print("$type takt_local_result = {};", {{"type", result_type(call.result)}});
  if (!arguments.empty())
    context.out.print("void* takt_arguments[] = {$arguments};", {{"arguments", arguments}});
  context.out.print("if (::takt::classic::call_local($reference, $operation, $arguments)) return$result;",
                    {{"reference", reference_of(interface)},
                     {"operation", operation},
                     {"arguments", arguments.empty() ? "nullptr" : "takt_arguments"},
                     {"result", call.result ? " takt_local_result" : ""}});
}

void print_results(Context& context, const Call& call) {
  cpp::Writer& out = context.out;
  std::string assignments;
  if (call.result) {
    const Held result = held(*call.result, "takt_result");
    out.print("$declaration;\n$read;", {{"declaration", result.declaration},
                                        {"read", read_statement(*call.result, "takt_in", result.place)}});
  }
  for (const auto& parameter : call.parameters) {
    const std::string name = parameter_name(parameter);
    if (parameter.direction == Direction::in) continue;
    if (parameter.direction == Direction::inout || read_in_place(*parameter.type)) {
      out.print("$read;", {{"read", read_statement(*parameter.type, "takt_in", name)}});
      continue;
    }
    const Held value = held(*parameter.type, "takt_p_" + parameter.name);
    out.print("$declaration;\n$read;", {{"declaration", value.declaration},
                                        {"read", read_statement(*parameter.type, "takt_in", value.place)}});
    assignments += name + " = " + value.value + ";\n";
  }
  out.print("takt_call.finish();");
  out.print(assignments);
  if (call.result) out.print("return $value;", {{"value", held(*call.result, "takt_result").value}});
}

bool has_results(const Call& call) {
  if (call.result) return true;
  for (const auto& parameter : call.parameters)
    if (parameter.direction != Direction::in) return true;
  return false;
}

void print_stub(Context& context, const Declaration& interface, const Call& call) {
  cpp::Writer& out = context.out;
  const std::string operation = "_takt_op_" + call.descriptor;
  out.blank();
  out.print("$result $class::$name($parameters) {", {{"result", result_type(call.result)},
                                                     {"class", local_name(interface)},
                                                     {"name", call.method},
                                                     {"parameters", parameters_of(call)}});
  out.indent(2);
  if (has_context(call)) {
    std::string patterns;
    for (const std::string& pattern : call.declaration->contexts)
      patterns += (patterns.empty() ? "" : ", ") + cpp::string_literal(pattern);
    out.print("static const char* const takt_contexts[] = {$patterns};", {{"patterns", patterns}});
  }
  if (!needs_message(call)) print_local_call(context, interface, call, operation);
  out.print(
      "::takt::classic::Call takt_call($reference, $operation);\n::takt::classic::Call::Outcome "
      "takt_outcome;\ndo {",
      {{"reference", reference_of(interface)}, {"operation", operation}});
  out.print(has_arguments(call) ? "  ::takt::classic::Writer& takt_out = takt_call.begin();"
                                : "  takt_call.begin();");
  for (const auto& parameter : call.parameters)
    if (parameter.direction != Direction::out)
      out.print("  $write;",
                {{"write", write_statement(*parameter.type, "takt_out", parameter_name(parameter))}});
  if (has_context(call))
    out.print("  ::takt::classic::write_context(takt_out, takt_context, takt_contexts, $count);",
              {{"count", std::to_string(call.declaration->contexts.size())}});
  out.print(
      "  takt_outcome = takt_call.exchange();\n} while (takt_outcome == ::takt::classic::Call::again);");
  if (!call.declaration->is_oneway) {
    out.print("if (takt_outcome == ::takt::classic::Call::user_exception) {");
    for (const Declaration* exception : call.raises)
      out.print("  ::takt::classic::throw_if_raised< $exception>(takt_call);",
                {{"exception", full_name(defined(*exception))}});
    out.print("  takt_call.throw_unlisted();\n}");
    if (has_results(call)) out.print("::takt::classic::Reader& takt_in = takt_call.reply();");
    print_results(context, call);
  }
  out.indent(-2);
  out.print("}");
}

// The nil of a local interface, whose operations are pure.
void print_local_nil(Context& context, const Declaration& declaration) {
  cpp::Writer& out = context.out;
  std::string name = "takt_nil_";
  for (const char c : local_name(declaration)) name += c == ':' ? '_' : c;
  out.print(
      "namespace {\nstruct $nil final : $interface {\n  $nil() : "
      "::CORBA::LocalObject(::takt::classic::Nil()) {}",
      {{"nil", name}, {"interface", full_name(declaration)}});
  for (const Declaration* owner : cpp::with_bases(declaration)) {
    if (!owner->is_local) continue;
    for (const Call& call : cpp::calls_of(*owner)) {
      std::string types;
      for (const auto& parameter : call.parameters)
        types += (types.empty() ? "" : ", ") + parameter_type(parameter);
      if (has_context(call)) types += (types.empty() ? "" : ", ") + std::string("::CORBA::Context_ptr");
      out.print("  $result $method($types) override { ::takt::classic::raise_nil(); }",
                {{"result", result_type(call.result)}, {"method", call.method}, {"types", types}});
    }
  }
  out.print(R"(};
}  // namespace
$ptr $name::_nil() {
  static $nil* const takt_nil = new $nil;
  return takt_nil;
})",
            {{"ptr", full_name(declaration) + "_ptr"}, {"name", local_name(declaration)}, {"nil", name}});
}

bool has_root(const Declaration& interface) {
  if (interface.is_local) return true;  // LocalObject
  return std::ranges::any_of(interface.bases, [&](const Declaration* base) {
    return defined(*base).is_abstract == interface.is_abstract;
  });
}
const char* made_by(const Declaration& interface) {
  return interface.is_local ? "Locals" : interface.is_abstract ? "AbstractProxies" : "Proxies";
}

// Narrowing from abstract interfaces, where they are bases.
void print_abstract_narrow(Context& context, const Declaration& interface) {
  const auto bases = cpp::with_bases(interface);
  if (std::ranges::none_of(bases, [](const Declaration* base) { return base->is_abstract; })) return;
  context.out.print(
      "static $ptr _narrow(::takt::classic::AbstractPointer takt_object) { return "
      "::takt::classic::$made<$name>::narrow($object); }",
      {{"ptr", escaped(interface.name) + "_ptr"},
       {"name", escaped(interface.name)},
       {"made", made_by(interface)},
       {"object", interface.is_abstract ? "takt_object" : "::takt::classic::object_behind(takt_object)"}});
}

}  // namespace

void print_interface(Context& context, const Declaration& declaration) {
  cpp::Writer& out = context.out;
  const std::string name = escaped(declaration.name);
  std::string bases;
  for (const Declaration* base : declaration.bases)
    bases += (bases.empty() ? "" : ", ") + ("public virtual " + full_name(defined(*base)));
  if (declaration.is_local)
    bases += (bases.empty() ? "" : ", ") + std::string("public virtual ::CORBA::LocalObject");
  if (!has_root(declaration))
    bases += (bases.empty() ? "" : ", ") + std::string(declaration.is_abstract
                                                           ? "public virtual ::CORBA::AbstractBase"
                                                           : "public virtual ::CORBA::Object");
  out.blank();
  out.print(R"(class $name;
typedef $name* $ptr;
typedef ::takt::classic::ObjectVar<$name> $var;
typedef ::takt::classic::ObjectOut<$name> $out;
class $name : $bases {)",
            {{"name", name},
             {"ptr", name + "_ptr"},
             {"var", name + "_var"},
             {"out", name + "_out"},
             {"bases", bases}});
  out.indent(2);
  out.print("public:");
  out.print(R"(typedef $ptr _ptr_type;
typedef $var _var_type;
static $ptr _duplicate($ptr takt_object) { return ::takt::classic::$made<$name>::duplicate(takt_object); }
static $ptr _narrow(::CORBA::Object_ptr takt_object) { return ::takt::classic::$made<$name>::narrow(takt_object); }
static $ptr _unchecked_narrow(::CORBA::Object_ptr takt_object) { return ::takt::classic::$made<$name>::$unchecked(takt_object); }
static const char* const _PD_repoId;)",
            {{"name", name},
             {"ptr", name + "_ptr"},
             {"var", name + "_var"},
             {"made", made_by(declaration)},
             {"unchecked", declaration.is_local ? "narrow" : "unchecked"}});
  out.print(declaration.is_local ? "static $ptr _nil();"
                                 : "static $ptr _nil() { return ::takt::classic::$made<$name>::nil(); }",
            {{"ptr", name + "_ptr"}, {"name", name}, {"made", made_by(declaration)}});
  print_abstract_narrow(context, declaration);
  for (const Declaration* inner : declaration.contents) print_declaration(context, *inner);
  for (const Call& call : cpp::calls_of(declaration))
    out.print(declaration.is_local ? "virtual $result $name($parameters) = 0;"
                                   : "virtual $result $name($parameters);\nstatic const "
                                     "::takt::classic::Operation _takt_op_$descriptor;",
              {{"result", result_type(call.result)},
               {"name", call.method},
               {"parameters", parameters_of(call)},
               {"descriptor", call.descriptor}});
  print_sendc_functions(context, declaration);
  if (!declaration.is_abstract) out.print("bool _takt_has_type(const char* takt_id) const override;");
  out.blank();
  out.print("protected:");
  out.print("$name() {}", {{"name", name}});
  out.indent(-2);
  out.print("};");
}

void print_interface_source(Context& context, const Declaration& declaration) {
  cpp::Writer& out = context.out;
  const std::string name = local_name(declaration);
  std::string ids;
  for (const Declaration* base : cpp::with_bases(declaration))
    ids += "::std::strcmp(takt_id, " + full_name(*base) + "::_PD_repoId) == 0 || ";
  out.blank();
  out.print("const char* const $name::_PD_repoId = $id;",
            {{"name", name}, {"id", cpp::string_literal(declaration.repository_id)}});
  if (!declaration.is_abstract)
    out.print(R"(bool $name::_takt_has_type(const char* takt_id) const {
  return $ids::CORBA::Object::_takt_has_type(takt_id);
})",
              {{"name", name}, {"ids", ids}});
  if (declaration.is_local) return print_local_nil(context, declaration);
  for (const Call& call : cpp::calls_of(declaration)) {
    out.print("const ::takt::classic::Operation $name::_takt_op_$descriptor($wire, $one_way, $arguments);",
              {{"name", name},
               {"descriptor", call.descriptor},
               {"wire", cpp::string_literal(call.wire_name)},
               {"one_way", call.declaration->is_oneway ? "true" : "false"},
               {"arguments", has_arguments(call) ? "true" : "false"}});
    print_stub(context, declaration, call);
  }
  print_sendc_sources(context, declaration);
}

}  // namespace takt::idl::classic
