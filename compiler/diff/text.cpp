#include "diff/text.h"

#include "sema/constants.h"

namespace takt::idl::diff {

namespace {

using K = DeclarationKind;

std::string bound_of(const Type& type, const char* separator) {
  return type.bound ? separator + std::to_string(type.bound) : "";
}

std::string labels_of(const Declaration& member) {
  std::string text;
  for (const Value& label : member.labels) text += "case " + text_of(label) + ": ";
  if (member.default_label) text += "default: ";
  return text;
}

const char* direction_word(Declaration::Direction direction) {
  switch (direction) {
    case Declaration::Direction::in:
      return "in ";
    case Declaration::Direction::out:
      return "out ";
    case Declaration::Direction::inout:
      return "inout ";
  }
  return "";
}

std::string member_text(const Declaration& member, const NameOf& name_of, bool with_names) {
  std::string text = labels_of(member);
  if (member.is_optional) text += "@optional ";
  if (member.width) text += std::to_string(member.width) + " bits ";
  if (member.type) text += text_of(*member.type, name_of);
  return with_names ? text + " " + member.name : text;
}

std::string one_of(const Declaration& one, const NameOf& name_of, bool with_names) {
  switch (one.kind) {
    case K::member:
      return member_text(one, name_of, with_names);
    case K::enumerator:
      return one.name;
    case K::operation:
      return (one.is_oneway ? "oneway " : "") + signature_of(one, name_of) + " " + one.name;
    case K::attribute:
      return (one.is_readonly ? "readonly attribute " : "attribute ") + text_of(*one.type, name_of) + " " +
             one.name;
    case K::initializer:
      return "factory " + one.name;
    default:
      return "";
  }
}

std::string listed(const Declaration& declaration, const NameOf& name_of, bool with_names) {
  std::string text;
  if (declaration.type && declaration.kind != K::enumerator)
    text += text_of(*declaration.type, name_of) + ";";
  for (const Declaration* base : declaration.bases) text += ": " + name_of(*base) + ";";
  for (const Declaration* one : declaration.contents)
    if (const std::string part = one_of(*one, name_of, with_names); !part.empty()) text += part + ";";
  return text;
}

}  // namespace

std::string scoped_name_of(const Declaration& declaration) { return declaration.scoped_name(); }

std::string text_of(const Type& type, const NameOf& name_of) {
  switch (type.kind) {
    case TypeKind::named:
      return name_of(*type.declaration);
    case TypeKind::sequence:
      return "sequence<" + text_of(*type.element, name_of) + bound_of(type, ", ") + ">";
    case TypeKind::map:
      return "map<" + text_of(*type.key, name_of) + ", " + text_of(*type.element, name_of) +
             bound_of(type, ", ") + ">";
    case TypeKind::array:
      return text_of(*type.element, name_of) + "[" + std::to_string(type.bound) + "]";
    default:
      return describe(type);
  }
}

std::string text_of(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value.is)) return *b ? "TRUE" : "FALSE";
  if (const auto* i = std::get_if<Int128>(&value.is)) return integer_to_text(*i);
  if (const auto* f = std::get_if<long double>(&value.is)) return std::to_string(*f);
  if (const auto* c = std::get_if<char32_t>(&value.is))
    return *c >= 0x20 && *c < 0x7f ? std::string("'") + static_cast<char>(*c) + "'"
                                   : "character " + std::to_string(static_cast<std::uint32_t>(*c));
  if (const auto* s = std::get_if<std::string>(&value.is)) return '"' + *s + '"';
  if (const auto* w = std::get_if<std::wstring>(&value.is)) {
    std::string text = "L\"";
    for (const wchar_t c : *w)
      text += c >= 0x20 && c < 0x7f ? std::string(1, static_cast<char>(c))
                                    : "<" + std::to_string(static_cast<std::uint32_t>(c)) + ">";
    return text + '"';
  }
  if (const auto* f = std::get_if<FixedValue>(&value.is)) return fixed_to_text(*f) + "d";
  if (const auto* e = std::get_if<const Declaration*>(&value.is)) return (*e)->name;
  return "";
}

std::string signature_of(const Declaration& operation, const NameOf& name_of) {
  std::string text = operation.type ? text_of(*operation.type, name_of) : "void";
  text += "(";
  for (const auto& parameter : operation.parameters)
    text += direction_word(parameter.direction) + text_of(*parameter.type, name_of) + ",";
  return text + ")";
}

std::string contents_of(const Declaration& declaration, const NameOf& name_of) {
  return listed(declaration, name_of, true);
}

std::string shape_of(const Declaration& declaration, const NameOf& name_of) {
  return listed(declaration, name_of, false);
}

}  // namespace takt::idl::diff
