#include "types/describe.h"

#include <algorithm>
#include <vector>

#include <takt/dynamic/dyn_any.h>

#include "json/members.h"
#include "json/types.h"
#include "json/values.h"

namespace takt::command {
namespace {

using CORBA::TCKind;
using CORBA::typecode_reference;
using json::Json;

std::string bounded(const std::string& name, std::uint32_t bound) {
  return bound ? name + '<' + std::to_string(bound) + '>' : name;
}

class ExampleMaker {
 public:
  Json of(const typecode_reference& given) {
    const typecode_reference type = json::behind_aliases(given);
    const cdr::TypeCodeParts& parts = type->_parts();
    const bool is_last = ++made_values_ > most_values || open_.size() == most_levels;
    const bool again = is_last || std::ranges::find(open_, type.get()) != open_.end();
    open_.push_back(type.get());
    Json example = again ? empty(type) : made(type, parts);
    open_.pop_back();
    return example;
  }

 private:
  static constexpr std::size_t most_levels = 20, most_values = 10'000;

  // For a type inside itself, and beyond the limits.
  static Json empty(const typecode_reference& type) {
    if (json::has_null(type)) return nullptr;
    return type->_parts().kind == TCKind::tk_sequence ? Json::array() : Json::object();
  }

  Json made(const typecode_reference& type, const cdr::TypeCodeParts& parts) {
    switch (parts.kind) {
      case TCKind::tk_struct:
      case TCKind::tk_except:
      case TCKind::tk_value:
      case TCKind::tk_event:
        return members(type);
      case TCKind::tk_union:
        return of_union(*type);
      case TCKind::tk_sequence:
      case TCKind::tk_array:
        return elements(*type);
      case TCKind::tk_enum:
        return parts.members.empty() ? Json(0) : Json(parts.members.front().name);
      case TCKind::tk_value_box:
        return {{"value", of(type->content_type())}};
      case TCKind::tk_any:
        return {{"type", "string"}, {"value", "text"}};
      default:
        return leaf(parts);
    }
  }

  static Json leaf(const cdr::TypeCodeParts& parts) {
    switch (parts.kind) {
      case TCKind::tk_boolean:
        return false;
      case TCKind::tk_char:
      case TCKind::tk_wchar:
        return "c";
      case TCKind::tk_string:
      case TCKind::tk_wstring:
        return parts.length && parts.length < 4 ? "t" : "text";
      case TCKind::tk_fixed:
        return "0";
      case TCKind::tk_float:
      case TCKind::tk_double:
        return 0.5;
      case TCKind::tk_longdouble:
        return "0.5";
      case TCKind::tk_TypeCode:
        return "long";
      case TCKind::tk_octet:
      case TCKind::tk_short:
      case TCKind::tk_ushort:
      case TCKind::tk_long:
      case TCKind::tk_ulong:
      case TCKind::tk_longlong:
      case TCKind::tk_ulonglong:
        return 0;
      default:
        return nullptr;
    }
  }

  Json members(const typecode_reference& type) {
    json::Path at("", {});
    Json example = Json::object();
    for (const json::Member& member : json::members_of(type, at)) example[member.name] = of(member.type);
    return example;
  }

  Json of_union(const CORBA::TypeCode& type) {
    const cdr::TypeCodeParts& parts = type._parts();
    if (json::is_optional(type)) return nullptr;
    for (std::uint32_t i = 0; i < parts.members.size(); ++i) {
      if (static_cast<std::int32_t>(i) == parts.default_index) continue;
      json::Values values({});
      return {{"discriminator", values.json_of(cdr::label_any(parts.discriminator, parts.members[i].label))},
              {"value", of(type.member_type(i))}};
    }
    Json example = {{"discriminator", of(parts.discriminator)}};
    if (!parts.members.empty()) example["value"] = of(type.member_type(0));
    return example;
  }

