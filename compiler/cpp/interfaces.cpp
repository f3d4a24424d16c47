#include "cpp/ami.h"
#include "cpp/declarations.h"

namespace takt::idl::cpp {

namespace {

// Whether sequences that are passed as views are described as such.
enum class Views { described, left_out };

// takt::In<T>, takt::InView<T, bound>, ...
std::string parameter_descriptor(const Context& context, const Call& call,
                                 const Declaration::Parameter& parameter, const Declaration& interface,
                                 Views views) {
  if (const Type* sequence = views == Views::described ? viewed(context, call, parameter) : nullptr)
    return "takt::InView<" + context.names.type(*sequence->element, &interface) +
           (sequence->bound ? ", " + std::to_string(sequence->bound) : "") + ">";
  const char* const direction = parameter.direction == Declaration::Direction::in      ? "takt::In<"
                                : parameter.direction == Declaration::Direction::inout ? "takt::InOut<"
                                                                                       : "takt::Out<";
  return direction + context.names.type(*parameter.type, &interface) + ">";
}

// R(takt::In<T>, ...)
std::string signature(const Context& context, const Call& call, const Declaration& interface, Views views) {
  std::string text = views == Views::described ? result_type(context, call, &interface)
                     : call.result             ? context.names.type(*call.result, &interface)
                                               : "void";
  std::string parameters;
  for (const auto& parameter : call.parameters)
    parameters +=
        (parameters.empty() ? "" : ", ") + parameter_descriptor(context, call, parameter, interface, views);
  return text + "(" + parameters + ")";
}

// takt::Operation<"name", R(takt::In<T>, ...), takt::Raises<E>>
std::string descriptor(const Context& context, const Call& call, const Declaration& interface,
                       Views views = Views::described) {
  const std::string name_and_types =
      string_literal(call.wire_name) + ", " + signature(context, call, interface, views);
  if (call.declaration->is_oneway) return "takt::OneWay<" + name_and_types + ">";
  std::string raises;
  for (const Declaration* exception : call.raises)
    raises += (raises.empty() ? "" : ", ") + context.names.declared(*exception, &interface);
  const bool with_context = !call.declaration->contexts.empty();
  if (!raises.empty() || with_context) raises = ", takt::Raises<" + raises + ">";
  if (with_context) raises += ", takt::OperationKind::with_context";
  return "takt::Operation<" + name_and_types + raises + ">";
}

// A local interface has no stub, so the application implements the operations that it inherits from abstract
// interfaces too.
std::vector<const Declaration*> declared_anew(const Declaration& interface) {
  std::vector<const Declaration*> found{&interface};
  if (!interface.is_local) return found;
  for (const Declaration* base : with_bases(interface))
    if (base->is_abstract) found.push_back(base);
  return found;
}

// "public virtual A, public virtual B": the bases of an interface's class.
std::string base_clause(Context& context, const Declaration& declaration) {
  std::string bases;
  for (const Declaration* base : declaration.bases)
    bases += (bases.empty() ? "" : ", ") +
             ("public virtual " + context.names.declared(defined(*base), declaration.scope));
  const char* root = declaration.is_abstract ? "CORBA::AbstractBase"
                     : declaration.is_local  ? "takt::reference::LocalBase"
                                             : "CORBA::Object";
  bool has_root = false;  // through a base
  for (const Declaration* base : declaration.bases) {
    const Declaration& meant = defined(*base);
    if (meant.is_local && meant.scoped_name().starts_with("::CORBA::")) continue;  // the runtime's own
    has_root =
        has_root || (meant.is_abstract == declaration.is_abstract && meant.is_local == declaration.is_local);
  }
  if (!has_root) bases += (bases.empty() ? "" : ", ") + ("public virtual " + std::string(root));
  return bases;
}

}  // namespace

void print_interface(Context& context, const Declaration& declaration) {
  Writer& out = context.out;
  const std::string name = escaped(declaration.name);
  const auto calls = calls_of(declaration);
  out.blank();
  out.print("class $name : $bases {", {{"name", name}, {"bases", base_clause(context, declaration)}});
  out.indent(2);
  out.print("public:");
  out.print(
      R"(using _traits_type = IDL::traits<$name>;
using _ref_type = $reference<$name>;)",
      {{"name", name},
       {"reference", declaration.is_abstract ? "CORBA::abstractbase_reference" : "CORBA::object_reference"}});
  print_nested(context, declaration);
  if (!declaration.is_local) {
    if (calls.empty()) {
      out.print("struct _operations {};");
    } else {
      out.print("struct _operations {");
      for (const Call& call : calls)
        out.print("  using $name = $descriptor;",
                  {{"name", call.descriptor}, {"descriptor", descriptor(context, call, declaration)}});
      out.print("};");
    }
  }
  out.blank();
  for (const Declaration* from : declared_anew(declaration))
    for (const Call& call : calls_of(*from))
      out.print("virtual $result $name($parameters)$pure;",
                {{"result", result_type(context, call, &declaration)},
                 {"name", call.method},
                 {"parameters", parameter_list(context, call, &declaration)},
                 {"pure", from != &declaration   ? " override = 0"
                          : declaration.is_local ? " = 0"
                                                 : ""}});
  print_asynchronous_calls(context, declaration);
  if (declaration.is_local)
    out.print("_ref_type _this() { return takt::reference::this_local<$name>(*this); }", {{"name", name}});
  out.blank();
  out.print(R"(static const std::string& _interface_repository_id();
$is_a_local
static CORBA::typecode_reference _type_code();)",
            {{"is_a_local",
              declaration.is_abstract ? "" : "bool _is_a_local(const std::string& id) const override;"}});
  out.blank();
  out.print("protected:");
  out.print("$name() = default;", {{"name", name}});
  out.indent(-2);
  out.print("};");
}

void print_interface_source(Context& context, const Declaration& declaration) {
  Writer& out = context.out;
  const std::string name = escaped(declaration.name);
  std::string ids;
  for (const Declaration* base : with_bases(declaration))
    ids += "id == " + string_literal(base->repository_id) + " || ";
  out.blank();
  out.print(R"(const std::string& $name::_interface_repository_id() {
  static const std::string id = $id;
  return id;
})",
            {{"name", name}, {"id", string_literal(declaration.repository_id)}});
  if (!declaration.is_abstract)
    out.print(
        "bool $name::_is_a_local(const std::string& id) const { return $idsCORBA::Object::_is_a_local(id); }",
        {{"name", name}, {"idsCORBA", ids + "CORBA"}});
  if (declaration.is_local) return;
  for (const Call& call : calls_of(declaration)) {
    std::string arguments;
    for (const auto& parameter : call.parameters) arguments += ", " + escaped(parameter.name);
    out.print(
        "$result $name::$method($parameters) { return "
        "takt::$invoke<_operations::$descriptor>($object$arguments); }",
        {{"invoke", is_interpreted(context, call) ? "invoke_interpreted" : "invoke"},
         {"result", result_type(context, call, declaration.scope)},
         {"name", name},
         {"method", call.method},
         {"parameters", parameter_list(context, call, &declaration)},
         {"descriptor", call.descriptor},
         {"object", declaration.is_abstract ? "_object()" : "*this"},
         {"arguments", arguments}});
  }
  print_asynchronous_sources(context, declaration);
}

std::string descriptor_without_views(const Context& context, const Call& call, const Declaration& interface) {
  return descriptor(context, call, interface, Views::left_out);
}

}  // namespace takt::idl::cpp
