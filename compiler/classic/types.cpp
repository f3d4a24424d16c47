#include "classic/types.h"

#include <algorithm>
#include <stdexcept>

#include "cpp/names.h"

namespace takt::idl::classic {

using cpp::escaped;

namespace {

const char* basic_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::boolean:
      return "Boolean";
    case TypeKind::char_:
      return "Char";
    case TypeKind::wchar:
      return "WChar";
    case TypeKind::octet:
      return "Octet";
    case TypeKind::int16:
      return "Short";
    case TypeKind::uint16:
      return "UShort";
    case TypeKind::int32:
      return "Long";
    case TypeKind::uint32:
      return "ULong";
    case TypeKind::int64:
      return "LongLong";
    case TypeKind::uint64:
      return "ULongLong";
    case TypeKind::float_:
      return "Float";
    case TypeKind::double_:
      return "Double";
    case TypeKind::long_double:
      return "LongDouble";
    default:
      throw std::logic_error("takt-idl: a type without a name of its own was spelled as a basic type");
  }
}

std::string bound_of(const Type& type) { return std::to_string(type.resolved().bound); }
const Declaration& definition_of(const Type& type) { return defined(*type.resolved().declaration); }
bool names_undefined(const Type& type) {
  return type.resolved().kind == TypeKind::named && is_undefined(*type.resolved().declaration);
}

std::string sequence_template(const Type& sequence) {
  return sequence.bound ? "::takt::classic::BoundedSequence<" + elements(*sequence.element) + ", " +
                              std::to_string(sequence.bound) + ">"
                        : "::takt::classic::UnboundedSequence<" + elements(*sequence.element) + ">";
}

}  // namespace

std::string full_name(const Declaration& declaration) {
  std::string name;
  for (const Declaration* at = &declaration; at && at->scope; at = at->scope)
    name = "::" + escaped(at->name) + name;
  return name;
}

std::string enumerator_name(const Declaration& enumerator) {
  const Declaration* scope = enumerator.scope;
  if (scope && scope->kind == DeclarationKind::enum_) scope = scope->scope;
  return (scope && scope->scope ? full_name(*scope) : std::string()) + "::" + escaped(enumerator.name);
}

std::string skeleton_name(const Declaration& interface) { return prefixed_name("POA_", interface); }

std::string prefixed_name(const std::string& prefix, const Declaration& declaration) {
  std::string name = full_name(declaration).substr(2);
  const Declaration* outermost = &declaration;
  while (outermost->scope && outermost->scope->scope) outermost = outermost->scope;
  // With the prefix the name is no keyword.
  name.erase(0, escaped(outermost->name).size() - outermost->name.size());
  return "::" + prefix + name;
}

std::string parameter_name(const Declaration::Parameter& parameter) {
  // No IDL name begins with an underscore in C++.
  return parameter.name.starts_with("takt_") ? "_p_" + parameter.name : escaped(parameter.name);
}

bool is_undefined(const Declaration& declaration) {
  return defined(declaration).kind == DeclarationKind::forward_;
}

bool is_variable(const Type& type) {
  const Type& meant = type.resolved();
  switch (meant.kind) {
    case TypeKind::string:
    case TypeKind::wstring:
    case TypeKind::sequence:
    case TypeKind::object:
    case TypeKind::any:
    case TypeKind::typecode:
    case TypeKind::value_base:
      return true;
    case TypeKind::array:
      return is_variable(*meant.element);
    case TypeKind::named: {
      const Declaration& declaration = defined(*meant.declaration);
      if (declaration.kind == DeclarationKind::enum_) return false;
      if (declaration.kind != DeclarationKind::struct_ && declaration.kind != DeclarationKind::union_)
        return true;
      for (const Declaration* member : declaration.contents)
        if (member->kind == DeclarationKind::member && is_variable(*member->type)) return true;
      return false;
    }
    default:
      return false;
  }
}

bool holds_local(const Type& type) {
  const Type& meant = type.resolved();
  if (meant.kind == TypeKind::sequence || meant.kind == TypeKind::array) return holds_local(*meant.element);
  if (meant.kind != TypeKind::named) return false;
  const Declaration& declaration = defined(*meant.declaration);
  return declaration.is_local || declaration.kind == DeclarationKind::native;
}

