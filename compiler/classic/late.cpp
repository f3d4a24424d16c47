// Servants that answer later: M::AMH_FooExceptionHolder, M::AMH_FooResponseHandler and POA_M::AMH_Foo.
#include <deque>

#include "classic/printing.h"
#include "classic/types.h"
#include "cpp/late_servants.h"
#include "cpp/names.h"

namespace takt::idl::classic {

using cpp::Call;
using cpp::escaped;
using cpp::LateCall;
using Direction = Declaration::Direction;
using Kind = DeclarationKind;

namespace {

// The response handler of an interface as a local interface, which the IDL does not have.
class ResponseHandler {
 public:
  ResponseHandler(const Context& context, const Declaration& interface)
      : calls(cpp::late_calls_of(interface)) {
    name_beside(holder, Kind::native, interface,
                cpp::free_name(context, interface, "AMH_", "ExceptionHolder"));
    name_beside(handler, Kind::interface_, interface,
                cpp::free_name(context, interface, "AMH_", "ResponseHandler"));
    name_beside(skeleton, Kind::interface_, interface, cpp::free_name(context, interface, "AMH_"));
    handler.is_local = true;
    holder_type_.kind = TypeKind::named;
    holder_type_.declaration = &holder;
    for (const LateCall& one : calls) {
      if (one.answer.empty()) continue;
      add(one.answer, answer_parameters(one.call));
      add(one.exception_answer, {parameter(holder_type_, "holder")});
    }
  }
  ResponseHandler(const ResponseHandler&) = delete;
  ResponseHandler& operator=(const ResponseHandler&) = delete;

  const std::vector<LateCall> calls;
  Declaration holder, handler;
  Declaration skeleton;  // only its name counts

 private:
  static void name_beside(Declaration& made, Kind kind, const Declaration& interface, std::string name) {
    made.kind = kind;
    made.scope = interface.scope;
    std::string id = "IDL:" + full_name(interface).substr(2);
    id.resize(id.size() - escaped(interface.name).size());
    for (std::size_t at; (at = id.find("::")) != id.npos;) id.replace(at, 2, "/");
    made.repository_id = id + name + ":1.0";
    made.name = std::move(name);
  }
  static Declaration::Parameter parameter(const Type& type, std::string name) {
    Declaration::Parameter made;
    made.type = &type;
    made.name = std::move(name);
    return made;
  }
  static std::vector<Declaration::Parameter> answer_parameters(const Call& call) {
    std::vector<Declaration::Parameter> made;
    std::string result = "return_value";
    for (const auto& one : call.parameters)
      if (one.name == result) result = "amh_return_value";
    if (call.result) made.push_back(parameter(*call.result, result));
    for (const auto& one : call.parameters)
      if (one.direction != Direction::in) made.push_back(parameter(*one.type, one.name));
    return made;
  }
  void add(const std::string& name, std::vector<Declaration::Parameter> parameters) {
    Declaration& made = operations_.emplace_back();
    made.kind = Kind::operation;
    made.name = name;
    made.scope = &handler;
    made.parameters = std::move(parameters);
    handler.contents.push_back(&made);
  }

