// Skeletons: POA_M::I, its dispatching, and its tie class.
#include <algorithm>

#include "classic/printing.h"
#include "classic/types.h"
#include "cpp/names.h"
#include "cpp/perfect_hash.h"
#include "description/description.h"

namespace takt::idl::classic {

using cpp::Call;
using cpp::escaped;
using Direction = Declaration::Direction;

Variable variable(const Declaration::Parameter& parameter) {
  const Type& type = *parameter.type;
  const std::string name = "takt_p_" + parameter.name, var = companion(type, "_var");
  const bool out = parameter.direction == Direction::out;
  const std::string access = out ? ".out()" : parameter.direction == Direction::inout ? ".inout()" : ".in()";
  switch (category(type)) {
    case Category::string:
    case Category::wstring:
    case Category::object:
      return {var + " " + name, name + ".inout()", name + access, name + ".in()"};
    case Category::variable_value:
      if (out) return {var + " " + name, "", name + ".out()", "::takt::classic::present(" + name + ".ptr())"};
      break;
    case Category::array:
      if (out && is_variable(type))
        return {var + " " + name, "", name + ".out()", "&::takt::classic::present(" + name + ".ptr())"};
      return {type_name(type) + " " + name, name, name, name};
    default:
      return {type_name(type) + " " + name + " = " + type_name(type) + "()", name, name, name};
  }
  return {type_name(type) + " " + name, name, name, name};
}

namespace {

std::string hash_arrays(const cpp::PerfectHash& hash, const std::string& type) {
  const cpp::TablesOfHash tables(hash);
  const auto array = [](const std::string& elements) {
    return "[] = {" + (elements.empty() ? "{0, 0}" : elements) + "};\n";  // empty: one operation
  };
  return "static constexpr " + type + "::Position takt_positions" + array(tables.positions) +
         "static constexpr " + type + "::Value takt_values" + array(tables.values) +
         "static constexpr ::std::uint16_t takt_slots" + array(tables.slots) + "static constexpr " + type +
         " takt_hash(takt_positions, " + (hash.counts_length ? "true" : "false") +
         ", takt_values, takt_slots);\n";
}

}  // namespace

std::expected<void, std::string> print_find_table(Context& context, const std::string& name,
                                                  const std::vector<std::string>& names,
                                                  const std::string& entries, const std::string& raises) {
  cpp::Writer& out = context.out;
  if (names.empty()) {
    out.print(
        "const ::takt::classic::Entry* $name::_takt_find(const char*, ::std::size_t, void*&) { return "
        "nullptr; }",
        {{"name", name}});
    return {};
  }
  const auto hash = cpp::find_perfect_hash(names);
  if (!hash) return std::unexpected(hash.error());
  const auto count = [](std::size_t size) { return std::to_string(size ? size : 1); };
  const std::string type = "::takt::classic::PerfectHash<" + count(hash->positions.size()) + ", " +
                           count(hash->values.size()) + ", " + count(hash->slots.size()) + ">";
  out.print(
      "const ::takt::classic::Entry* $name::_takt_find(const char* takt_name, ::std::size_t takt_length, "
      "void*& takt_skeleton) {",
      {{"name", name}});
  out.indent(2);
  out.print(raises);
  out.print("static const ::takt::classic::Entry takt_entries[] = {\n$entries};", {{"entries", entries}});
  out.print("// By gperf: positions, values of characters, slots.");
  out.print(hash_arrays(*hash, type));
  out.print("takt_skeleton = this;\nreturn takt_hash.find(takt_entries, takt_name, takt_length);");
  out.indent(-2);
  out.print("}");
  return {};
}

namespace {

// The class's own name: POA_I for an interface in the global scope.
std::string class_name(const Declaration& interface) {
  const std::string name = skeleton_name(interface);
  return name.substr(name.rfind("::") + 2);
}

Variable result_variable(const Type& type, const std::string& call) {
  const std::string var = companion(type, "_var");
  switch (category(type)) {
    case Category::string:
    case Category::wstring:
    case Category::object:
      return {var + " takt_result(" + call + ")", "", "", "takt_result.in()"};
    case Category::variable_value:
      return {var + " takt_result(" + call + ")", "", "", "::takt::classic::present(takt_result.ptr())"};
    case Category::array:
      return {var + " takt_result(" + call + ")", "", "", "&::takt::classic::present(takt_result.ptr())"};
    default:
      return {"const " + type_name(type) + " takt_result = " + call, "", "", "takt_result"};
  }
}

bool has_parameter_in(const Call& call, Direction first, Direction second) {
  return std::ranges::any_of(call.parameters, [&](const Declaration::Parameter& parameter) {
    return parameter.direction == first || parameter.direction == second;
  });
}

// Declares the parameters and reads those that were sent. Returns what the servant's method is passed.
std::string print_arguments(cpp::Writer& out, const Call& call) {
  std::string passed;
  for (const auto& parameter : call.parameters) {
    const Variable variable = classic::variable(parameter);
    out.print("$declaration;", {{"declaration", variable.declaration}});
    if (parameter.direction != Direction::out)
      out.print("$read;", {{"read", read_statement(*parameter.type, "takt_in", variable.place)}});
    passed += (passed.empty() ? "" : ", ") + variable.passed;
  }
  if (!has_context(call)) return passed;
  out.print("const ::CORBA::Context_var takt_context(::takt::classic::read_context(takt_in));");
  return passed + (passed.empty() ? "" : ", ") + "takt_context.in()";
}

// Calls the servant. Returns the statements that write the results.
std::string print_servant_call(cpp::Writer& out, const Call& call, const std::string& servant_call) {
  std::string writes;
  if (call.result) {
    const Variable result = result_variable(*call.result, servant_call);
    out.print("$declaration;", {{"declaration", result.declaration}});
    writes = "  " + write_statement(*call.result, "*takt_out", result.written) + ";\n";
  } else {
    out.print("$call;", {{"call", servant_call}});
  }
  for (const auto& parameter : call.parameters)
    if (parameter.direction != Direction::in)
      writes +=
          "  " + write_statement(*parameter.type, "*takt_out", classic::variable(parameter).written) + ";\n";
  return writes;
}

void print_serve(Context& context, const Declaration& interface, const Call& call) {
  cpp::Writer& out = context.out;
  const std::string name = class_name(interface);
  const bool sent = has_context(call) || has_parameter_in(call, Direction::in, Direction::inout);
  const bool returned = call.result || has_parameter_in(call, Direction::out, Direction::inout);
  const bool is_oneway = call.declaration->is_oneway;
  out.print(
      "void $name::_takt_serve_$operation(void* takt_skeleton, ::takt::classic::Reader&$in, "
      "::takt::classic::Upcall&$call) {",
      {{"name", name},
       {"operation", call.descriptor},
       {"in", sent ? " takt_in" : ""},
       {"call", sent || !is_oneway ? " takt_call" : ""}});
  out.indent(2);
  const std::string passed = print_arguments(out, call);
  if (sent) out.print("if (!::takt::classic::arguments_read(takt_call)) return;");
  const std::string writes = print_servant_call(
      out, call, "static_cast<" + name + "*>(takt_skeleton)->" + call.method + "(" + passed + ")");
  if (!is_oneway && returned)
    out.print(
        "if (::takt::classic::Writer* const takt_out = ::takt::classic::begin_reply(takt_call, true)) "
        "{\n$writes}",
        {{"writes", writes}});
  else if (!is_oneway)
    out.print("::takt::classic::begin_reply(takt_call, false);");
  out.indent(-2);
  out.print("}");
}

// The type by which both sides of a local call know a parameter.
std::string local_type(const Declaration::Parameter& parameter) {
  std::string type = parameter_type(parameter);
  if (type.ends_with("&")) type.pop_back();
  const Category kind = category(*parameter.type);
  const bool fixed_out =
      parameter.direction == Direction::out && (kind == Category::basic || kind == Category::fixed_value);
  if (fixed_out) return type_name(*parameter.type);
  if (parameter.direction == Direction::in &&
      (kind == Category::fixed_value || kind == Category::variable_value))
    return type.substr(std::string("const ").size());
  return type;
}

void print_serve_local(Context& context, const Declaration& interface, const Call& call) {
  std::string arguments;
  int number = call.result ? 1 : 0;
  for (const auto& parameter : call.parameters)
    arguments += (arguments.empty() ? "" : ", ") + ("::takt::classic::argument< " + local_type(parameter) +
                                                    ">(takt_arguments[" + std::to_string(number++) + "])");
  if (has_context(call))
    arguments += (arguments.empty() ? "" : ", ") + std::string("::CORBA::Context::_nil()");
  context.out.print(
      "void $name::_takt_serve_local_$operation(void* takt_skeleton, void**$unused) {\n  "
      "$call$arguments);\n}",
      {{"name", class_name(interface)},
       {"operation", call.descriptor},
       {"unused", number ? " takt_arguments" : ""},
       {"call",
        (call.result ? "::takt::classic::argument< " + result_type(call.result) + ">(takt_arguments[0]) = "
                     : "") +
            "static_cast<" + class_name(interface) + "*>(takt_skeleton)->" + call.method + "("},
       {"arguments", arguments}});
}

// "serve_x, serve_local_x" for a row, by way of a base where the base declares the operation.
std::string functions_of(const Declaration& interface, const Declaration& owner, const Call& call) {
  if (&interface == &owner)
    return "&_takt_serve_" + call.descriptor + ", &_takt_serve_local_" + call.descriptor;
  const std::string base = skeleton_name(owner), pair = class_name(interface) + ", " + base + ", &" + base;
  return "&::takt::classic::inherited<" + pair + "::_takt_serve_" + call.descriptor +
         ">, &::takt::classic::inherited_local<" + pair + "::_takt_serve_local_" + call.descriptor + ">";
}

std::expected<void, std::string> print_find(Context& context, const Declaration& interface) {
  std::vector<std::string> names;
  std::string entries, raises;
  for (const Declaration* owner : cpp::with_bases(interface))
    for (const Call& call : cpp::calls_of(*owner)) {
      names.push_back(call.wire_name);
      std::string listed = "::takt::classic::no_exceptions";
      if (!call.raises.empty()) {
        listed = "takt_raises_" + std::to_string(names.size());
        raises += "static const char* const " + listed + "[] = {";
        for (const Declaration* exception : call.raises)
          raises += cpp::string_literal(defined(*exception).repository_id) + ", ";
        raises += "nullptr};\n";
      }
      entries += "    {&" + full_name(*owner) + "::_takt_op_" + call.descriptor + ", " +
                 functions_of(interface, *owner, call) + ", " + listed + "},\n";
    }
  const std::string name = class_name(interface);
  return print_find_table(context, name, names, entries, raises);
}

// All operations, so that the class does not depend on the ties of bases. No IDL name begins with an
// underscore in C++, so none is hidden by the template's parameter.
void print_tie(Context& context, const Declaration& interface) {
  cpp::Writer& out = context.out;
  const std::string name = class_name(interface), tie = name + "_tie";
  out.blank();
  out.print(R"(template <class _takt_tied>
class $tie : public virtual $name, public ::takt::classic::TieBase<_takt_tied> {)",
            {{"tie", tie}, {"name", name}});
  out.indent(2);
  out.print("public:");
  out.print(
      R"($tie(_takt_tied& takt_tied) : ::takt::classic::TieBase<_takt_tied>(&takt_tied, false, nullptr) {}
$tie(_takt_tied& takt_tied, ::PortableServer::POA_ptr takt_poa) : ::takt::classic::TieBase<_takt_tied>(&takt_tied, false, takt_poa) {}
$tie(_takt_tied* takt_tied, ::CORBA::Boolean takt_release = true) : ::takt::classic::TieBase<_takt_tied>(takt_tied, takt_release, nullptr) {}
$tie(_takt_tied* takt_tied, ::PortableServer::POA_ptr takt_poa, ::CORBA::Boolean takt_release = true)
    : ::takt::classic::TieBase<_takt_tied>(takt_tied, takt_release, takt_poa) {}
::PortableServer::POA_ptr _default_POA() override { return this->_takt_poa(*this); })",
      {{"tie", tie}});
  for (const Declaration* owner : cpp::with_bases(interface))
    for (const Call& call : cpp::calls_of(*owner)) {
      out.print(
          "$result $method($parameters) override { $return_this->_tied_object()->$method($arguments); }",
          {{"result", result_type(call.result)},
           {"method", call.method},
           {"parameters", parameters_of(call)},
           {"return_this", call.result ? "return this" : "this"},
           {"arguments", arguments_of(call)}});
    }
  out.indent(-2);
  out.print("};");
}

// A value that supports interfaces can be a servant of them.
void print_value_skeleton(Context& context, const Declaration& value) {
  std::string bases;
  for (const Declaration* supported : value.supports)
    if (!defined(*supported).is_abstract)
      bases += "public virtual " + skeleton_name(defined(*supported)) + ", ";
  context.out.blank();
  context.out.print("class $name : $bases {};",
                    {{"name", class_name(value)}, {"bases", bases + "public virtual " + full_name(value)}});
}

}  // namespace