namespace {

bool holds_value(const Type& type, std::vector<const Declaration*>& seen) {
  const Type& meant = type.resolved();
  if (meant.kind == TypeKind::value_base) return true;
  if (meant.kind == TypeKind::sequence || meant.kind == TypeKind::array)
    return holds_value(*meant.element, seen);
  if (meant.kind != TypeKind::named) return false;
  const Declaration& declaration = defined(*meant.declaration);
  if (declaration.repository_id == "IDL:omg.org/Messaging/ExceptionHolder:1.0") return false;
  if (cpp::is_value(declaration) || cpp::is_abstract_interface(declaration)) return true;
  if (cpp::is_interface(declaration) || std::ranges::find(seen, &declaration) != seen.end()) return false;
  seen.push_back(&declaration);
  return std::ranges::any_of(declaration.contents, [&](const Declaration* member) {
    return member->kind == DeclarationKind::member && holds_value(*member->type, seen);
  });
}

}  // namespace

bool holds_value(const Type& type) {
  std::vector<const Declaration*> seen;
  return holds_value(type, seen);
}

Category category(const Type& type) {
  const Type& meant = type.resolved();
  switch (meant.kind) {
    case TypeKind::string:
      return Category::string;
    case TypeKind::wstring:
      return Category::wstring;
    case TypeKind::object:
    case TypeKind::typecode:
    case TypeKind::value_base:
      return Category::object;
    case TypeKind::sequence:
    case TypeKind::any:
      return Category::variable_value;
    case TypeKind::array:
      return Category::array;
    case TypeKind::fixed:
      return Category::fixed_value;
    case TypeKind::named:
      break;
    default:
      return Category::basic;
  }
  const Declaration& declaration = defined(*meant.declaration);
  if (declaration.kind == DeclarationKind::enum_) return Category::basic;
  // CORBA::Environment is the only native type that is supported. Values are counted as references are.
  if (cpp::is_interface(declaration) || cpp::is_value(declaration) ||
      declaration.kind == DeclarationKind::native)
    return Category::object;
  return is_variable(meant) ? Category::variable_value : Category::fixed_value;
}

std::string interface_name(const Type& type) {
  const TypeKind kind = type.resolved().kind;
  return kind == TypeKind::object       ? "::CORBA::Object"
         : kind == TypeKind::value_base ? "::CORBA::ValueBase"
         : kind == TypeKind::typecode   ? "::CORBA::TypeCode"
                                        : full_name(definition_of(type));
}

std::string type_name(const Type& type) {
  if (type.kind == TypeKind::named) return full_name(*type.declaration);
  switch (type.kind) {
    case TypeKind::string:
      return "char*";
    case TypeKind::wstring:
      return "wchar_t*";
    case TypeKind::object:
      return "::CORBA::Object";
    case TypeKind::typecode:
      return "::CORBA::TypeCode";
    case TypeKind::value_base:
      return "::CORBA::ValueBase";
    case TypeKind::any:
      return "::CORBA::Any";
    case TypeKind::sequence:
      return sequence_template(type);
    case TypeKind::fixed:  // a constant has no digits of its own
      return type.digits ? "::takt::classic::FixedNumber<" + std::to_string(type.digits) + ", " +
                               std::to_string(type.scale) + ">"
                         : "::CORBA::Fixed";
    default:
      return std::string("::CORBA::") + basic_name(type.kind);
  }
}

std::string companion(const Type& type, const std::string& suffix) {
  if (type.kind == TypeKind::string) return "::CORBA::String" + suffix;
  if (type.kind == TypeKind::wstring) return "::CORBA::WString" + suffix;
  if (type.kind == TypeKind::fixed)
    return suffix == "_out" ? type_name(type) + "&" : "::takt::classic::FixedVar< " + type_name(type) + ">";
  return type_name(type) + suffix;
}

namespace {

// The type of an array's elements, which check their bounds themselves.
std::string array_element_type(const Type& element) {
  const Category kind = category(element);
  if ((kind != Category::string && kind != Category::wstring) || !element.resolved().bound)
    return member_type(element);
  return std::string("::takt::classic::BoundedTextMember<") +
         (kind == Category::string ? "char" : "wchar_t") + ", " + bound_of(element) + ">";
}

}  // namespace

