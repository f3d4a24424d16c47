#include "cpp/server.h"

#include <algorithm>

#include "cpp/ami.h"
#include "cpp/declarations.h"
#include "cpp/late_servants.h"
#include "cpp/operation_table.h"
#include "cpp/task_servants.h"
#include "cpp/tie.h"
#include "description/description.h"

namespace takt::idl::cpp {

namespace {

bool has_skeleton(const Declaration& declaration) {
  return declaration.kind == DeclarationKind::interface_ && !declaration.is_local && !declaration.is_abstract;
}

// The interface that a value's objects serve; null if the value supports no concrete interface.
const Declaration* served_by(const Declaration& value) {
  if (!is_value(value) || value.kind == DeclarationKind::value_box || value.is_abstract) return nullptr;
  const auto bases = with_bases(value);
  for (auto at = bases.rbegin(); at != bases.rend(); ++at)
    for (const Declaration* supported : (*at)->supports)
      if (has_skeleton(defined(*supported))) return &defined(*supported);
  return nullptr;
}

bool is_served(const Declaration& declaration) { return has_skeleton(declaration) || served_by(declaration); }

// "M::POA::Foo" for M::Foo.
std::string skeleton_name(const Declaration& served) {
  const std::string module = served.scope ? full_name(*served.scope) : std::string();
  return (module.empty() ? "" : module + "::") + "POA::" + escaped(served.name);
}

// The skeleton's name as seen from the skeleton of `from`: short within one module.
std::string skeleton_name(const Declaration& interface, const Declaration& from) {
  return interface.scope == from.scope ? escaped(interface.name) : "::" + skeleton_name(interface);
}

void print_traits(Context& context, const Declaration& served) {
  const bool tied = context.options.tie && has_skeleton(served);
  std::string tie = skeleton_name(served);
  tie.resize(tie.size() - escaped(served.name).size());
  context.at_end.print(
      R"(template <>
struct CORBA::servant_traits<::$client> : CORBA::detail::skeleton_traits<::$skeleton> {$end)",
      {{"client", full_name(served)}, {"skeleton", skeleton_name(served)}, {"end", tied ? "" : "};"}});
  if (tied)
    context.at_end.print(R"(  template <class T>
  using tie_type = ::$tie<T>;
};)",
                         {{"tie", tie + served.name + "_tie"}});
}

// Prints the class of a valuetype that is also a servant: its state class and the skeleton of the supported
// interface.
void print_value_servant(Context& context, const Declaration& value) {
  context.out.blank();
  context.out.print(R"(class $name : public virtual $state, public virtual $skeleton {
 public:
  std::string _repository_id() override { return $skeleton::_repository_id(); }
};)",
                    {{"name", escaped(value.name)},
                     {"state", state_class(value)},
                     {"skeleton", "::" + skeleton_name(*served_by(value))}});
  print_traits(context, value);
}

void print_class(Context& context, const Declaration& interface) {
  Writer& out = context.out;
  std::string bases;
  for (const Declaration* base : interface.bases) {
    const Declaration& meant = defined(*base);
    if (has_skeleton(meant))
      bases += (bases.empty() ? "" : ", ") + ("public virtual " + skeleton_name(meant, interface));
  }
  if (bases.empty()) bases = "public virtual PortableServer::Servant";
  const std::string name = escaped(interface.name), client = "::" + full_name(interface);

  out.blank();
  out.print("class $name : $bases {", {{"name", name}, {"bases", bases}});
  out.indent(2);
  out.print("public:");
  out.print("using _stub_type = $client;", {{"client", client}});
  std::vector<const Declaration*> declaring{&interface};
  for (const Declaration* base :
       with_bases(interface))  // an abstract interface has no skeleton to inherit from
    if (base->is_abstract) declaring.push_back(base);
  for (const Declaration* from : declaring)
    for (const Call& call : calls_of(*from))
      out.print("virtual $result $name($parameters) = 0;",
                {{"result", result_type(context, call, &interface)},
                 {"name", call.method},
                 {"parameters", parameter_list(context, call, &interface)}});
  out.blank();
  out.print(
      R"(CORBA::object_reference<$client> _this() { return takt::adapter::this_reference<$client>(_this_ref()); }
bool _is_a(const std::string& id) override;
std::string _repository_id() override;
bool _dispatch(takt::server::ServerCall& call) override;
bool _dispatch_searching(takt::server::ServerCall& call, takt::adapter::OperationSearch search) override;
bool _dispatch_local(const takt::OperationId& operation, void* frame) override;)",
      {{"client", client}});
  out.indent(-2);
  out.print("};");
  if (context.options.tie) print_tie(context, interface);
  print_traits(context, interface);
}

