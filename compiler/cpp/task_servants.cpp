#include "cpp/task_servants.h"

#include <vector>

#include "cpp/declarations.h"
#include "cpp/late_servants.h"
#include "cpp/operation_table.h"

namespace takt::idl::cpp {

namespace {

std::string task_skeleton_name(const Context& context, const Declaration& interface) {
  return free_name(context, interface, "Task_");
}

// The type of a task's result: that of the operation, or of its only out parameter, or a tuple of all.
std::string task_result(const Context& context, const Call& call) {
  std::vector<std::string> types;
  if (call.result) types.push_back(result_type(context, call, nullptr));
  for (const auto& parameter : call.parameters)
    if (parameter.direction != Declaration::Direction::in)
      types.push_back(context.names.type(*parameter.type, nullptr));
  if (types.empty()) return "void";
  if (types.size() == 1) return types.front();
  std::string list;
  for (const std::string& type : types) list += (list.empty() ? "" : ", ") + type;
  return "std::tuple<" + list + ">";
}

// The parameters of a task: what the request carries, by value.
std::string task_parameters(const Context& context, const Call& call) {
  std::string list;
  for (const auto& parameter : call.parameters)
    if (parameter.direction != Declaration::Direction::out)
      list += (list.empty() ? "" : ", ") + context.names.type(*parameter.type, nullptr) + " " +
              escaped(parameter.name);
  return list;
}

void print_task_skeleton(Context& context, const Declaration& interface) {
  Writer& out = context.out;
  const std::string name = task_skeleton_name(context, interface), client = "::" + full_name(interface);
  out.blank();
  out.print("// The base of $interface's servants whose methods are coroutines.",
            {{"interface", interface.name}});
  out.print("class $name : public virtual PortableServer::Servant {", {{"name", name}});
  out.indent(2);
  out.print("public:");
  out.print("using _stub_type = $client;", {{"client", client}});
  for (const Declaration* from : with_bases(interface))
    for (const Call& call : calls_of(*from))
      out.print("virtual takt::Task<$result> $name($parameters) = 0;",
                {{"result", task_result(context, call)},
                 {"name", call.method},
                 {"parameters", task_parameters(context, call)}});
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
struct CORBA::task_traits<$client> : CORBA::detail::skeleton_traits<$skeleton> {};)",
      {{"client", client}, {"skeleton", module_prefix(interface) + "POA::" + name}});
}

std::expected<void, std::string> print_task_table(Context& context, const Declaration& interface) {
  const std::string name = task_skeleton_name(context, interface);
  std::vector<std::string> names;
  std::string entries;
  for (const Declaration* from : with_bases(interface))
    for (const Call& call : calls_of(*from)) {
      names.push_back(call.wire_name);
      entries += "    takt::adapter::task_entry<" + name + ", ::" + full_name(*from) +
                 "::_operations::" + call.descriptor +
                 ",\n                              [](auto& servant, auto&... sent) {\n"
                 "                                return servant." +
                 call.method +
                 "(takt::adapter::detail::owned(sent)...);\n                              }>(),\n";
    }
  return print_operation_table(context, name, names, entries);
}

}  // namespace

void print_task_servants(Context& context) {
  context.names.in_full(true);
  in_namespaces(
      context, answers_late, [&](const Declaration& interface) { print_task_skeleton(context, interface); },
      "namespace POA");
  context.names.in_full(false);
}

std::expected<void, std::string> print_task_servants_source(Context& context) {
  return print_skeleton_sources(
      context, [&](const Declaration& interface) { return task_skeleton_name(context, interface); },
      [&](const Declaration& interface) { return print_task_table(context, interface); });
}

}  // namespace takt::idl::cpp