void print_skeleton(Context& context, const Declaration& interface) {
  if (interface.kind == DeclarationKind::value) return print_value_skeleton(context, interface);
  cpp::Writer& out = context.out;
  const std::string name = class_name(interface);
  std::string bases;
  for (const Declaration* base : interface.bases)
    bases += (bases.empty() ? "" : ", ") + ("public virtual " + skeleton_name(defined(*base)));
  if (bases.empty()) bases = "public virtual ::PortableServer::ServantBase";
  out.blank();
  out.print("class $name : $bases {", {{"name", name}, {"bases", bases}});
  out.indent(2);
  out.print("public:");
  if (!interface.is_abstract)
    out.print(
        "$interface_ptr _this() { return ::takt::classic::Proxies< "
        "$interface>::make(::takt::classic::this_reference(*this)); }",
        {{"interface_ptr", full_name(interface) + "_ptr"}, {"interface", full_name(interface)}});
  for (const Call& call : cpp::calls_of(interface))
    out.print(R"(virtual $result $method($parameters) = 0;
static void _takt_serve_$operation(void* takt_skeleton, ::takt::classic::Reader& takt_in, ::takt::classic::Upcall& takt_call);
static void _takt_serve_local_$operation(void* takt_skeleton, void** takt_arguments);)",
              {{"result", result_type(call.result)},
               {"method", call.method},
               {"parameters", parameters_of(call)},
               {"operation", call.descriptor}});
  out.print(R"(const char* _takt_repository_id() override;
const ::takt::classic::Entry* _takt_find(const char* takt_name, ::std::size_t takt_length, void*& takt_skeleton) override;
bool _takt_supports(const char* takt_id) const override;)");
  out.indent(-2);
  out.print("};");
  if (!interface.is_abstract) print_tie(context, interface);
}

