#include "cpp/ami.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cpp/declarations.h"

namespace takt::idl::cpp {

namespace {

using Direction = Declaration::Direction;

// The in and inout parameters.
std::string start_parameters(const Context& context, const Declaration& interface, const Call& call) {
  std::string list;
  for (const auto& parameter : call.parameters)
    if (parameter.direction != Direction::out)
      list += (list.empty() ? "" : ", ") + context.names.in_type(*parameter.type, &interface) + " " +
              escaped(parameter.name);
  return list;
}

std::string send_parameters(const Context& context, const Declaration& interface,
                            const AsynchronousInterface& of, const Call& call) {
  const std::string values = start_parameters(context, interface, call);
  return "CORBA::object_reference<" + context.names.declared(*of.handler, &interface) + "> " +
         handler_parameter(call) + (values.empty() ? "" : ", " + values);
}

// The operation's descriptor, with its arguments and result as values.
std::string operation_type(const Context& context, const Declaration& interface, const Call& call) {
  const bool views =
      returns_held(context, call) || std::ranges::any_of(call.parameters, [&](const auto& parameter) {
        return viewed(context, call, parameter) != nullptr;
      });
  return views ? descriptor_without_views(context, call, interface) : "_operations::" + call.descriptor;
}

std::string send_arguments(const Call& call) {
  std::string list;
  for (const auto& parameter : call.parameters)
    list += ", " + (parameter.direction == Direction::out ? "takt::async::nothing" : escaped(parameter.name));
  return list;
}

std::string raised_exceptions(const Context& context, const Declaration& interface,
                              const std::vector<Call>& calls) {
  std::string list;
  for (const Declaration* exception : raised_by(calls))
    list += (list.empty() ? "" : ", ") + context.names.declared(*exception, interface.scope);
  return list;
}

// The class of an interface's pollers, in the source file.
std::string poller_class(const AsynchronousInterface& of) { return of.poller->name + "_of_calls"; }

// The type that a call and its poller share. Its names are valid everywhere.
std::string polled_call(Context& context, const Declaration& interface, const AsynchronousInterface& of,
                        const AsynchronousCall& asynchronous_call, const Call& call) {
  context.names.in_full(true);
  const std::string handler = context.names.declared(*of.handler, interface.scope);
  std::string operation = operation_type(context, interface, call);
  if (operation.starts_with("_operations::"))
    operation = context.names.declared(interface, interface.scope) + "::" + operation;
  context.names.in_full(false);
  return "takt::async::PolledCallOf<" + operation + ", " + handler + ", &" + handler +
         "::" + escaped(asynchronous_call.reply) + ", &" + handler +
         "::" + escaped(asynchronous_call.exception) + ">";
}

// The operations of the interface's poller, which its bases' pollers have too.
void print_poller(Context& context, const Declaration& interface, const AsynchronousInterface& of) {
  Writer& out = context.out;
  out.print("namespace {\nclass $name final : public virtual $poller, public takt::async::PollerOfCall {",
            {{"name", poller_class(of)}, {"poller", context.names.declared(*of.poller, interface.scope)}});
  out.indent(2);
  out.print("public:\nusing PollerOfCall::PollerOfCall;");
  for (const Declaration* base : with_bases(interface)) {
    const AsynchronousInterface* const of_base = asynchronous(context, *base);
    if (!of_base) continue;
    const std::vector<Call> outcomes = calls_of(*of_base->poller);
    context.names.in_full(true);
    std::vector<std::string> parameters;
    for (const Call& outcome : outcomes)
      parameters.push_back(parameter_list(context, outcome, interface.scope));
    context.names.in_full(false);
    for (std::size_t i = 0; i != of_base->calls.size(); ++i) {
      const AsynchronousCall& asynchronous_call = of_base->calls[i];
      std::string arguments;
      for (const auto& parameter : outcomes[i].parameters)
        arguments += (arguments.empty() ? "" : ", ") + escaped(parameter.name);
      out.print("void $name($parameters) override { poll<$call>($arguments); }",
                {{"name", outcomes[i].method},
                 {"parameters", parameters[i]},
                 {"call", polled_call(context, *base, *of_base, asynchronous_call,
                                      synchronous(*base, asynchronous_call))},
                 {"arguments", arguments}});
    }
  }
  out.indent(-2);
  out.print("};\n}  // namespace");
}

}  // namespace

std::string handler_parameter(const Call& call) {
  std::string name = "ami_handler";
  const auto is_taken = [&](const auto& parameter) { return parameter.name == name; };
  while (std::ranges::any_of(call.parameters, is_taken)) name = "ami_" + name;
  return name;
}

const AsynchronousInterface* asynchronous(const Context& context, const Declaration& interface) {
  const auto found = context.unit.asynchronous.find(&interface);
  return found == context.unit.asynchronous.end() ? nullptr : &found->second;
}

Call synchronous(const Declaration& interface, const AsynchronousCall& call) {
  for (Call& one : calls_of(interface))
    if (one.declaration == call.declaration && one.wire_name.starts_with("_set_") == call.sets) return one;
  return {};
}

std::vector<const Declaration*> raised_by(const std::vector<Call>& calls) {
  std::vector<const Declaration*> all;
  for (const Call& call : calls)
    for (const Declaration* exception : call.raises)
      if (std::ranges::find(all, exception) == all.end()) all.push_back(exception);
  return all;
}

bool has_asynchronous(const Context& context) {
  return std::ranges::any_of(context.unit.asynchronous,
                             [](const auto& one) { return one.first->in_main_file; });
}

void print_asynchronous_calls(Context& context, const Declaration& interface) {
  const AsynchronousInterface* const of = asynchronous(context, interface);
  if (!of) return;
  Writer& out = context.out;
  out.blank();
  out.print("using _ami_handler_type = $handler;\nusing _ami_poller_type = $poller;",
            {{"handler", context.names.declared(*of->handler, &interface)},
             {"poller", context.names.declared(*of->poller, &interface)}});
  for (const AsynchronousCall& call : of->calls) {
    const Call stands_for = synchronous(interface, call);
    out.print(R"(void $send($send_parameters);
takt::async::Pending<$operation> $start($start_parameters);
CORBA::valuetype_reference<$poller> $poll($start_parameters);)",
              {{"send", call.send},
               {"send_parameters", send_parameters(context, interface, *of, stands_for)},
               {"operation", operation_type(context, interface, stands_for)},
               {"start", call.start},
               {"start_parameters", start_parameters(context, interface, stands_for)},
               {"poller", context.names.declared(*of->poller, &interface)},
               {"poll", call.poll}});
  }
}

