#include "ifr/idl_of.h"

#include <cstdio>
#include <type_traits>
#include <vector>

#include "ifr/repository_client.h"
#include "json/text.h"
#include "json/values.h"
#include "types/describe.h"

namespace takt::command {
namespace {

using CORBA::typecode_reference;
using Kind = R::DefinitionKind;

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

// An alias by its name, where the repository says one.
std::string shown(const typecode_reference& type) {
  if (type->kind() == CORBA::TCKind::tk_alias) return scoped_name_of(type->id(), type->name());
  if (type->kind() != CORBA::TCKind::tk_sequence) return type_text(type);
  const std::string bound = type->length() ? ", " + std::to_string(type->length()) : "";
  return "sequence<" + shown(type->content_type()) + bound + '>';
}

// "\u20ac", with as many digits as `letter` has in IDL.
std::string escape(char letter, unsigned code) {
  char text[8];
  std::snprintf(text, sizeof text, letter == 'u' ? "\\u%04x" : "\\x%02x", code & 0xffff);
  return text;
}

// A character in a literal of IDL.
std::string escaped(char32_t character, bool is_wide) {
  if (character == '\n') return "\\n";
  if (character == '\'' || character == '"' || character == '\\') return {'\\', static_cast<char>(character)};
  if (character >= ' ' && character <= '~') return {static_cast<char>(character)};
  if (!is_wide) return escape('x', static_cast<unsigned>(character) & 0xff);
  if (character <= 0xffff) return escape('u', static_cast<unsigned>(character));
  const unsigned rest = static_cast<unsigned>(character) - 0x10000;  // as two surrogates
  return escape('u', 0xd800 + (rest >> 10)) + escape('u', 0xdc00 + (rest & 0x3ff));
}

template <class Text>
std::string literal(const Text& text, char quote) {
  constexpr bool is_wide = sizeof(text[0]) > 1;
  using Unit = std::conditional_t<is_wide, char32_t, unsigned char>;
  std::string inside;
  for (const auto each : text) inside += escaped(static_cast<Unit>(each), is_wide);
  return (is_wide ? "L" : "") + (quote + inside) + quote;
}

template <class T>
T value_in(const CORBA::Any& any) {
  T value{};
  any >>= value;
  return value;
}

std::string value_text(const CORBA::Any& value) {
  CORBA::typecode_reference type = value.type();
  while (type->kind() == CORBA::TCKind::tk_alias) type = type->content_type();
  switch (type->kind()) {
    case CORBA::TCKind::tk_boolean:
      return value_in<bool>(value) ? "TRUE" : "FALSE";
    case CORBA::TCKind::tk_char:
      return literal(std::string(1, value_in<char>(value)), '\'');
    case CORBA::TCKind::tk_wchar:
      return literal(std::wstring(1, value_in<wchar_t>(value)), '\'');
    default:
      break;
  }
  json::Values values({});
  const json::Json json = values.json_of(value);
  if (type->kind() == CORBA::TCKind::tk_string) return literal(json.get<std::string>(), '"');
  if (type->kind() == CORBA::TCKind::tk_wstring)
    return literal(json::characters_of(json.get<std::string>()).value_or(U"?"), '"');
  // JSON has enumerators, and numbers that it cannot have exactly, as texts.
  return (json.is_string() ? json.get<std::string>() : json.dump()) +
         (type->kind() == CORBA::TCKind::tk_fixed ? "d" : "");
}

// "long grid[3][2]": the dimensions of an array follow the name.
std::string declared(const typecode_reference& type, const std::string& name) {
  std::string dimensions;
  typecode_reference element = type;
  for (; element->kind() == CORBA::TCKind::tk_array; element = element->content_type())
    dimensions += '[' + std::to_string(element->length()) + ']';
  return shown(element) + ' ' + name + dimensions;
}

std::string member_lines(const typecode_reference& type) {
  std::string lines;
  for (std::uint32_t i = 0; i < type->member_count(); ++i)
    lines += "  " + declared(type->member_type(i), type->member_name(i)) + ";\n";
  return lines;
}

std::string union_lines(const typecode_reference& type) {
  std::string lines, labels;
  for (std::uint32_t i = 0; i < type->member_count(); ++i) {
    const bool is_default = static_cast<std::int32_t>(i) == type->default_index();
    labels += is_default ? "default: " : "case " + value_text(type->member_label(i)) + ": ";
    if (i + 1 < type->member_count() && type->member_name(i + 1) == type->member_name(i)) continue;
    lines += "  " + labels + declared(type->member_type(i), type->member_name(i)) + ";\n";
    labels.clear();
  }
  return lines;
}

std::string enum_names(const typecode_reference& type) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < type->member_count(); ++i) names.push_back(type->member_name(i));
  return joined(names);
}

