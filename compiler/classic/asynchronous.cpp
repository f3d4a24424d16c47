// Asynchronous calls (sema/ami.h): sendc_ functions, and how their outcomes reach reply handlers.
#include <string>
#include <vector>

#include "classic/printing.h"
#include "classic/types.h"
#include "cpp/ami.h"
#include "cpp/names.h"

namespace takt::idl::classic {

using cpp::Call;
using cpp::escaped;
using Direction = Declaration::Direction;

namespace {

// The call with only its in and inout parameters, as in parameters.
Call sent_by(Call call) {
  std::vector<Declaration::Parameter> sent;
  for (auto& parameter : call.parameters) {
    if (parameter.direction == Direction::out) continue;
    parameter.direction = Direction::in;
    sent.push_back(parameter);
  }
  call.parameters = std::move(sent);
  return call;
}

struct Result {
  const Type* type;
  std::string name;  // the variable's
};
std::vector<Result> results_of(const Call& call) {
  std::vector<Result> results;
  if (call.result) results.push_back({call.result, "takt_result"});
  for (const auto& parameter : call.parameters)
    if (parameter.direction != Direction::in) results.push_back({parameter.type, "takt_p_" + parameter.name});
  return results;
}

// As the handler gets it, in its in parameter.
std::string passed(const Result& result) {
  const Category kind = category(*result.type);
  return kind == Category::basic || kind == Category::fixed_value ? result.name : result.name + ".in()";
}

std::string send_parameters(const Declaration& handler, const Call& call) {
  std::string list = full_name(handler) + "_ptr ami_handler";
  for (const auto& parameter : sent_by(call).parameters)
    list += ", " + parameter_type(parameter) + " " + escaped(parameter.name);
  return list;
}

// The names of functions in the source.
std::string function_name(const char* prefix, const Declaration& interface, const AsynchronousCall& call) {
  std::string name = prefix;
  for (const char c : local_name(interface)) name += c == ':' ? '_' : c;
  return name + "_" + call.reply;
}

void print_deliver(Context& context, const Declaration& interface, const Declaration& handler,
                   const AsynchronousCall& one) {
  cpp::Writer& out = context.out;
  const Call call = cpp::synchronous(interface, one);
  const std::vector<Result> results = results_of(call);
  out.print("void $name(void* takt_handler, ::takt::classic::DeliveredReply& takt_reply) {",
            {{"name", function_name("takt_deliver_", interface, one)}});
  out.indent(2);
  std::string reads, arguments;
  for (const Result& result : results) {
    const Held held = classic::held(*result.type, result.name);
    out.print("$declaration;", {{"declaration", held.declaration}});
    reads += "  " + read_statement(*result.type, "takt_in", held.place) + ";\n";
    arguments += (arguments.empty() ? "" : ", ") + passed(result);
  }
  out.print("try {\n  if (takt_reply.is_user_exception()) {");
  for (const Declaration* exception : call.raises)
    out.print("    ::takt::classic::throw_if_raised< $exception>(takt_reply);",
              {{"exception", full_name(defined(*exception))}});
  out.print("    takt_reply.throw_unlisted();\n  }");
  if (!results.empty()) out.print("  ::takt::classic::Reader& takt_in = takt_reply.reply();");
  out.print(reads);
  out.print(R"(  takt_reply.finish();
} catch (const ::CORBA::Exception&) {
  const ::Messaging::ExceptionHolder_var takt_holder(new ::Messaging::ExceptionHolder(std::current_exception()));
  static_cast<$handler*>(takt_handler)->$exception(takt_holder.in());
  return;
}
static_cast<$handler*>(takt_handler)->$reply($arguments);)",
            {{"handler", full_name(handler)},
             {"exception", escaped(one.exception)},
             {"reply", escaped(one.reply)},
             {"arguments", arguments}});
  out.indent(-2);
  out.print("}");
}

