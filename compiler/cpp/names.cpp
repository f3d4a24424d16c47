#include "cpp/names.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <limits>

#include "cpp/context.h"
#include "schedulability/model/cpp_keywords.h"

namespace takt::idl::cpp {

namespace {

__extension__ typedef __int128 Integer;  // NOLINT: "using" would be warned about

std::vector<const Declaration*> path_of(const Declaration& declaration) {
  std::vector<const Declaration*> path;
  for (const Declaration* at = &declaration; at && at->scope; at = at->scope) path.insert(path.begin(), at);
  return path;
}

std::string integer(Integer value, bool is_unsigned) {
  std::string digits;
  const bool negative = value < 0;
  for (Integer rest = negative ? -value : value; rest != 0 || digits.empty(); rest /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  if (negative && value == static_cast<Integer>(std::numeric_limits<std::int64_t>::min()))
    return "-9223372036854775807 - 1";  // the smallest integer has no literal
  return (negative ? "-" : "") + digits + (is_unsigned ? "u" : "");
}

std::string floating(long double value, TypeKind kind) {
  char text[64];
  const int digits = kind == TypeKind::float_ ? 9 : kind == TypeKind::double_ ? 17 : 21;
  std::snprintf(text, sizeof text, "%.*Lg", digits, value);
  std::string result = text;
  if (result.find_first_of(".en") == std::string::npos) result += ".0";
  return result + (kind == TypeKind::float_ ? "f" : kind == TypeKind::long_double ? "L" : "");
}

std::string octal(unsigned code) {
  char text[16];
  std::snprintf(text, sizeof text, "\\%03o", code & 0xff);
  return text;
}

// One character inside a literal.
std::string in_literal(char32_t code, bool wide) {
  if (code == '"' || code == '\'' || code == '\\') return std::string("\\") + static_cast<char>(code);
  if (code == '?') return "\\?";  // two of them would begin a trigraph in C++14
  if (code >= ' ' && code < 0x7f) return std::string(1, static_cast<char>(code));
  if (!wide || code < 0x20) return octal(code);
  char text[16];
  if (code < 0xa0)
    std::snprintf(text, sizeof text, "\\%03o", static_cast<unsigned>(code));
  else if (code <= 0xffff)
    std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(code));
  else
    std::snprintf(text, sizeof text, "\\U%08x", static_cast<unsigned>(code));
  return text;
}

std::string fixed_digits(const FixedValue& value) {
  std::string text;
  Integer rest = value.digits < 0 ? -value.digits : value.digits;
  for (int i = 0; rest != 0 || i <= value.scale; ++i) {
    if (i == value.scale && i != 0) text.insert(text.begin(), '.');
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  }
  return (value.digits < 0 ? "-" : "") + text;
}

const char* primitive(TypeKind kind) {
  switch (kind) {
    case TypeKind::void_:
      return "void";
    case TypeKind::boolean:
      return "bool";
    case TypeKind::char_:
      return "char";
    case TypeKind::wchar:
      return "wchar_t";
    case TypeKind::octet:
    case TypeKind::uint8:
      return "std::uint8_t";
    case TypeKind::int8:
      return "std::int8_t";
    case TypeKind::int16:
      return "std::int16_t";
    case TypeKind::uint16:
      return "std::uint16_t";
    case TypeKind::int32:
      return "std::int32_t";
    case TypeKind::uint32:
      return "std::uint32_t";
    case TypeKind::int64:
      return "std::int64_t";
    case TypeKind::uint64:
      return "std::uint64_t";
    case TypeKind::float_:
      return "float";
    case TypeKind::double_:
      return "double";
    case TypeKind::long_double:
      return "long double";
    case TypeKind::any:
      return "CORBA::Any";
    case TypeKind::object:
      return "CORBA::object_reference<CORBA::Object>";
    case TypeKind::value_base:
      return "CORBA::valuetype_reference<CORBA::ValueBase>";
    case TypeKind::typecode:
      return "CORBA::typecode_reference";
    default:
      return nullptr;
  }
}

}  // namespace

std::string escaped(std::string_view name) {
  return (scheduling::is_cpp_keyword(name) ? "_cxx_" : "") + std::string(name);
}

std::string full_name(const Declaration& declaration) {
  std::string name;
  for (const Declaration* part : path_of(declaration))
    name += (name.empty() ? "" : "::") + escaped(part->name);
  return name;
}

std::string string_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) result += in_literal(static_cast<unsigned char>(c), false);
  return result + '"';
}