std::expected<void, std::string> print_skeleton_source(Context& context, const Declaration& interface) {
  cpp::Writer& out = context.out;
  const std::string name = class_name(interface);
  out.blank();
  if (!interface.is_abstract)
    out.print(R"(namespace {
constexpr char takt_octets_of_$name[] =$literal;
// In a section that a linker drops if the program does not choose reflection.
[[gnu::used, gnu::section("takt_interfaces")]] constexpr const char* takt_description_of_$name =
    takt_octets_of_$name;
}  // namespace)",
              {{"name", name}, {"literal", description::literal_of_description(interface)}});
  for (const Call& call : cpp::calls_of(interface)) {
    print_serve(context, interface, call);
    print_serve_local(context, interface, call);
  }
  std::string ids;
  for (const Declaration* base : cpp::with_bases(interface))
    ids +=
        (ids.empty() ? "" : " || ") + ("::std::strcmp(takt_id, " + full_name(*base) + "::_PD_repoId) == 0");
  out.print(R"(const char* $name::_takt_repository_id() { return $interface::_PD_repoId; }
bool $name::_takt_supports(const char* takt_id) const { return $ids; })",
            {{"name", name}, {"interface", full_name(interface)}, {"ids", ids}});
  return print_find(context, interface);
}

}  // namespace takt::idl::classic