  Json elements(const CORBA::TypeCode& type) {
    const bool is_array = type._parts().kind == TCKind::tk_array;
    if (json::has_octets(type) && !is_array) return "AA==";
    constexpr std::uint32_t most_elements = 100;
    const std::uint32_t count = is_array ? std::min(type._parts().length, most_elements) : 1;
    Json example = Json::array();
    const auto* const element = json::behind_aliases(type.content_type()).get();
    if (!is_array && std::ranges::find(open_, element) != open_.end()) return example;
    for (std::uint32_t i = 0; i < count; ++i) example.push_back(of(type.content_type()));
    return example;
  }

  std::vector<const CORBA::TypeCode*> open_;
  std::size_t made_values_ = 0;  // the rest of a larger example is empty
};

std::string_view text_of(Direction direction) {
  return direction == Direction::in ? "in" : direction == Direction::out ? "out" : "inout";
}

}  // namespace

std::string scoped_name_of(const std::string& id, const std::string& plain) {
  const auto begin = id.find(':'), end = id.rfind(':');
  if (!id.starts_with("IDL:") || end <= begin) return plain;
  std::string path = id.substr(begin + 1, end - begin - 1);
  if (const auto dot = path.rfind('.'); dot != path.npos) {
    const auto slash = path.find('/', dot);
    if (slash == path.npos) return plain;
    path.erase(0, slash + 1);
  }
  std::string name;
  for (const char c : path)
    if (c == '/')
      name += "::";
    else
      name += c;
  return name;
}

std::string type_text(const typecode_reference& given) {
  const typecode_reference type = json::behind_aliases(given);
  const cdr::TypeCodeParts& parts = type->_parts();
  switch (parts.kind) {
    case TCKind::tk_string:
    case TCKind::tk_wstring:
      return bounded(std::string(json::name_of(parts.kind)), parts.length);
    case TCKind::tk_sequence:
      return "sequence<" + type_text(type->content_type()) +
             (parts.length ? ", " + std::to_string(parts.length) : "") + '>';
    case TCKind::tk_array:
      return type_text(type->content_type()) + '[' + std::to_string(parts.length) + ']';
    case TCKind::tk_fixed:
      return "fixed<" + std::to_string(parts.digits) + ", " + std::to_string(parts.scale) + '>';
    case TCKind::tk_objref:
      return parts.id == "IDL:omg.org/CORBA/Object:1.0" ? "Object" : scoped_name_of(parts.id, parts.name);
    default:
      if (json::is_optional(*type)) return "@optional " + type_text(type->member_type(0));
      return parts.id.empty() ? std::string(json::name_of(parts.kind)) : scoped_name_of(parts.id, parts.name);
  }
}

std::string signature_of(const Operation& operation) {
  if (operation.name.starts_with("_get_"))
    return "attribute " + type_text(operation.result) + ' ' + operation.name.substr(5);
  if (operation.name.starts_with("_set_"))
    return "attribute " + type_text(operation.parameters.front().type) + ' ' + operation.name.substr(5) +
           " (written)";
  std::string text =
      (operation.is_oneway ? "oneway " : "") + type_text(operation.result) + ' ' + operation.name + '(';
  for (const Parameter& parameter : operation.parameters)
    text.append(&parameter == operation.parameters.data() ? "" : ", ")
        .append(text_of(parameter.direction))
        .append(" " + type_text(parameter.type) + ' ' + parameter.name);
  text += ')';
  for (std::size_t i = 0; i < operation.exceptions.size(); ++i)
    text += (i == 0 ? " raises (" : ", ") + type_text(operation.exceptions[i]);
  return operation.exceptions.empty() ? text : text + ')';
}

Json example_of(const typecode_reference& type) { return ExampleMaker().of(type); }

Json example_arguments(const Operation& operation) {
  Json arguments = Json::object();
  for (const Parameter& parameter : operation.parameters)
    if (parameter.direction != Direction::out) arguments[parameter.name] = example_of(parameter.type);
  return arguments;
}

}  // namespace takt::command