namespace {
// The kind of the definition, or the declared kind if the file has none.
DeclarationKind kind_of(const Declaration& declaration) {
  const Declaration& meant = defined(declaration);
  return meant.kind == DeclarationKind::forward_ ? meant.forward_kind : meant.kind;
}
}  // namespace

bool is_interface(const Declaration& declaration) {
  const auto kind = kind_of(declaration);
  return kind == DeclarationKind::interface_;
}

bool is_value(const Declaration& declaration) {
  const auto kind = kind_of(declaration);
  return kind == DeclarationKind::value || kind == DeclarationKind::value_box ||
         kind == DeclarationKind::event;
}

bool is_abstract_interface(const Declaration& declaration) {
  return is_interface(declaration) && declaration.is_abstract;
}

bool by_value(const Type& type) {
  const Type& real = type.resolved();
  switch (real.kind) {
    case TypeKind::any:
    case TypeKind::string:
    case TypeKind::wstring:
    case TypeKind::fixed:
    case TypeKind::sequence:
    case TypeKind::map:
    case TypeKind::array:
      return false;
    case TypeKind::named:
      switch (defined(*real.declaration).kind) {
        case DeclarationKind::struct_:
        case DeclarationKind::union_:
        case DeclarationKind::exception:
          return false;
        default:
          return true;
      }
    default:
      return true;
  }
}

namespace {
// Whether the valuetype, or one that it inherits from, supports an interface: it may have a skeleton.
bool supports_an_interface(const Declaration& declaration) {
  return std::ranges::any_of(with_bases(defined(declaration)),
                             [](const Declaration* one) { return !one->supports.empty(); });
}
}  // namespace

Names::Names(const Unit& unit) { index(unit.root); }

void Names::index(const Declaration& scope) {
  const std::string name = full_name(scope);
  auto& names = contents_[name];
  // The generated class and its bases have functions of these names.
  const bool is_class = scope.kind == DeclarationKind::struct_ || scope.kind == DeclarationKind::union_ ||
                        scope.kind == DeclarationKind::exception || is_value(scope);
  if (is_class) names.insert({"get", "set", "set_none", "swap"});
  for (const auto* bases : {&scope.bases, &scope.supports})
    for (const Declaration* base : *bases) bases_[name].push_back(full_name(defined(*base)));
  for (const Declaration* inner : scope.contents) {
    names.insert(escaped(inner->name));
    if (inner->kind != DeclarationKind::enum_) index(*inner);
  }
}

bool Names::declares(const std::string& scope, const std::string& name) const {
  Seen seen;
  return declares(scope, name, seen);
}

bool Names::declares(const std::string& scope, const std::string& name, Seen& seen) const {
  if (const auto found = contents_.find(scope); found != contents_.end() && found->second.contains(name))
    return true;
  const auto bases = bases_.find(scope);
  return bases != bases_.end() && std::ranges::any_of(bases->second, [&](const std::string& base) {
           return seen.insert(base).second && declares(base, name, seen);
         });
}

std::string Names::declared(const Declaration& declaration, const Declaration* scope) const {
  if (in_full_ || always_in_full_) return "::" + full_name(declaration);
  const auto path = path_of(declaration);
  if (in_skeletons_)
    for (const Declaration* part : path)
      if (is_interface(*part) || supports_an_interface(*part)) return "::" + full_name(declaration);
  std::string name;
  for (std::size_t first = path.size(); first-- > 0;) {
    const std::string head = escaped(path[first]->name);
    name = head + (name.empty() ? "" : "::" + name);
    // The innermost scope that declares the first name must be the intended one. A scope's own name is found
    // inside it.
    const std::string wanted = first == 0 ? "" : full_name(*path[first - 1]);
    const Declaration* at = scope;
    while (at && at->scope && !declares(full_name(*at), head)) at = at->scope;
    if ((at ? full_name(*at) : std::string()) == wanted) return name;
  }
  return "::" + name;
}

