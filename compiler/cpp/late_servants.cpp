#include "cpp/late_servants.h"

#include <algorithm>
#include <set>
#include <vector>

#include "cpp/declarations.h"
#include "cpp/operation_table.h"

namespace takt::idl::cpp {

namespace {

std::string handler_name(const Context& context, const Declaration& interface) {
  return free_name(context, interface, "AMH_", "ResponseHandler");
}
std::string late_skeleton_name(const Context& context, const Declaration& interface) {
  return free_name(context, interface, "AMH_");
}

std::string full_handler_name(const Context& context, const Declaration& interface) {
  return module_prefix(interface) + handler_name(context, interface);
}
std::string full_skeleton_name(const Context& context, const Declaration& interface) {
  return module_prefix(interface) + "POA::" + late_skeleton_name(context, interface);
}

// Reads "_get_x" and "_set_x" as "get_x" and "set_x", or with amh_ in front where an operation is called so.
std::string answer_name(const Call& call, const std::set<std::string>& operations) {
  if (call.declaration->kind == DeclarationKind::operation) return call.declaration->name;
  std::string name = call.wire_name.substr(1);
  while (operations.contains(name)) name = "amh_" + name;
  return name;
}

// The parameters of an answer, with their types or without.
enum class Print : bool { names, types };
std::string answer_parameters(const Context& context, const Call& call, Print print) {
  std::string list;
  const auto add = [&](const std::string& type, const std::string& name) {
    list += (list.empty() ? "" : ", ") + (print == Print::types ? type + " " : std::string()) + name;
  };
  if (call.result)
    add(returns_held(context, call) ? "const takt::HeldOctets&"
                                    : context.names.in_type(*call.result, nullptr),
        "_return_value");
  for (const auto& parameter : call.parameters)
    if (parameter.direction != Declaration::Direction::in)
      add(context.names.in_type(*parameter.type, nullptr), escaped(parameter.name));
  return list;
}

// The parameters of the servant's method, with a comma in front of each.
std::string request_parameters(const Context& context, const Call& call) {
  Call sent = call;
  std::erase_if(sent.parameters,
                [](const auto& parameter) { return parameter.direction == Declaration::Direction::out; });
  for (auto& parameter : sent.parameters) parameter.direction = Declaration::Direction::in;
  const std::string list = parameter_list(context, sent, nullptr);
  return list.empty() ? list : ", " + list;
}

std::string descriptor(const LateCall& one) {
  return "::" + full_name(*one.interface) + "::_operations::" + one.call.descriptor;
}

void print_response_handler(Context& context, const Declaration& interface) {
  Writer& out = context.out;
  const std::string name = handler_name(context, interface);
  out.blank();
  out.print(
      "// Answers one call of $interface, once, in any thread. Dropped without an answer, the caller gets "
      "NO_RESPONSE.",
      {{"interface", interface.name}});
  out.print("class $name : public virtual CORBA::LocalObject {", {{"name", name}});
  out.indent(2);
  out.print("public:");
  out.print(R"(using _traits_type = IDL::traits<$name>;
using _ref_type = CORBA::object_reference<$name>;)",
            {{"name", name}});
  out.blank();
  for (const LateCall& one : late_calls_of(interface)) {
    if (one.answer.empty()) continue;
    out.print(R"(virtual void $name($parameters) = 0;
virtual void $exception(const std::exception_ptr& _exception) = 0;)",
              {{"name", escaped(one.answer)},
               {"parameters", answer_parameters(context, one.call, Print::types)},
               {"exception", one.exception_answer}});
  }
  out.indent(-2);
  out.print("};");
}

void print_late_skeleton(Context& context, const Declaration& interface) {
  Writer& out = context.out;
  const std::string name = late_skeleton_name(context, interface), client = "::" + full_name(interface);
  out.blank();
  out.print("// The base of $interface's servants that answer later.", {{"interface", interface.name}});
  out.print("class $name : public virtual PortableServer::Servant {", {{"name", name}});
  out.indent(2);
  out.print("public:");
  out.print("using _stub_type = $client;", {{"client", client}});
  for (const LateCall& one : late_calls_of(interface))
    out.print("virtual void $name(CORBA::object_reference<$handler> _handler$parameters) = 0;",
              {{"name", one.call.method},
               {"handler", full_handler_name(context, interface)},
               {"parameters", request_parameters(context, one.call)}});
  out.blank();
  out.print(
      R"(CORBA::object_reference<$client> _this() { return takt::adapter::this_reference<$client>(_this_ref()); }
bool _is_a(const std::string& id) override;
std::string _repository_id() override;
bool _dispatch(takt::server::ServerCall& call) override;
bool _dispatch_searching(takt::server::ServerCall& call, takt::adapter::OperationSearch search) override;)",
      {{"client", client}});
  out.indent(-2);
  out.print("};");
  context.at_end.print(
      R"(template <>
struct CORBA::amh_traits<$client> : CORBA::detail::skeleton_traits<$skeleton> {
  using response_handler_type = $handler;
  using response_handler_ref_type = CORBA::object_reference<$handler>;
};)",
      {{"client", client},
       {"skeleton", full_skeleton_name(context, interface)},
       {"handler", full_handler_name(context, interface)}});
}