std::string member_type(const Type& type) {
  switch (category(type)) {
    case Category::string:
      return "::takt::classic::String_member";
    case Category::wstring:
      return "::takt::classic::WString_member";
    case Category::object:
      return "::takt::classic::ObjectMember< " + interface_name(type) + ">";
    case Category::array:
      if (type.kind == TypeKind::array) return array_element_type(*type.element);
      break;
    default:
      break;
  }
  return type_name(type);
}

std::string dimensions(const Type& type) {
  return type.kind == TypeKind::array ? "[" + std::to_string(type.bound) + "]" + dimensions(*type.element)
                                      : "";
}

std::string elements(const Type& element) {
  switch (category(element)) {
    case Category::string:
      return "::takt::classic::Texts<char, " + bound_of(element) + ">";
    case Category::wstring:
      return "::takt::classic::Texts<wchar_t, " + bound_of(element) + ">";
    case Category::object:
      return "::takt::classic::Objects< " + interface_name(element) + ">";
    case Category::array:
      return "::takt::classic::ArrayElements< " + type_name(element) + ">";
    default:
      return "::takt::classic::Values< " + type_name(element) + ">";
  }
}

std::string in_type(const Type& type) {
  switch (category(type)) {
    case Category::string:
      return "const char*";
    case Category::wstring:
      return "const wchar_t*";
    case Category::object:
      return type_name(type) + "_ptr";
    case Category::fixed_value:
    case Category::variable_value:
      return "const " + type_name(type) + "&";
    case Category::array:
      return "const " + type_name(type) + "_slice*";
    default:
      return type_name(type);
  }
}

std::string parameter_type(const Declaration::Parameter& parameter) {
  const Type& type = *parameter.type;
  if (parameter.direction == Declaration::Direction::in) return in_type(type);
  if (parameter.direction == Declaration::Direction::out) return companion(type, "_out");
  switch (category(type)) {
    case Category::string:
      return "char*&";
    case Category::wstring:
      return "wchar_t*&";
    case Category::object:
      return type_name(type) + "_ptr&";
    case Category::array:
      return type_name(type) + "_slice*";
    default:
      return type_name(type) + "&";
  }
}

std::string result_type(const Type* result) {
  if (!result) return "void";
  switch (category(*result)) {
    case Category::string:
      return "char*";
    case Category::wstring:
      return "wchar_t*";
    case Category::object:
      return type_name(*result) + "_ptr";
    case Category::variable_value:
      return type_name(*result) + "*";
    case Category::array:
      return type_name(*result) + "_slice*";
    default:
      return type_name(*result);
  }
}

std::string write_statement(const Type& type, const std::string& out, const std::string& value) {
  switch (category(type)) {
    case Category::string:
      return "::takt::classic::write_string(" + out + ", " + value + ", " + bound_of(type) + ")";
    case Category::wstring:
      return "::takt::classic::write_wstring(" + out + ", " + value + ", " + bound_of(type) + ")";
    case Category::object:
      return std::string("::takt::classic::") + (names_undefined(type) ? "Handles< " : "Proxies< ") +
             interface_name(type) + ">::write(" + out + ", " + value + ")";
    case Category::array:
      return "::takt::classic::write_array(" + out + ", " + value + ", " + bound_of(type) + ")";
    default:
      return "::takt::classic::write(" + out + ", " + value + ")";
  }
}

std::string read_statement(const Type& type, const std::string& in, const std::string& place) {
  switch (category(type)) {
    case Category::string:
      return "::takt::classic::read_string(" + in + ", " + place + ", " + bound_of(type) + ")";
    case Category::wstring:
      return "::takt::classic::read_wstring(" + in + ", " + place + ", " + bound_of(type) + ")";
    case Category::object:
      return "::takt::classic::read_object< " + interface_name(type) + ">(" + in + ", " + place + ")";
    case Category::array:
      return "::takt::classic::read_array(" + in + ", " + place + ", " + bound_of(type) + ")";
    default:
      return "::takt::classic::read(" + in + ", " + place + ")";
  }
}

std::string member_statement(Transfer transfer, const Type& type, const std::string& member) {
  const Category kind = category(type);
  const bool is_managed = kind == Category::string || kind == Category::wstring || kind == Category::object;
  if (transfer == Transfer::write)
    return write_statement(type, "takt_out", member + (is_managed ? ".in()" : ""));
  return read_statement(type, "takt_in", member + (is_managed ? ".inout()" : ""));
}

}  // namespace takt::idl::classic
