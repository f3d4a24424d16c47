#include "json_dump.h"

#include <nlohmann/json.hpp>

#include "sema/constants.h"

namespace takt::idl {

namespace {

using Json = nlohmann::ordered_json;
using K = DeclarationKind;

const char* kind_word(K kind) {
  switch (kind) {
    case K::module_:
      return "module";
    case K::interface_:
      return "interface";
    case K::forward_:
      return "forward";
    case K::value:
      return "valuetype";
    case K::value_box:
      return "valuebox";
    case K::struct_:
      return "struct";
    case K::union_:
      return "union";
    case K::enum_:
      return "enum";
    case K::enumerator:
      return "enumerator";
    case K::exception:
      return "exception";
    case K::typedef_:
      return "typedef";
    case K::constant:
      return "const";
    case K::native:
      return "native";
    case K::bitset:
      return "bitset";
    case K::bitmask:
      return "bitmask";
    case K::operation:
      return "operation";
    case K::attribute:
      return "attribute";
    case K::member:
      return "member";
    case K::initializer:
      return "factory";
    case K::component:
      return "component";
    case K::home:
      return "home";
    case K::event:
      return "eventtype";
    case K::port_type:
      return "porttype";
    case K::type_parameter:
      return "parameter";
    case K::template_module:
      return "template module";
  }
  return "declaration";
}

std::string spelled(const Type& type) {
  const auto bound = [&](const char* separator) {
    return type.bound ? separator + std::to_string(type.bound) : "";
  };
  switch (type.kind) {
    case TypeKind::named:
      return type.declaration->scoped_name();
    case TypeKind::sequence:
      return "sequence<" + spelled(*type.element) + bound(",") + ">";
    case TypeKind::map:
      return "map<" + spelled(*type.key) + "," + spelled(*type.element) + bound(",") + ">";
    case TypeKind::array:
      return spelled(*type.element) + "[" + std::to_string(type.bound) + "]";
    default:
      return describe(type);
  }
}

// Converts Latin-1 to UTF-8, which JSON requires.
std::string utf_8(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) {
    if (c < 0x80) {
      out.push_back(static_cast<char>(c));
    } else if (c < 0x800) {
      out.push_back(static_cast<char>(0xc0 | c >> 6));
      out.push_back(static_cast<char>(0x80 | (c & 0x3f)));
    } else {
      out.push_back(static_cast<char>(0xe0 | (c >> 12 & 0xf)));
      out.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3f)));
      out.push_back(static_cast<char>(0x80 | (c & 0x3f)));
    }
  }
  return out;
}

Json value_of(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value.is)) return *b;
  if (const auto* i = std::get_if<Int128>(&value.is)) {
    if (*i > INT64_MAX) return static_cast<std::uint64_t>(*i);
    return static_cast<std::int64_t>(*i);
  }
  if (const auto* f = std::get_if<long double>(&value.is)) return static_cast<double>(*f);
  if (const auto* c = std::get_if<char32_t>(&value.is)) return utf_8({c, 1});
  if (const auto* s = std::get_if<std::string>(&value.is)) {
    std::u32string wide;
    for (const char c : *s) wide.push_back(static_cast<unsigned char>(c));
    return utf_8(wide);
  }
  if (const auto* w = std::get_if<std::wstring>(&value.is)) {
    std::u32string wide;
    for (const wchar_t c : *w) wide.push_back(static_cast<char32_t>(c));
    return utf_8(wide);
  }
  if (const auto* f = std::get_if<FixedValue>(&value.is)) return fixed_to_text(*f);
  if (const auto* e = std::get_if<const Declaration*>(&value.is)) return (*e)->scoped_name();
  return nullptr;
}

Json names_of(const std::vector<Declaration*>& list) {
  Json names = Json::array();
  for (const Declaration* one : list) names.push_back(one->scoped_name());
  return names;
}