  Type holder_type_;
  std::deque<Declaration> operations_;
};

std::string own_name(const Declaration& declaration) {
  const std::string name = skeleton_name(declaration);
  return name.substr(name.rfind("::") + 2);
}

std::string operation_of(const LateCall& one) {
  return full_name(*one.interface) + "::_takt_op_" + one.call.descriptor;
}

// The arguments that the request carries: the parameters of the servant's method, behind the handler.
Call request_of(const Call& call) {
  Call sent = call;
  std::erase_if(sent.parameters, [](const auto& one) { return one.direction == Direction::out; });
  for (auto& one : sent.parameters) one.direction = Direction::in;
  return sent;
}

// The skeleton's name is in it, with its length: another interface of the module may have such an operation.
std::string raises_name(const ResponseHandler& of, const LateCall& one) {
  if (one.call.raises.empty()) return "::takt::classic::no_exceptions";
  const std::string name = own_name(of.skeleton);
  return "takt_raises_" + std::to_string(name.size()) + name + "_" + one.call.descriptor;
}

void print_raises(Context& context, const ResponseHandler& made) {
  for (const LateCall& one : made.calls) {
    if (one.call.raises.empty()) continue;
    std::string ids;
    for (const Declaration* exception : one.call.raises)
      ids += cpp::string_literal(defined(*exception).repository_id) + ", ";
    context.out.print("static const char* const $name[] = {$idsnullptr};",
                      {{"name", raises_name(made, one)}, {"idsnullptr", ids + "nullptr"}});
  }
}

// Prints the class that implements the response handler.
void print_answers(Context& context, const ResponseHandler& made) {
  cpp::Writer& out = context.out;
  const std::string name = "takt_answers_" + own_name(made.skeleton);
  out.print(R"(class $name final : public virtual $handler {
 public:
  $name(::takt::classic::Upcall& takt_call, const ::takt::classic::Operation& takt_operation)
      : takt_late(takt_call, takt_operation) {})",
            {{"name", name}, {"handler", full_name(made.handler)}});
  out.indent(2);
  std::size_t at = 0;
  for (const LateCall& one : made.calls) {
    if (one.answer.empty()) continue;
    Call answer = one.call;
    answer.declaration = made.handler.contents[at];  // which has no context
    answer.parameters = answer.declaration->parameters;
    std::string writes;
    for (const auto& parameter : answer.parameters)
      writes += "  " + write_statement(*parameter.type, "*takt_out", parameter_name(parameter)) + ";\n";
    out.print(
        "void $answer($parameters) override {\n  ::takt::classic::LateAnswering takt_answering(takt_late, "
        "$operation);",
        {{"answer", escaped(one.answer)},
         {"parameters", parameters_of(answer)},
         {"operation", operation_of(one)}});
    if (writes.empty())
      out.print("  ::takt::classic::begin_reply(takt_answering.call(), false);\n}");
    else
      out.print(
          "  try {\n  if (::takt::classic::Writer* const takt_out = "
          "::takt::classic::begin_reply(takt_answering.call(), true)) {\n$writes  }\n  } catch (...) {\n"
          "    takt_answering.answer_current_exception($raises);\n  }\n}",
          {{"writes", writes}, {"raises", raises_name(made, one)}});
    out.print(R"(void $excep($holder_ptr holder) override {
  ::takt::classic::require_holder(holder);
  ::takt::classic::LateAnswering takt_answering(takt_late, $operation);
  try {
    holder->raise_$answer();
  } catch (...) {
    takt_answering.answer_current_exception($raises);
  }
})",
              {{"excep", escaped(one.exception_answer)},
               {"holder_ptr", full_name(made.holder) + "_ptr"},
               {"operation", operation_of(one)},
               {"answer", one.answer},
               {"raises", raises_name(made, one)}});
    at += 2;
  }
  out.print("::takt::classic::LateCall takt_late;");
  out.indent(-2);
  out.print("};");
}

void print_serve(Context& context, const ResponseHandler& made, const LateCall& one) {
  cpp::Writer& out = context.out;
  const Call call = request_of(one.call);
  const std::string name = own_name(made.skeleton), answers = "takt_answers_" + name;
  const bool sent = !call.parameters.empty() || has_context(call);
  out.print(
      "void $name::_takt_serve_$operation(void* takt_skeleton, ::takt::classic::Reader&$in, "
      "::takt::classic::Upcall& takt_call) {",
      {{"name", name}, {"operation", call.descriptor}, {"in", sent ? " takt_in" : ""}});
  out.indent(2);
  std::string passed = "takt_handler.in()";
  for (const auto& parameter : call.parameters) {
    const Variable variable = classic::variable(parameter);
    out.print("$declaration;", {{"declaration", variable.declaration}});
    out.print("$read;", {{"read", read_statement(*parameter.type, "takt_in", variable.place)}});
    passed += ", " + variable.passed;
  }
  if (has_context(call)) {
    out.print("const ::CORBA::Context_var takt_context(::takt::classic::read_context(takt_in));");
    passed += ", takt_context.in()";
  }
  if (sent) out.print("if (!::takt::classic::arguments_read(takt_call)) return;");
  out.print(R"($answers* const takt_answers = new $answers(takt_call, $operation);
const $handler_var takt_handler(takt_answers);
try {
  static_cast<$name*>(takt_skeleton)->$method($passed);
} catch (...) {
  ::takt::classic::answer_unless_answered(takt_answers->takt_late, $operation, $raises);
})",
            {{"answers", answers},
             {"operation", operation_of(one)},
             {"handler_var", full_name(made.handler) + "_var"},
             {"name", name},
             {"method", call.method},
             {"passed", passed},
             {"raises", raises_name(made, one)}});
  out.indent(-2);
  out.print("}");
}

}  // namespace

