#include <algorithm>
#include <utility>

#include "sema/constants.h"
#include "syntax/parser.h"

namespace takt::idl {

std::uint64_t Parser::positive_constant(const char* what) {
  const Location where = token_.at;
  return positive(bracketed_expression(), where, what);
}

std::uint64_t Parser::array_length() {
  const Temporarily in_brackets(in_brackets_, false);  // >> shifts here
  const Location where = token_.at;
  return positive(expression(), where, "an array's length");
}

std::uint64_t Parser::positive(const Value& value, Location where, const char* what) {
  const auto* integer = std::get_if<Int128>(&value.is);
  if (!integer || *integer <= 0 || *integer > UINT32_MAX) {
    error(where, std::string(what) + " must be an integer from 1 to 4294967295, not " +
                     (integer ? integer_to_text(*integer) : describe(value)));
    return 1;
  }
  return static_cast<std::uint64_t>(*integer);
}

const Type* Parser::unsigned_type() {
  if (accept_word("short")) return simple(TypeKind::uint16);
  if (!accept_word("long")) fail("'unsigned' is followed by short, long or long long");
  return simple(accept_word("long") ? TypeKind::uint64 : TypeKind::uint32);
}

const Type* Parser::long_type() {
  if (accept_word("long")) return simple(TypeKind::int64);
  return simple(accept_word("double") ? TypeKind::long_double : TypeKind::int32);
}

const Type* Parser::basic_type() {
  using T = TypeKind;
  if (accept_word("unsigned")) return unsigned_type();
  if (accept_word("long")) return long_type();
  constexpr std::pair<std::string_view, T> words[] = {
      {"short", T::int16},   {"float", T::float_},        {"double", T::double_}, {"boolean", T::boolean},
      {"char", T::char_},    {"wchar", T::wchar},         {"octet", T::octet},    {"any", T::any},
      {"Object", T::object}, {"int8", T::int8},           {"uint8", T::uint8},    {"int16", T::int16},
      {"uint16", T::uint16}, {"int32", T::int32},         {"uint32", T::uint32},  {"int64", T::int64},
      {"uint64", T::uint64}, {"ValueBase", T::value_base}};
  const auto found = std::ranges::find_if(words, [this](const auto& known) { return at_word(known.first); });
  if (found == std::end(words)) return nullptr;
  // IDL 4's words for integers may be names in older files.
  if (found->first.find("int") != std::string_view::npos)
    if (const Declaration* own = scopes_.find(*scope_, token_.text, token_.at);
        own && own->name == token_.text)
      return nullptr;
  advance();
  return simple(found->second);
}

void Parser::close_template() {
  if (!at(">>")) return expect(">");
  token_.text = token_.text.substr(1);  // the second > closes the outer template
  ++token_.at.column;
}

const Type* Parser::template_type() {
  if (accept_word("string")) return string_type(TypeKind::string);
  if (accept_word("wstring")) return string_type(TypeKind::wstring);
  if (accept_word("sequence")) return sequence_type();
  if (accept_word("fixed")) return fixed_type();
  if (!at_word("map") || !look(1).is("<")) return nullptr;  // `map` may be a name in older files
  advance();
  return map_type();
}

const Type* Parser::string_type(TypeKind kind) {
  if (!accept("<")) return simple(kind);
  Type type;
  type.kind = kind;
  type.bound = positive_constant("a string's bound");
  close_template();
  return make_type(type);
}

const Type* Parser::sequence_type() {
  const Depth depth(*this);
  Type type;
  type.kind = TypeKind::sequence;
  expect("<");
  annotations();
  type.element = type_spec();
  if (accept(",")) type.bound = positive_constant("a sequence's bound");
  close_template();
  return make_type(type);
}

const Type* Parser::map_type() {
  const Depth depth(*this);
  Type type;
  type.kind = TypeKind::map;
  expect("<");
  annotations();
  type.key = type_spec();
  expect(",");
  annotations();
  type.element = type_spec();
  if (accept(",")) type.bound = positive_constant("a map's bound");
  close_template();
  return make_type(type);
}

const Type* Parser::fixed_type() {
  constexpr std::uint64_t most_digits = 31;
  Type type;
  type.kind = TypeKind::fixed;
  if (!accept("<")) {
    if (!of_constant_)
      fail("a fixed type has its digits and scale, as in fixed<5, 2>; only a constant's has none");
    return make_type(type);
  }
  const Location where = token_.at;
  const std::uint64_t digits = positive_constant("a fixed type's number of digits");
  expect(",");
  const Location scale_at = token_.at;
  const Value scale = bracketed_expression();
  close_template();
  if (digits > most_digits) error(where, "a fixed type has at most 31 digits");
  const auto* places = std::get_if<Int128>(&scale.is);
  if (!places || *places < 0 || *places > static_cast<Int128>(digits))
    error(scale_at, "a fixed type's scale must be from 0 to its number of digits");
  type.digits = static_cast<std::uint16_t>(std::min(digits, most_digits));
  if (places && *places >= 0 && *places <= type.digits) type.scale = static_cast<std::uint16_t>(*places);
  return make_type(type);
}

namespace {

bool names_type(DeclarationKind kind) {
  using K = DeclarationKind;
  switch (kind) {
    case K::interface_:
    case K::forward_:
    case K::value:
    case K::event:
    case K::value_box:
    case K::struct_:
    case K::union_:
    case K::enum_:
    case K::typedef_:
    case K::native:
    case K::bitset:
    case K::bitmask:
    case K::component:
    case K::home:
    case K::port_type:
      return true;
    default:
      return false;
  }
}

}  // namespace

const Type* Parser::undeclared_type(const ScopedName& name) {
  if (name.text == "TypeCode" || name.text.ends_with("CORBA::TypeCode")) return simple(TypeKind::typecode);
  if (name.text.ends_with("::Object")) return simple(TypeKind::object);
  if (name.text.ends_with("::ValueBase")) return simple(TypeKind::value_base);
  error(name.at, "'" + name.text + "' is not declared; is an #include missing?");
  throw Skip{};
}

const Type* Parser::type_spec(bool allow_void) {
  if (at_word("void")) {
    if (!allow_void) fail("a value cannot have the type 'void'");
    advance();
    return simple(TypeKind::void_);
  }
  if (const Type* type = basic_type()) return type;
  if (const Type* type = template_type()) return type;
  if (at_word("struct") || at_word("union") || at_word("enum")) return named_type(*constructed_type());
  const ScopedName name = scoped_name();
  if (!name.found) return undeclared_type(name);
  if (!names_type(name.found->kind)) {
    error(name.at, "'" + name.text + "' is " + describe(name.found->kind) + ", not a type");
    diagnostics_.note(name.found->at, "it is declared here");
    throw Skip{};
  }
  if (name.found->name == "TypeCode" && name.found->scoped_name() == "::CORBA::TypeCode")
    return simple(TypeKind::typecode);
  return named_type(*name.found);
}

// A struct or union that is incomplete or only declared forward has no size yet, so only sequences may hold
// it.
void Parser::check_complete(const Type& type, Location where) {
  const Type& held = type.resolved();
  if (held.kind == TypeKind::array) return check_complete(*held.element, where);
  if (held.kind != TypeKind::named) return;
  const Declaration& declaration = *held.declaration;
  const bool open = std::find(open_.begin(), open_.end(), &declaration) != open_.end();
  const bool forward = declaration.kind == K::forward_ && !declaration.definition &&
                       (declaration.forward_kind == K::struct_ || declaration.forward_kind == K::union_);
  if (!open && !forward) return;
  error(where, "'" + declaration.name + "' is not complete here; only a sequence of it can be a member");
  diagnostics_.note(declaration.at, "it is declared here");
  throw Skip{};
}

void Parser::hold(Declaration& outer, const Type& inner, Location where) {
  constexpr std::uint32_t deepest = 256;
  outer.nesting = std::max(outer.nesting, inner.nesting + 1);
  if (outer.nesting > deepest) {
    outer.nesting = deepest;
    error(where, "types are nested deeper than 256 levels here");
    throw Skip{};
  }
  if (outer.kind != K::value && outer.kind != K::event && is_local(inner)) outer.is_local = true;
}

void Parser::hold(Declaration& outer, const Declaration& inner, Location where) {
  Type type;
  type.nesting = inner.nesting;
  hold(outer, type, where);
}

bool Parser::is_local(const Type& type) {
  const Type& held = type.resolved();
  if (held.kind == TypeKind::named) return held.declaration->kind != K::value && held.declaration->is_local;
  return (held.element && is_local(*held.element)) || (held.key && is_local(*held.key));
}

const Type* Parser::declarator(const Type* base, Name& name) {
  name = identifier("a name");
  std::vector<std::uint64_t> dimensions;
  while (accept("[")) {
    dimensions.push_back(array_length());
    expect("]");
    if (dimensions.size() > 32) fail("an array has at most 32 dimensions");
  }
  for (auto length = dimensions.rbegin(); length != dimensions.rend(); ++length) {
    Type array;
    array.kind = TypeKind::array;
    array.element = base;
    array.bound = *length;
    base = make_type(array);
  }
  return base;
}

}  // namespace takt::idl