// Prints the operation table and its perfect hash.
std::expected<void, std::string> print_table(Context& context, const Declaration& interface) {
  const std::string name = escaped(interface.name);
  std::vector<std::string> names;
  std::string entries;
  for (const Declaration* from : with_bases(interface))
    for (const Call& call : calls_of(*from)) {
      names.push_back(call.wire_name);
      const std::string owner = from->is_abstract ? name : skeleton_name(*from, interface);
      entries += std::string("    takt::adapter::") +
                 (is_interpreted(context, call) ? "interpreted_entry<" : "entry<") + name +
                 ", ::" + full_name(*from) + "::_operations::" + call.descriptor + ", " + owner + ", &" +
                 owner + "::" + call.method + ">(),\n";
    }
  return print_operation_table(context, name, names, entries);
}

// Prints the interface's description, in a section that a linker drops if the program does not choose
// reflection.
void print_description(Context& context, const Declaration& interface) {
  context.out.print(
      R"(constexpr char octets_of_$name[] =$literal;
[[gnu::used, gnu::section("takt_interfaces")]] constexpr const char* description_of_$name = octets_of_$name;)",
      {{"name", escaped(interface.name)}, {"literal", description::literal_of_description(interface)}});
}

bool has_calls(const Declaration& interface) {
  return std::ranges::any_of(with_bases(interface),
                             [](const Declaration* base) { return !calls_of(*base).empty(); });
}

void print_members(Context& context, const Declaration& interface) {
  const std::string name = escaped(interface.name);
  std::string ids;
  for (const Declaration* base : with_bases(interface))
    ids += "id == " + string_literal(base->repository_id) + " || ";
  const std::string table = "table_of_" + name + ".dispatch";
  const bool calls = has_calls(interface);
  context.out.blank();
  context.out.print(
      R"(bool $name::_is_a(const std::string& id) { return $ids_or_servant; }
std::string $name::_repository_id() { return $id; }
bool $name::_dispatch(takt::server::ServerCall&$call) {
  return $dispatch;
}
bool $name::_dispatch_searching(takt::server::ServerCall&$call, takt::adapter::OperationSearch$search) {
  return $dispatch_searching;
}
bool $name::_dispatch_local(const takt::OperationId&$operation, void*$frame) {
  return $dispatch_local;
})",
      {{"name", name},
       {"ids_or_servant", ids + "PortableServer::Servant::_is_a(id)"},
       {"id", string_literal(interface.repository_id)},
       {"call", calls ? " call" : ""},
       {"operation", calls ? " operation" : ""},
       {"frame", calls ? " frame" : ""},
       {"dispatch", calls ? table + "(*this, call)" : "false"},
       {"search", calls ? " search" : ""},
       {"dispatch_searching", calls ? table + "_searching(*this, call, search)" : "false"},
       {"dispatch_local", calls ? table + "_local(*this, operation, frame)" : "false"}});
}

}  // namespace

std::string server_header(Context& context) {
  context.out = {};
  context.at_end = {};
  print_origin(context);
  context.out.print("#pragma once");
  context.out.blank();
  const bool late = std::ranges::any_of(context.unit.declarations, [](const Declaration& one) {
    return one.in_main_file && answers_late(one);
  });
  const bool handlers = late && context.options.amh, tasks = late && context.options.tasks;
  context.out.print("#include <takt/adapter/$skeleton.h>", {{"skeleton", tasks      ? "task_skeleton"
                                                                         : handlers ? "late_skeleton"
                                                                                    : "skeleton"}});
  if (std::ranges::any_of(context.unit.declarations,
                          [](const Declaration& one) { return one.in_main_file && served_by(one); }))
    context.out.print("#include <takt/adapter/value_servant.h>");
  if (has_asynchronous(context)) context.out.print("#include <takt/async/reply_handler.h>");
  context.out.blank();
  context.out.print("#include \"$name\"", {{"name", own_name(context, context.options.client_header)}});
  print_includes_of_others(context, context.options.server_header);
  in_namespaces(
      context, is_served,
      [&](const Declaration& served) {
        if (is_value(served))
          print_value_servant(context, served);
        else
          print_class(context, served);
      },
      "namespace POA");
  if (handlers) print_late_servants(context);
  if (tasks) print_task_servants(context);
  context.out.blank();
  return context.out.take() + context.at_end.take();
}

std::expected<std::string, std::string> server_source(Context& context) {
  context.out = {};
  print_origin(context);
  context.out.print("#include \"$name\"", {{"name", own_name(context, context.options.server_header)}});
  if (has_interpreted(context, true)) {
    context.out.blank();
    context.out.print("#include <takt/adapter/interpreted_skeleton.h>");
  }
  std::string failure;
  in_namespaces(
      context, has_skeleton,
      [&](const Declaration& interface) {
        context.out.blank();
        context.out.print("namespace {");
        if (has_calls(interface))
          if (const auto printed = print_table(context, interface); !printed) failure = printed.error();
        print_description(context, interface);
        context.out.print("}  // namespace");
        print_members(context, interface);
      },
      "namespace POA");
  if (!failure.empty()) return std::unexpected(failure);
  if (context.options.amh)
    if (const auto printed = print_late_servants_source(context); !printed)
      return std::unexpected(printed.error());
  if (context.options.tasks)
    if (const auto printed = print_task_servants_source(context); !printed)
      return std::unexpected(printed.error());
  return context.out.take();
}

}  // namespace takt::idl::cpp