std::string Names::type(const Type& type, const Declaration* scope) const {
  if (const char* name = primitive(type.kind)) return name;
  const std::string bound = std::to_string(type.bound);
  switch (type.kind) {
    case TypeKind::string:
      return type.bound ? "IDL::bounded_string<" + bound + ">" : "std::string";
    case TypeKind::wstring:
      return type.bound ? "IDL::bounded_wstring<" + bound + ">" : "std::wstring";
    case TypeKind::fixed:
      return "IDL::Fixed<" + std::to_string(type.digits) + ", " + std::to_string(type.scale) + ">";
    case TypeKind::sequence: {
      const std::string element = this->type(*type.element, scope);
      return type.bound ? "IDL::bounded_vector<" + element + ", " + bound + ">"
                        : "std::vector<" + element + ">";
    }
    case TypeKind::map: {
      const std::string pair = this->type(*type.key, scope) + ", " + this->type(*type.element, scope);
      return type.bound ? "IDL::bounded_map<" + pair + ", " + bound + ">" : "std::map<" + pair + ">";
    }
    case TypeKind::array:
      return "std::array<" + this->type(*type.element, scope) + ", " + bound + ">";
    default:
      break;
  }
  const Declaration& meant = defined(*type.declaration);
  const std::string name = declared(meant, scope);
  if (is_interface(meant))
    return (meant.is_abstract ? "CORBA::abstractbase_reference<" : "CORBA::object_reference<") + name + ">";
  if (is_value(meant)) return "CORBA::valuetype_reference<" + name + ">";
  return name;
}

std::string Names::in_type(const Type& type, const Declaration* scope) const {
  const std::string name = this->type(type, scope);
  return by_value(type) ? name : "const " + name + "&";
}

std::string Names::value(const Value& value, const Type& type, const Declaration* scope) const {
  const Type& real = type.resolved();
  struct Spell {
    const Names& names;
    const Type& real;
    const Declaration* scope;

    std::string operator()(std::monostate) const { return "{}"; }
    std::string operator()(bool is) const { return is ? "true" : "false"; }
    std::string operator()(Integer is) const {
      if (real.kind == TypeKind::named)  // an enum or a bit mask, given by number
        return names.type(real, scope) + "(" + integer(is, false) + ")";
      return integer(is, real.kind == TypeKind::uint32 || real.kind == TypeKind::uint64);
    }
    std::string operator()(long double is) const { return floating(is, real.kind); }
    std::string operator()(char32_t is) const {
      const bool wide = real.kind == TypeKind::wchar;
      return (wide ? "L'" : "'") + in_literal(is, wide) + "'";
    }
    std::string operator()(const std::string& is) const { return string_literal(is); }
    std::string operator()(const std::wstring& is) const {
      std::string text = "L\"";
      for (const wchar_t c : is) text += in_literal(static_cast<char32_t>(c), true);
      return text + '"';
    }
    std::string operator()(const FixedValue& is) const {
      return names.type(real, scope) + "(\"" + fixed_digits(is) + "\")";
    }
    std::string operator()(const Declaration* is) const {
      // Enumerators are spelled inside their enum, whichever scope the model has for them.
      return names.type(real, scope) + "::" + escaped(is->name);
    }
  };
  return std::visit(Spell{*this, real, scope}, value.is);
}

Names::Constant Names::constant(const Declaration& constant, const Declaration* scope) const {
  const Type& real = constant.type->resolved();
  Constant spelled{type(*constant.type, scope), value(constant.value, *constant.type, scope)};
  if (real.kind != TypeKind::fixed) return spelled;
  if (real.digits == 0)
    if (const auto* fixed = std::get_if<FixedValue>(&constant.value.is))
      spelled.type = "IDL::Fixed<31, " + std::to_string(fixed->scale) + ">";
  spelled.value = spelled.type + spelled.value.substr(spelled.value.find("(\""));
  return spelled;
}

}  // namespace takt::idl::cpp
