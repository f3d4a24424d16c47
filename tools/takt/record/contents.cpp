#include "record/contents.h"

#include <array>
#include <utility>

#include <takt/cdr/any.h>
#include <takt/cdr/decoder.h>

#include "json/values.h"

namespace takt::command {
namespace {

using giop::ReplyStatus;

constexpr cdr::CodeSets code_sets{cdr::CodeSetId::utf_8, cdr::CodeSetId::utf_16};

struct Unfit {
  std::string text;
};

// Reads the values of one body, in their order.
class Body {
 public:
  explicit Body(const giop::Event& event)
      : in_(event.body, event.body_index,
            {.giop_minor = event.version.minor, .order = event.order, .code_sets = &code_sets}),
        values_({}) {}

  Json value(const CORBA::typecode_reference& type, const std::string& name) {
    CORBA::Any any;
    if (!cdr::read_any_value(in_, type, any) || !in_.ok()) throw Unfit{name + " does not fit the IDL"};
    return values_.json_of(any, name);
  }
  std::string text() {
    std::string text;
    if (!cdr::Codec<std::string>::read(in_, text) || !in_.ok()) throw Unfit{"the exception has no id"};
    return text;
  }
  std::uint32_t number() {
    std::uint32_t number = 0;
    if (!cdr::Codec<std::uint32_t>::read(in_, number) || !in_.ok())
      throw Unfit{"the exception has no minor code"};
    return number;
  }

 private:
  cdr::Decoder in_;
  json::Values values_;
};

Json arguments_in(Body& body, const Operation& operation) {
  Json arguments = Json::object();
  for (const Parameter& parameter : operation.parameters)
    if (parameter.direction != Direction::out)
      arguments[parameter.name] = body.value(parameter.type, parameter.name);
  return arguments;
}

Json results_in(Body& body, const Operation& operation) {
  Json result, out = Json::object();
  const bool is_void = operation.result->kind() == CORBA::TCKind::tk_void;
  if (!is_void) result = body.value(operation.result, "the result");
  for (const Parameter& parameter : operation.parameters)
    if (parameter.direction != Direction::in)
      out[parameter.name] = body.value(parameter.type, parameter.name);
  if (out.empty()) return result;
  Json all = Json::object();
  if (!is_void) all["result"] = std::move(result);
  all["out"] = std::move(out);
  return all;
}

Json system_exception_in(Body& body) {
  static constexpr std::array completions{"YES", "NO", "MAYBE"};
  Json exception{{"exception", body.text()}};
  exception["minor"] = hex_number(body.number());
  const std::uint32_t completed = body.number();
  exception["completed"] = completed < completions.size() ? completions[completed] : "?";
  return exception;
}

Json user_exception_in(Body& body, const Operation* operation) {
  Json exception{{"exception", body.text()}};
  if (!operation) return exception;
  for (const CORBA::typecode_reference& type : operation->exceptions) {
    if (type->id() != exception["exception"]) continue;
    Json members = Json::object();
    for (std::uint32_t i = 0; i < type->member_count(); ++i)
      members[type->member_name(i)] = body.value(type->member_type(i), type->member_name(i));
    exception["members"] = std::move(members);
  }
  return exception;
}

Json read(const PassingCall& call, const Operation* operation) {
  const giop::Event& event = call.parsed.event;
  Body body(event);
  if (call.kind == PassingCall::Kind::request) return operation ? arguments_in(body, *operation) : Json();
  switch (event.reply_status) {
    case ReplyStatus::no_exception:
      return operation ? results_in(body, *operation) : Json();
    case ReplyStatus::user_exception:
      return user_exception_in(body, operation);
    case ReplyStatus::system_exception:
      return system_exception_in(body);
    default:
      return {};
  }
}

}  // namespace

Contents::Contents(Catalogue catalogue, std::string interface)
    : catalogue_(std::move(catalogue)), interface_(std::move(interface)) {}

const Operation* Contents::find(const std::string& operation) const {
  if (!interface_.empty()) {
    const Interface* const interface = catalogue_.find(interface_);
    return interface ? interface->find(operation) : nullptr;
  }
  for (const Interface& interface : catalogue_.interfaces)
    if (const Operation* const found = interface.find(operation)) return found;
  return nullptr;
}

Json Contents::of(const PassingCall& call) const {
  if (!call.is_whole || call.kind == PassingCall::Kind::other) return {};
  try {
    Json contents = read(call, find(call.operation));
    json::remove_needless_ids(contents);
    return contents;
  } catch (const Unfit& unfit) {
    return unfit.text;
  } catch (const json::Failure& failure) {
    return failure.what();
  }
}

}  // namespace takt::command