// Prints the class that implements the response handler.
void print_answers(Context& context, const Declaration& interface) {
  Writer& out = context.out;
  out.print(
      "class AnswersOf_$name final : public $handler {",
      {{"name", late_skeleton_name(context, interface)}, {"handler", full_handler_name(context, interface)}});
  out.indent(2);
  out.print("public:");
  out.print(R"(AnswersOf_$name(takt::server::ServerCall& call, std::string_view operation)
    : _answer(call, operation) {})",
            {{"name", late_skeleton_name(context, interface)}});
  for (const LateCall& one : late_calls_of(interface)) {
    if (one.answer.empty()) continue;
    const std::string values = answer_parameters(context, one.call, Print::names);
    out.print(R"(void $name($parameters) override {
  takt::adapter::give_results<$operation>(_answer$values);
}
void $exception(const std::exception_ptr& _exception) override {
  takt::adapter::give_exception<$operation>(_answer, _exception);
})",
              {{"name", escaped(one.answer)},
               {"parameters", answer_parameters(context, one.call, Print::types)},
               {"operation", descriptor(one)},
               {"values", values.empty() ? values : ", " + values},
               {"exception", one.exception_answer}});
  }
  out.blank();
  out.print("takt::server::LateAnswer _answer;");
  out.indent(-2);
  out.print("};");
}

std::expected<void, std::string> print_late_table(Context& context, const Declaration& interface) {
  const std::string name = late_skeleton_name(context, interface);
  std::vector<std::string> names;
  std::string entries;
  for (const LateCall& one : late_calls_of(interface)) {
    names.push_back(one.call.wire_name);
    entries += "    takt::adapter::late_entry<" + name + ", " + descriptor(one) + ", " +
               full_handler_name(context, interface) + ", AnswersOf_" + name +
               ",\n                              [](auto& servant, auto handler, auto&... sent) {\n"
               "                                servant." +
               one.call.method + "(std::move(handler), sent...);\n                              }>(),\n";
  }
  return print_operation_table(context, name, names, entries);
}

}  // namespace

std::vector<LateCall> late_calls_of(const Declaration& interface) {
  std::vector<LateCall> calls;
  std::set<std::string> operations, answers;
  for (const Declaration* from : with_bases(interface))
    for (const Call& call : calls_of(*from)) {
      calls.push_back({call, from, {}, {}});
      if (call.declaration->kind == DeclarationKind::operation) operations.insert(call.declaration->name);
    }
  for (LateCall& one : calls) {
    if (one.call.declaration->is_oneway) continue;
    one.answer = answer_name(one.call, operations);
    answers.insert(one.answer);
  }
  for (LateCall& one : calls) {
    if (one.answer.empty()) continue;
    std::string base = one.answer;
    while (answers.contains(base + "_excep")) base += "_amh";
    one.exception_answer = base + "_excep";
  }
  return calls;
}

bool answers_late(const Declaration& declaration) {
  return declaration.kind == DeclarationKind::interface_ && !declaration.is_local && !declaration.is_abstract;
}

std::string free_name(const Context& context, const Declaration& interface, const std::string& prefix,
                      const std::string& suffix) {
  const Declaration& scope = interface.scope ? *interface.scope : context.unit.root;
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::any_of(scope.contents, [&](const Declaration* one) {
      return one->name == name ||
             (one != &interface && answers_late(*one) && name == prefix + one->name + suffix);
    });
  };
  std::string name = prefix + interface.name + suffix;
  while (is_taken(name)) name = prefix + name;
  return name;
}

std::string module_prefix(const Declaration& interface) {
  const std::string module = interface.scope ? full_name(*interface.scope) : std::string();
  return "::" + module + (module.empty() ? "" : "::");
}

void print_late_members(Context& context, const Declaration& interface, const std::string& name) {
  std::string ids;
  for (const Declaration* base : with_bases(interface))
    ids += "id == " + string_literal(base->repository_id) + " || ";
  const bool calls = std::ranges::any_of(with_bases(interface),
                                         [](const Declaration* base) { return !calls_of(*base).empty(); });
  const std::string table = "table_of_" + name + ".dispatch";
  context.out.blank();
  context.out.print(
      R"(bool $name::_is_a(const std::string& id) { return $ids_or_servant; }
std::string $name::_repository_id() { return $id; }
bool $name::_dispatch(takt::server::ServerCall&$call) {
  return $dispatch;
}
bool $name::_dispatch_searching(takt::server::ServerCall&$call, takt::adapter::OperationSearch$search) {
  return $dispatch_searching;
})",
      {{"name", name},
       {"ids_or_servant", ids + "PortableServer::Servant::_is_a(id)"},
       {"id", string_literal(interface.repository_id)},
       {"call", calls ? " call" : ""},
       {"dispatch", calls ? table + "(*this, call)" : "false"},
       {"search", calls ? " search" : ""},
       {"dispatch_searching", calls ? table + "_searching(*this, call, search)" : "false"}});
}

void print_late_servants(Context& context) {
  context.names.in_full(true);
  in_namespaces(context, answers_late,
                [&](const Declaration& interface) { print_response_handler(context, interface); });
  in_namespaces(
      context, answers_late, [&](const Declaration& interface) { print_late_skeleton(context, interface); },
      "namespace POA");
  context.names.in_full(false);
}

std::expected<void, std::string> print_skeleton_sources(
    Context& context, const std::function<std::string(const Declaration&)>& name,
    const std::function<std::expected<void, std::string>(const Declaration&)>& print_hidden) {
  std::expected<void, std::string> result;
  context.names.in_full(true);
  in_namespaces(
      context, answers_late,
      [&](const Declaration& interface) {
        context.out.blank();
        context.out.print("namespace {");
        if (auto printed = print_hidden(interface); !printed) result = std::move(printed);
        context.out.print("}  // namespace");
        print_late_members(context, interface, name(interface));
      },
      "namespace POA");
  context.names.in_full(false);
  return result;
}

std::expected<void, std::string> print_late_servants_source(Context& context) {
  return print_skeleton_sources(
      context, [&](const Declaration& interface) { return late_skeleton_name(context, interface); },
      [&](const Declaration& interface) {
        print_answers(context, interface);
        return print_late_table(context, interface);
      });
}

}  // namespace takt::idl::cpp