Json annotations_of(const std::vector<AnnotationUse>& uses) {
  Json list = Json::array();
  for (const AnnotationUse& use : uses) {
    Json arguments = Json::object();
    for (const auto& [name, value] : use.arguments)
      arguments[name.empty() ? "value" : name] = value_of(value);
    list.push_back({{"name", use.name}, {"arguments", std::move(arguments)}});
  }
  return list;
}

Json parameters_of(const Declaration& operation) {
  constexpr const char* directions[] = {"in", "out", "inout"};
  Json list = Json::array();
  for (const auto& parameter : operation.parameters)
    list.push_back({{"direction", directions[static_cast<int>(parameter.direction)]},
                    {"type", spelled(*parameter.type)},
                    {"name", parameter.name}});
  return list;
}

void add_type_and_value(Json& json, const Declaration& declaration) {
  const K kind = declaration.kind;
  if (declaration.type && kind != K::enumerator)
    json[kind == K::union_ ? "discriminator" : "type"] = spelled(*declaration.type);
  if (kind == K::constant || kind == K::enumerator) json["value"] = value_of(declaration.value);
}

// Adds each flag that is set.
void add_flags(Json& json, const Declaration& declaration) {
  const std::pair<const char*, bool> flags[] = {
      {"abstract", declaration.is_abstract}, {"local", declaration.is_local},
      {"custom", declaration.is_custom},     {"truncatable", declaration.is_truncatable},
      {"private", declaration.is_private},   {"readonly", declaration.is_readonly},
      {"oneway", declaration.is_oneway}};
  for (const auto& [name, is_set] : flags)
    if (is_set) json[name] = true;
}

// Adds each list that is not empty.
void add_names(Json& json, const Declaration& declaration) {
  const std::pair<const char*, const std::vector<Declaration*>&> lists[] = {
      {"bases", declaration.bases}, {"supports", declaration.supports}};
  for (const auto& [name, list] : lists)
    if (!list.empty()) json[name] = names_of(list);
}

void add_operation(Json& json, const Declaration& declaration) {
  if (declaration.kind == K::operation || declaration.kind == K::initializer)
    json["parameters"] = parameters_of(declaration);
  if (!declaration.raises.empty()) json["raises"] = names_of(declaration.raises);
  if (!declaration.set_raises.empty()) json["setraises"] = names_of(declaration.set_raises);
  if (!declaration.contexts.empty()) json["context"] = declaration.contexts;
}

void add_labels(Json& json, const Declaration& member) {
  if (member.labels.empty() && !member.default_label) return;
  Json& labels = json["labels"] = Json::array();
  for (const Value& label : member.labels) labels.push_back(value_of(label));
  if (member.default_label) labels.push_back("default");
}

// The order of the members is that of the text.
Json to_json_of(const Declaration& declaration) {
  const K kind = declaration.kind;
  Json json{{"kind", kind_word(kind)}, {"name", declaration.name}};
  if (kind != K::member && kind != K::enumerator) json["id"] = declaration.repository_id;
  if (!declaration.annotations.empty()) json["annotations"] = annotations_of(declaration.annotations);
  add_type_and_value(json, declaration);
  add_flags(json, declaration);
  if (declaration.width && (kind == K::member || kind == K::bitset || kind == K::bitmask))
    json["bits"] = declaration.width;
  add_names(json, declaration);
  add_operation(json, declaration);
  add_labels(json, declaration);
  if (declaration.contents.empty()) return json;
  Json& contents = json["contents"] = Json::array();
  for (const Declaration* inner : declaration.contents)
    if (inner->in_main_file) contents.push_back(to_json_of(*inner));
  return json;
}

}  // namespace

std::string to_json(const Unit& unit) {
  Json list = Json::array();
  for (const Declaration* declaration : unit.root.contents)
    if (declaration->in_main_file) list.push_back(to_json_of(*declaration));
  // Invalid UTF-8 becomes replacement characters; by default, dump() would throw.
  return list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace takt::idl