void print_late_handlers(Context& context, const Declaration& interface) {
  const ResponseHandler made(context, interface);
  cpp::Writer& out = context.out;
  out.blank();
  out.print(R"(class $name : public ::takt::classic::ExceptionHolder {
 public:
  explicit $name(::CORBA::Exception* takt_exception) : ::takt::classic::ExceptionHolder(takt_exception) {})",
            {{"name", made.holder.name}});
  for (const LateCall& one : made.calls)
    if (!one.answer.empty()) out.print("  void raise_$answer() const { raise(); }", {{"answer", one.answer}});
  out.print("};\ntypedef $name* $name_ptr;",
            {{"name", made.holder.name}, {"name_ptr", made.holder.name + "_ptr"}});
  print_interface(context, made.handler);
}

void print_late_handlers_source(Context& context, const Declaration& interface) {
  print_interface_source(context, ResponseHandler(context, interface).handler);
}

void print_late_skeleton(Context& context, const Declaration& interface) {
  const ResponseHandler made(context, interface);
  cpp::Writer& out = context.out;
  out.blank();
  out.print("class $name : public virtual ::PortableServer::ServantBase {",
            {{"name", own_name(made.skeleton)}});
  out.indent(2);
  out.print("public:");
  out.print(
      "$interface_ptr _this() { return ::takt::classic::Proxies< "
      "$interface>::make(::takt::classic::this_reference(*this)); }",
      {{"interface_ptr", full_name(interface) + "_ptr"}, {"interface", full_name(interface)}});
  for (const LateCall& one : made.calls) {
    const std::string parameters = parameters_of(request_of(one.call));
    out.print(R"(virtual void $method($handler_ptr takt_handler$parameters) = 0;
static void _takt_serve_$operation(void* takt_skeleton, ::takt::classic::Reader& takt_in, ::takt::classic::Upcall& takt_call);)",
              {{"method", one.call.method},
               {"handler_ptr", full_name(made.handler) + "_ptr"},
               {"parameters", parameters.empty() ? "" : ", " + parameters},
               {"operation", one.call.descriptor}});
  }
  out.print(R"(const char* _takt_repository_id() override;
const ::takt::classic::Entry* _takt_find(const char* takt_name, ::std::size_t takt_length, void*& takt_skeleton) override;
bool _takt_supports(const char* takt_id) const override;
// A caller in this process marshals its request too, because it must wait for the answer.
bool _takt_dispatch_local(const ::takt::classic::Operation&, void**) override { return false; })");
  out.indent(-2);
  out.print("};");
}

std::expected<void, std::string> print_late_skeleton_source(Context& context, const Declaration& interface) {
  const ResponseHandler made(context, interface);
  const std::string name = own_name(made.skeleton);
  context.out.blank();
  context.out.print("namespace {");
  print_raises(context, made);
  print_answers(context, made);
  context.out.print("}  // namespace");
  std::vector<std::string> names;
  std::string entries, ids;
  for (const LateCall& one : made.calls) {
    print_serve(context, made, one);
    names.push_back(one.call.wire_name);
    entries += "    {&" + operation_of(one) + ", &_takt_serve_" + one.call.descriptor + ", nullptr, " +
               raises_name(made, one) + "},\n";
  }
  for (const Declaration* base : cpp::with_bases(interface))
    ids +=
        (ids.empty() ? "" : " || ") + ("::std::strcmp(takt_id, " + full_name(*base) + "::_PD_repoId) == 0");
  context.out.print(R"(const char* $name::_takt_repository_id() { return $interface::_PD_repoId; }
bool $name::_takt_supports(const char* takt_id) const { return $ids; })",
                    {{"name", name}, {"interface", full_name(interface)}, {"ids", ids}});
  return print_find_table(context, name, names, entries, {});
}

}  // namespace takt::idl::classic
