// Asynchronous calls (sema/ami.h): sendc_ functions, and how their outcomes reach reply handlers.
#include <algorithm>
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
  std::string list = full_name(handler) + "_ptr " + cpp::handler_parameter(call);
  for (const auto& parameter : sent_by(call).parameters)
    list += ", " + parameter_type(parameter) + " " + parameter_name(parameter);
  return list;
}

// The interface's name as a part of other names. The lengths keep operations B_c of A and c of A_B apart, and
// M::A and M__A.
std::string joined_name(const Declaration& interface) {
  std::string name;
  const std::string local = local_name(interface);
  for (std::size_t at = 0; at < local.size();) {
    const std::size_t end = std::min(local.find("::", at), local.size());
    name += std::to_string(end - at) + local.substr(at, end - at);
    at = end + 2;
  }
  return name;
}
// The names of functions in the source.
std::string function_name(const char* prefix, const Declaration& interface, const AsynchronousCall& call) {
  return prefix + joined_name(interface) + "_" + call.reply;
}

// Reads the results of a reply, and throws if it has none.
void print_reading(Context& context, const Call& call, const std::string& reads) {
  cpp::Writer& out = context.out;
  out.print("try {\n  if (takt_reply.is_user_exception()) {");
  for (const Declaration* exception : call.raises)
    out.print("    ::takt::classic::throw_if_raised< $exception>(takt_reply);",
              {{"exception", full_name(defined(*exception))}});
  out.print("    takt_reply.throw_unlisted();\n  }");
  if (!reads.empty()) out.print("  ::takt::classic::Reader& takt_in = takt_reply.reply();");
  out.print(reads);
  out.print("  takt_reply.finish();");
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
  print_reading(context, call, reads);
  out.print(R"(} catch (const ::CORBA::Exception&) {
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

// The statements that encode the arguments and send them.
void print_sending(Context& context, const Call& call) {
  cpp::Writer& out = context.out;
  out.print("  do {");
  out.print(call.parameters.empty() && !has_context(call)
                ? "    takt_call.begin();"
                : "    ::takt::classic::Writer& takt_out = takt_call.begin();");
  for (const auto& parameter : call.parameters)
    out.print("    $write;",
              {{"write", write_statement(*parameter.type, "takt_out", parameter_name(parameter))}});
  if (has_context(call)) out.print("    ::takt::classic::write_count(takt_out, 0);");
  out.print("  } while (!takt_call.send());");
}

void print_send(Context& context, const Declaration& interface, const Declaration& handler,
                const AsynchronousCall& one) {
  cpp::Writer& out = context.out;
  const Call call = sent_by(cpp::synchronous(interface, one));
  out.print(R"(void $class::$send($parameters) {
  static const ::takt::classic::AsynchronousOperation takt_operation(_takt_op_$descriptor, &$deliver, &::takt::classic::release_handler< $handler>, &$copy);
  ::takt::classic::AsynchronousCall takt_call(_takt_reference(), takt_operation, ::takt::classic::handler_of($handler_parameter));)",
            {{"class", local_name(interface)},
             {"send", one.send},
             {"parameters", send_parameters(handler, cpp::synchronous(interface, one))},
             {"descriptor", call.descriptor},
             {"deliver", function_name("takt_deliver_", interface, one)},
             {"copy", function_name("takt_copy_", interface, one)},
             {"handler", full_name(handler)},
             {"handler_parameter", cpp::handler_parameter(call)}});
  print_sending(context, call);
  out.print("}");
}

std::string poll_parameters(const Call& call) {
  std::string list;
  for (const auto& parameter : sent_by(call).parameters)
    list += (list.empty() ? "" : ", ") + parameter_type(parameter) + " " + parameter_name(parameter);
  return list;
}

std::string poller_class(const Declaration& interface) { return "takt_poller_" + joined_name(interface); }

void print_poll(Context& context, const Declaration& interface, const AsynchronousInterface& of,
                const AsynchronousCall& one) {
  cpp::Writer& out = context.out;
  const Call call = sent_by(cpp::synchronous(interface, one));
  out.print(R"($poller* $class::$poll($parameters) {
  static const ::takt::classic::PolledOperation takt_operation(_takt_op_$descriptor, &$deliver, &::takt::classic::release_handler< $handler>, &$copy);
  ::takt::classic::ObjectVar<$poller> takt_made;
  $poller_class* const takt_poller = new $poller_class(this, _takt_reference(), takt_operation);
  takt_made = takt_poller;
  ::takt::classic::PolledSending takt_call(_takt_reference(), takt_operation, *takt_poller);)",
            {{"poller", full_name(*of.poller)},
             {"class", local_name(interface)},
             {"poll", one.poll},
             {"parameters", poll_parameters(cpp::synchronous(interface, one))},
             {"descriptor", call.descriptor},
             {"deliver", function_name("takt_deliver_", interface, one)},
             {"copy", function_name("takt_copy_", interface, one)},
             {"handler", full_name(*of.handler)},
             {"poller_class", poller_class(interface)}});
  print_sending(context, call);
  out.print("  return takt_made._retn();\n}");
}

