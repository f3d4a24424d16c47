#include "call/arguments.h"

#include <algorithm>
#include <utility>

#include "common/command.h"
#include "json/text.h"
#include "types/describe.h"

namespace takt::command {
namespace {

using json::Json;

std::vector<const Parameter*> sent_by(const Operation& operation) {
  std::vector<const Parameter*> sent;
  for (const Parameter& parameter : operation.parameters)
    if (parameter.direction != Direction::out) sent.push_back(&parameter);
  return sent;
}

std::string count_text(std::size_t count) {
  return count == 1 ? "1 argument" : std::to_string(count) + " arguments";
}

// A word without quotes is the usual mistake, so the message shows how a shell passes a string.
[[noreturn]] void fail_on_word(std::size_t index, const std::string& word, const std::string& fault) {
  std::string text = "argument " + std::to_string(index + 1) + ": not JSON: " + fault;
  if (word.find_first_of("\"'{}[]\\") == word.npos)
    text += "; a string is written '\"" + word + "\"' in a shell";
  fail(text);
}

std::vector<Json> arguments_in_object(const Json& object, const std::vector<const Parameter*>& sent) {
  std::vector<std::string> names;
  for (const Parameter* parameter : sent) names.push_back(parameter->name);
  for (const auto& [name, value] : object.items())
    if (std::ranges::find(names, name) == names.end())
      fail("the data have an argument " + json::quoted(name) + ", which the operation has not" +
           json::suggestion(name, names));
  std::vector<Json> arguments;
  for (const std::string& name : names) {
    const auto place = object.find(name);
    if (place == object.end()) fail("the data lack the argument \"" + name + "\"");
    arguments.push_back(*place);
  }
  return arguments;
}

}  // namespace

std::vector<Json> arguments_from(const Operation& operation, const std::vector<std::string>& words,
                                 const std::string& data) {
  const auto sent = sent_by(operation);
  std::vector<Json> arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto json = json::parse(words[i]);
    if (!json) fail_on_word(i, words[i], json.error());
    arguments.push_back(std::move(*json));
  }
  if (!data.empty()) {
    if (!words.empty()) fail("arguments come from the command line or from -d, not from both");
    const auto json = json::parse(data);
    if (!json) fail("the data are not JSON: " + json.error());
    if (json->is_object()) return arguments_in_object(*json, sent);
    if (!json->is_array()) fail("the data are neither an array of arguments nor an object with them by name");
    arguments.assign(json->begin(), json->end());
  }
  if (arguments.size() != sent.size())
    fail(signature_of(operation) + " takes " + count_text(sent.size()) + ", found " +
         std::to_string(arguments.size()));
  return arguments;
}

void fill(CORBA::Request& request, const Operation& operation, const std::vector<Json>& arguments,
          json::Values& values) {
  auto next = arguments.begin();
  std::size_t number = 0;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.direction == Direction::out) {
      request.add_out_arg(parameter.type, parameter.name);
      continue;
    }
    const std::string place = "argument " + std::to_string(++number) + " (" + parameter.name + ")";
    CORBA::Any value = values.any_of(*next++, parameter.type, place);
    if (parameter.direction == Direction::in)
      request.add_in_arg(parameter.name) = std::move(value);
    else
      request.add_inout_arg(parameter.name) = std::move(value);
  }
  request.set_return_type(operation.result);
  request.exceptions() = operation.exceptions;
  // Servers expect a list of context values, even if there are none.
  if (operation.has_contexts) request.contexts().emplace_back("*");
}

Json results_of(CORBA::Request& request, const Operation& operation, json::Values& values) {
  const bool is_void = operation.result->kind() == CORBA::TCKind::tk_void;
  Json result = is_void ? Json() : values.json_of(request.return_value(), "result");
  Json out = Json::object();
  for (std::size_t i = 0; i < operation.parameters.size(); ++i) {
    const Parameter& parameter = operation.parameters[i];
    if (parameter.direction == Direction::in) continue;
    const auto item = request.arguments()->item(static_cast<std::uint32_t>(i));
    out[parameter.name] = values.json_of(item->value(), "out parameter " + parameter.name);
  }
  if (out.empty()) {
    json::remove_needless_ids(result);
    return result;
  }
  Json all = Json::object();
  if (!is_void) all["result"] = std::move(result);
  all["out"] = std::move(out);
  json::remove_needless_ids(all);
  return all;
}

Json json_of_exception(const CORBA::Any& exception, json::Values& values) {
  Json members = values.json_of(exception, "exception");
  json::remove_needless_ids(members);
  return {{"exception", exception.type()->id()}, {"members", std::move(members)}};
}

}  // namespace takt::command