void print_copy(Context& context, const Declaration& interface, const AsynchronousCall& one) {
  cpp::Writer& out = context.out;
  const Call call = sent_by(cpp::synchronous(interface, one));
  const bool any = !call.parameters.empty();
  out.print("void $name(::takt::classic::Reader&$in, ::takt::classic::Writer&$out) {",
            {{"name", function_name("takt_copy_", interface, one)},
             {"in", any ? " takt_in" : ""},
             {"out", any || has_context(call) ? " takt_out" : ""}});
  out.indent(2);
  std::string writes;
  for (const auto& parameter : call.parameters) {
    const Variable variable = classic::variable(parameter);
    out.print("$declaration;\n$read;",
              {{"declaration", variable.declaration},
               {"read", read_statement(*parameter.type, "takt_in", variable.place)}});
    writes += write_statement(*parameter.type, "takt_out", variable.passed) + ";\n";
  }
  out.print(writes);
  if (has_context(call)) out.print("::takt::classic::write_count(takt_out, 0);");
  out.indent(-2);
  out.print("}");
}

void print_send(Context& context, const Declaration& interface, const Declaration& handler,
                const AsynchronousCall& one) {
  cpp::Writer& out = context.out;
  const Call call = sent_by(cpp::synchronous(interface, one));
  out.print(R"(void $class::$send($parameters) {
  static const ::takt::classic::AsynchronousOperation takt_operation(_takt_op_$descriptor, &$deliver, &::takt::classic::release_handler< $handler>, &$copy);
  ::takt::classic::AsynchronousCall takt_call(_takt_reference(), takt_operation, ::takt::classic::handler_of(ami_handler));
  do {)",
            {{"class", local_name(interface)},
             {"send", one.send},
             {"parameters", send_parameters(handler, cpp::synchronous(interface, one))},
             {"descriptor", call.descriptor},
             {"deliver", function_name("takt_deliver_", interface, one)},
             {"copy", function_name("takt_copy_", interface, one)},
             {"handler", full_name(handler)}});
  out.print(call.parameters.empty() && !has_context(call)
                ? "    takt_call.begin();"
                : "    ::takt::classic::Writer& takt_out = takt_call.begin();");
  for (const auto& parameter : call.parameters)
    out.print("    $write;",
              {{"write", write_statement(*parameter.type, "takt_out", escaped(parameter.name))}});
  if (has_context(call)) out.print("    ::takt::classic::write_count(takt_out, 0);");
  out.print("  } while (!takt_call.send());\n}");
}

}  // namespace

void print_sendc_functions(Context& context, const Declaration& interface) {
  const AsynchronousInterface* const of = cpp::asynchronous(context, interface);
  if (!of) return;
  for (const AsynchronousCall& one : of->calls)
    context.out.print("virtual void $send($parameters);",
                      {{"send", one.send},
                       {"parameters", send_parameters(*of->handler, cpp::synchronous(interface, one))}});
}

void print_sendc_sources(Context& context, const Declaration& interface) {
  const AsynchronousInterface* const of = cpp::asynchronous(context, interface);
  if (!of || of->calls.empty()) return;
  cpp::Writer& out = context.out;
  std::vector<Call> calls;
  out.blank();
  out.print("namespace {");
  for (const AsynchronousCall& one : of->calls) {
    print_deliver(context, interface, *of->handler, one);
    print_copy(context, interface, one);
    calls.push_back(cpp::synchronous(interface, one));
  }
  for (const Declaration* exception : cpp::raised_by(calls)) {
    std::string name =
        function_name("takt_known_", interface, of->calls.front()) + "_" + defined(*exception).name;
    out.print("const ::takt::classic::KnownException $name($id, &::takt::classic::raise_from< $exception>);",
              {{"name", name},
               {"id", cpp::string_literal(defined(*exception).repository_id)},
               {"exception", full_name(defined(*exception))}});
  }
  out.print("}  // namespace");
  for (const AsynchronousCall& one : of->calls) print_send(context, interface, *of->handler, one);
}

}  // namespace takt::idl::classic