std::string type_idl(const std::string& name, const typecode_reference& type) {
  switch (type->kind()) {
    case CORBA::TCKind::tk_struct:
      return "struct " + name + " {\n" + member_lines(type) + "};\n";
    case CORBA::TCKind::tk_except:
      return "exception " + name + " {\n" + member_lines(type) + "};\n";
    case CORBA::TCKind::tk_union:
      return "union " + name + " switch (" + shown(type->discriminator_type()) + ") {\n" + union_lines(type) +
             "};\n";
    case CORBA::TCKind::tk_enum:
      return "enum " + name + " { " + enum_names(type) + " };\n";
    case CORBA::TCKind::tk_alias:
      return "typedef " + declared(type->content_type(), name) + ";\n";
    case CORBA::TCKind::tk_value_box:
      return "valuetype " + name + ' ' + shown(type->content_type()) + ";\n";
    default:
      return "native " + name + ";\n";
  }
}

std::string raises_text(const char* word, const R::ExcDescriptionSeq& exceptions) {
  if (exceptions.empty()) return {};
  std::vector<std::string> names;
  for (const auto& each : exceptions) names.push_back(scoped_name_of(each.id(), each.name()));
  return std::string(" ") + word + " (" + joined(names) + ')';
}

std::string text_of(const R::AttributeDescription& attribute, const std::string& raises = {}) {
  return (attribute.mode() == R::AttributeMode::ATTR_READONLY ? "readonly attribute " : "attribute ") +
         shown(attribute.type()) + ' ' + attribute.name() + raises + ";\n";
}

std::string text_of(const R::ExtAttributeDescription& attribute) {
  const bool is_readonly = attribute.mode() == R::AttributeMode::ATTR_READONLY;
  return text_of(R::AttributeDescription(attribute.name(), attribute.id(), attribute.defined_in(),
                                         attribute.version(), attribute.type(), attribute.mode()),
                 raises_text(is_readonly ? "raises" : "getraises", attribute.get_exceptions()) +
                     raises_text("setraises", attribute.put_exceptions()));
}

std::string text_of(const R::OperationDescription& operation) {
  static constexpr const char* modes[] = {"in ", "out ", "inout "};
  std::vector<std::string> parameters;
  for (const auto& each : operation.parameters())
    parameters.push_back(modes[static_cast<std::size_t>(each.mode())] + shown(each.type()) + ' ' +
                         each.name());
  std::string text = (operation.mode() == R::OperationMode::OP_ONEWAY ? "oneway " : "") +
                     shown(operation.result()) + ' ' + operation.name() + '(' + joined(parameters) + ')';
  text += raises_text("raises", operation.exceptions());
  std::vector<std::string> contexts;
  for (const std::string& each : operation.contexts()) contexts.push_back('"' + each + '"');
  if (!contexts.empty()) text += " context (" + joined(contexts) + ')';
  return text + ";\n";
}

std::string text_of(const R::ValueMember& member) {
  return (member.access() ? "public " : "private ") + declared(member.type(), member.name()) + ";\n";
}

// A line for each declaration in a scope, except attributes, operations and members.
std::string nested_lines(const CORBA::object_reference<R::Contained>& scope) {
  std::string lines;
  const auto container = IDL::traits<R::Container>::unchecked_narrow(scope);
  for (const auto& each : container->contents(Kind::dk_all, true)) {
    const Kind kind = each->def_kind();
    if (kind == Kind::dk_Attribute || kind == Kind::dk_Operation || kind == Kind::dk_ValueMember) continue;
    lines += "  " + word_for(kind) + ' ' + each->name() + ";\n";
  }
  return lines;
}

// Own attributes and operations, without inherited ones.
template <class Full>
std::string feature_lines(const Full& full) {
  std::string lines;
  for (const auto& each : full.attributes())
    if (each.defined_in() == full.id()) lines += "  " + text_of(each);
  for (const auto& each : full.operations())
    if (each.defined_in() == full.id()) lines += "  " + text_of(each);
  return lines;
}

std::vector<std::string> names_of(const std::vector<std::string>& ids) {
  std::vector<std::string> names;
  for (const std::string& id : ids) names.push_back(scoped_name_of(id, id));
  return names;
}

template <class Full>
std::string interface_idl(const CORBA::object_reference<R::Contained>& definition, const std::string& word,
                          const Full& full) {
  const auto bases = names_of(full.base_interfaces());
  return word + ' ' + full.name() + (bases.empty() ? "" : " : " + joined(bases)) + " {\n" +
         nested_lines(definition) + feature_lines(full) + "};\n";
}