void print_asynchronous_sources(Context& context, const Declaration& interface) {
  const AsynchronousInterface* const of = asynchronous(context, interface);
  if (!of) return;
  Writer& out = context.out;
  print_poller(context, interface, *of);
  std::vector<Call> calls;
  for (const AsynchronousCall& asynchronous_call : of->calls) {
    calls.push_back(synchronous(interface, asynchronous_call));
    const Call& call = calls.back();
    out.print(R"(void $interface::$send($send_parameters) {
  takt::async::send<$operation, &$handler::$reply, &$handler::$exception>(
      *this, std::move($handler_parameter)$arguments);
}
auto $interface::$start($start_parameters) -> takt::async::Pending<$operation> {
  return takt::async::Pending<$operation>(*this$arguments);
}
auto $interface::$poll($start_parameters) -> CORBA::valuetype_reference<$poller> {
  return takt::async::send_polled<$poller_class, $polled_call>(*this$arguments);
})",
              {{"interface", escaped(interface.name)},
               {"send", asynchronous_call.send},
               {"send_parameters", send_parameters(context, interface, *of, call)},
               {"handler_parameter", handler_parameter(call)},
               {"start", asynchronous_call.start},
               {"start_parameters", start_parameters(context, interface, call)},
               {"operation", operation_type(context, interface, call)},
               {"handler", context.names.declared(*of->handler, &interface)},
               {"reply", escaped(asynchronous_call.reply)},
               {"exception", escaped(asynchronous_call.exception)},
               {"poll", asynchronous_call.poll},
               {"poller", context.names.declared(*of->poller, &interface)},
               {"poller_class", poller_class(*of)},
               {"polled_call", polled_call(context, interface, *of, asynchronous_call, call)},
               {"arguments", send_arguments(call)}});
  }
  const std::string exceptions = raised_exceptions(context, interface, calls);
  if (!exceptions.empty())
    out.print(R"(namespace {
const takt::async::KnownExceptions<$exceptions> exceptions_of_$interface;
}  // namespace)",
              {{"exceptions", exceptions}, {"interface", escaped(interface.name)}});
}

}  // namespace takt::idl::cpp