// An operation of a poller, in its class.
void print_outcome(Context& context, const Call& call, const Call& outcome) {
  cpp::Writer& out = context.out;
  out.print("void $name($parameters) override {",
            {{"name", outcome.method}, {"parameters", parameters_of(outcome)}});
  out.indent(2);
  out.print("::takt::classic::DeliveredReply& takt_reply = _takt_take($operation, $timeout);",
            {{"operation", cpp::string_literal(call.wire_name)},
             {"timeout", parameter_name(outcome.parameters.front())}});
  std::string reads, assignments;
  for (const auto& parameter : outcome.parameters) {
    if (parameter.direction == Direction::in) continue;
    const std::string name = parameter_name(parameter);
    if (read_in_place(*parameter.type)) {
      reads += "  " + read_statement(*parameter.type, "takt_in", name) + ";\n";
      continue;
    }
    const Held value = classic::held(*parameter.type, "takt_p_" + parameter.name);
    out.print("$declaration;", {{"declaration", value.declaration}});
    reads += "  " + read_statement(*parameter.type, "takt_in", value.place) + ";\n";
    assignments += name + " = " + value.value + ";\n";
  }
  print_reading(context, call, reads);
  out.print("} catch (const ::CORBA::Exception&) {\n  _takt_note_raised();\n  throw;\n}");
  out.print(assignments);
  out.indent(-2);
  out.print("}");
}

// The operations of the interface's poller, which its bases' pollers have too.
void print_poller(Context& context, const Declaration& interface, const AsynchronousInterface& of) {
  cpp::Writer& out = context.out;
  out.print(R"(class $name final : public virtual $poller, public ::takt::classic::PollerOfCall {
 public:
  using PollerOfCall::PollerOfCall;)",
            {{"name", poller_class(interface)}, {"poller", full_name(*of.poller)}});
  out.indent(2);
  for (const Declaration* base : cpp::with_bases(interface)) {
    const AsynchronousInterface* const of_base = cpp::asynchronous(context, *base);
    if (!of_base) continue;
    const std::vector<Call> outcomes = cpp::calls_of(*of_base->poller);
    for (std::size_t i = 0; i != outcomes.size(); ++i)
      print_outcome(context, cpp::synchronous(*base, of_base->calls[i]), outcomes[i]);
  }
  out.indent(-2);
  out.print(R"(
 private:
  void* _takt_narrowed(::Messaging::ReplyHandler_ptr takt_handler) override {
    const $handler_var takt_narrowed($handler::_narrow(takt_handler));
    return ::takt::classic::handler_of(takt_narrowed.in());
  }
};)",
            {{"handler_var", full_name(*of.handler) + "_var"}, {"handler", full_name(*of.handler)}});
}

}  // namespace

void print_sendc_functions(Context& context, const Declaration& interface) {
  const AsynchronousInterface* const of = cpp::asynchronous(context, interface);
  if (!of) return;
  for (const AsynchronousCall& one : of->calls) {
    const Call call = cpp::synchronous(interface, one);
    context.out.print("virtual void $send($parameters);\nvirtual $poller* $poll($poll_parameters);",
                      {{"send", one.send},
                       {"parameters", send_parameters(*of->handler, call)},
                       {"poller", full_name(*of->poller)},
                       {"poll", one.poll},
                       {"poll_parameters", poll_parameters(call)}});
  }
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
  std::size_t number = 0;
  for (const Declaration* exception : cpp::raised_by(calls)) {
    // Exceptions of several modules may have one name.
    const std::string name =
        function_name("takt_known_", interface, of->calls.front()) + "_" + std::to_string(++number);
    out.print("const ::takt::classic::KnownException $name($id, &::takt::classic::raise_from< $exception>);",
              {{"name", name},
               {"id", cpp::string_literal(defined(*exception).repository_id)},
               {"exception", full_name(defined(*exception))}});
  }
  print_poller(context, interface, *of);
  out.print("}  // namespace");
  for (const AsynchronousCall& one : of->calls) {
    print_send(context, interface, *of->handler, one);
    print_poll(context, interface, *of, one);
  }
}

}  // namespace takt::idl::classic