// With the exceptions of attributes, if the repository is not of an older version of CORBA.
std::string interface_idl(const CORBA::object_reference<R::Contained>& definition, const std::string& word) {
  if (const auto extended = IDL::traits<R::InterfaceAttrExtension>::narrow(definition))
    return interface_idl(definition, word, extended->describe_ext_interface());
  return interface_idl(definition, word,
                       IDL::traits<R::InterfaceDef>::unchecked_narrow(definition)->describe_interface());
}

std::string raises_of(const R::Initializer&) { return {}; }
std::string raises_of(const R::ExtInitializer& one) { return raises_text("raises", one.exceptions()); }

template <class Full>
std::string value_idl(const CORBA::object_reference<R::Contained>& definition, const Full& full) {
  std::vector<std::string> bases;
  if (!full.base_value().empty())
    bases.push_back((full.is_truncatable() ? "truncatable " : "") +
                    scoped_name_of(full.base_value(), full.base_value()));
  for (const std::string& name : names_of(full.abstract_base_values())) bases.push_back(name);
  const auto supported = names_of(full.supported_interfaces());
  std::string text = full.is_custom() ? "custom " : full.is_abstract() ? "abstract " : "";
  text += "valuetype " + full.name() + (bases.empty() ? "" : " : " + joined(bases)) +
          (supported.empty() ? "" : " supports " + joined(supported)) + " {\n" + nested_lines(definition);
  for (const auto& member : full.members()) text += "  " + text_of(member);
  for (const auto& one : full.initializers()) {
    std::vector<std::string> parameters;
    for (const auto& each : one.members())
      parameters.push_back("in " + shown(each.type()) + ' ' + each.name());
    text += "  factory " + one.name() + '(' + joined(parameters) + ')' + raises_of(one) + ";\n";
  }
  return text + feature_lines(full) + "};\n";
}

std::string value_idl(const CORBA::object_reference<R::Contained>& definition) {
  if (const auto extended = IDL::traits<R::ExtValueDef>::narrow(definition))
    return value_idl(definition, extended->describe_ext_value());
  return value_idl(definition, IDL::traits<R::ValueDef>::unchecked_narrow(definition)->describe_value());
}

std::string attribute_idl(const CORBA::object_reference<R::Contained>& definition,
                          const R::AttributeDescription& plain) {
  const auto extended = IDL::traits<R::ExtAttributeDef>::narrow(definition);
  return extended ? text_of(extended->describe_attribute()) : text_of(plain);
}

template <class Description>
Description extracted(const CORBA::Any& value) {
  Description description;
  if (!(value >>= description))
    throw CORBA::MARSHAL(0, CORBA::COMPLETED_YES,
                         "the repository's description is not of its definition's kind");
  return description;
}

// IDL gives a fixed-point constant the digits that its value has.
std::string constant_idl(const R::ConstantDescription& constant) {
  const bool is_fixed = constant.type()->kind() == CORBA::TCKind::tk_fixed;
  return "const " + (is_fixed ? "fixed" : shown(constant.type())) + ' ' + constant.name() + " = " +
         value_text(constant.value()) + ";\n";
}

}  // namespace

std::string idl_of(const CORBA::object_reference<R::Contained>& definition) {
  const auto description = definition->describe();
  const CORBA::Any& value = description.value();
  switch (description.kind()) {
    case Kind::dk_Module:
      return "module " + extracted<R::ModuleDescription>(value).name() + " {\n" + nested_lines(definition) +
             "};\n";
    case Kind::dk_Constant:
      return constant_idl(extracted<R::ConstantDescription>(value));
    case Kind::dk_Exception: {
      const auto exception = extracted<R::ExceptionDescription>(value);
      return type_idl(exception.name(), exception.type());
    }
    case Kind::dk_Attribute:
      return attribute_idl(definition, extracted<R::AttributeDescription>(value));
    case Kind::dk_Operation:
      return text_of(extracted<R::OperationDescription>(value));
    case Kind::dk_ValueMember:
      return text_of(extracted<R::ValueMember>(value));
    case Kind::dk_Interface:
    case Kind::dk_AbstractInterface:
    case Kind::dk_LocalInterface:
      return interface_idl(definition, word_for(description.kind()));
    case Kind::dk_Value:
      return value_idl(definition);
    default: {
      const auto type = extracted<R::TypeDescription>(value);
      return type_idl(type.name(), type.type());
    }
  }
}

std::string harmless(std::string text) {
  for (char& c : text)
    if (c != '\n' && (c < ' ' || c > '~')) c = '?';
  return text;
}

}  // namespace takt::command
