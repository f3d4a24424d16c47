// Enums, bit masks, bit sets and constants.
#include <algorithm>

#include "cpp/declarations.h"

namespace takt::idl::cpp {

namespace {

using Integer = std::variant_alternative_t<2, decltype(Value::is)>;

std::vector<const Declaration*> enumerators_of(const Declaration& declaration) {
  std::vector<const Declaration*> found;
  for (const Declaration* inner : declaration.contents)
    if (inner->kind == DeclarationKind::enumerator) found.push_back(inner);
  return found;
}

Integer number_of(const Declaration& declaration) {
  const auto* number = std::get_if<Integer>(&declaration.value.is);
  return number ? *number : Integer{0};
}

std::string underlying(const Declaration& declaration) {
  long long bits = 32;
  if (const auto* use = declaration.find_annotation("bit_bound"); use && !use->arguments.empty())
    if (const auto* value = std::get_if<Integer>(&use->arguments[0].second.is))
      bits = static_cast<long long>(*value);
  return bits <= 8 ? "std::uint8_t" : bits <= 16 ? "std::uint16_t" : "std::uint32_t";
}

// An output operator of a nested type must be a friend, or it is not found.
std::string friend_in(const Declaration& declaration) {
  const Declaration* scope = declaration.scope;
  return scope && scope->scope && scope->kind != DeclarationKind::module_ ? "friend " : "";
}

}  // namespace

void print_enum(Context& context, const Declaration& declaration) {
  const std::string name = escaped(declaration.name);
  const auto enumerators = enumerators_of(declaration);
  std::string list;
  Integer expected = 0, most = 0;
  for (const Declaration* enumerator : enumerators) {
    const Integer number = number_of(*enumerator);
    list += (list.empty() ? "" : ", ") + escaped(enumerator->name);
    if (number != expected) list += " = " + std::to_string(static_cast<long long>(number));
    expected = number + 1;
    most = std::max(most, number);
  }
  context.out.blank();
  context.out.print(R"(enum class $name : $underlying { $list };
template <class Out>
$friendOut& operator<<(Out& out, $name value) { return IDL::write(out, value); })",
                    {{"name", name},
                     {"underlying", underlying(declaration)},
                     {"list", list},
                     {"friendOut", friend_in(declaration) + "Out"}});
  context.at_end.blank();
  context.at_end.print(R"(template <>
struct takt::cdr::EnumSize<::$full> {
  static constexpr std::uint32_t value = $count;
  static constexpr Description<$described> description$description;
};)",
                       {{"full", full_name(declaration)},
                        {"count", std::to_string(static_cast<long long>(most + 1)) + "u"},
                        {"described", std::to_string(enumerators.size())},
                        {"description", description(declaration, enumerators)}});
}

void print_bitmask(Context& context, const Declaration& declaration) {
  const std::string name = escaped(declaration.name);
  const std::string bits = std::to_string(declaration.width ? declaration.width : 32);
  std::string flags;
  for (const Declaration* flag : enumerators_of(declaration))
    flags += (flags.empty() ? "" : ", ") + escaped(flag->name) + " = std::uint64_t{1} << " +
             std::to_string(static_cast<long long>(number_of(*flag)));
  context.out.blank();
  context.out.print(
      R"(class $name : public takt::cdr::BitMask<$name, $bits> {
 public:
  static constexpr takt::cdr::Description<0> _description$description;
  enum _flags : takt::cdr::BitHolder<$bits> { $flags };
  using BitMask::BitMask;
};)",
      {{"name", name}, {"bits", bits}, {"flags", flags}, {"description", description(declaration, {})}});
}

void print_bitset(Context& context, const Declaration& declaration) {
  Writer& out = context.out;
  const std::string name = escaped(declaration.name);
  const auto width_of = [](const Declaration& set, const auto& self) -> std::uint32_t {
    std::uint32_t width = set.bases.empty() ? 0 : self(defined(*set.bases[0]), self);
    for (const Declaration* field : set.contents) width += field->width;
    return width;
  };
  std::uint32_t at = declaration.bases.empty() ? 0 : width_of(defined(*declaration.bases[0]), width_of);
  const std::uint32_t bits = width_of(declaration, width_of);
  out.blank();
  out.print("class $name : public takt::cdr::BitSet<$name, $bits> {",
            {{"name", name}, {"bits", std::to_string(bits ? bits : 1)}});
  out.indent(2);
  out.print("public:");
  out.print("static constexpr takt::cdr::Description<0> _description$description;",
            {{"description", description(declaration, {})}});
  const auto print_fields = [&](const Declaration& set, std::uint32_t from) {
    for (const Declaration* field : set.contents) {
      if (!field->name.empty()) {
        const std::string type = field->type          ? context.names.type(*field->type, &declaration)
                                 : field->width == 1  ? "bool"
                                 : field->width <= 8  ? "std::uint8_t"
                                 : field->width <= 16 ? "std::uint16_t"
                                 : field->width <= 32 ? "std::uint32_t"
                                                      : "std::uint64_t";
        const std::string place = type + ", " + std::to_string(from) + ", " + std::to_string(field->width);
        out.print(R"(void $name($type value) { set<$place>(value); }
$type $name() const { return get<$place>(); })",
                  {{"name", escaped(field->name)}, {"type", type}, {"place", place}});
      }
      from += field->width;
    }
  };
  std::uint32_t base_at = 0;
  for (const Declaration* base = declaration.bases.empty() ? nullptr : &defined(*declaration.bases[0]); base;
       base = nullptr) {  // a bit set inherits from at most one, which starts at bit 0
    print_fields(*base, base_at);
  }
  print_fields(declaration, at);
  out.indent(-2);
  out.print("};");
}

void print_constant(Context& context, const Declaration& declaration) {
  const Type& type = declaration.type->resolved();
  const bool in_class = friend_in(declaration) != "";
  const bool object =
      type.kind == TypeKind::string || type.kind == TypeKind::wstring || type.kind == TypeKind::fixed;
  const std::string storage = object     ? (in_class ? "static inline const " : "inline const ")
                              : in_class ? "static constexpr "
                                         : "inline constexpr ";
  std::string spelled = context.names.type(*declaration.type, declaration.scope);
  if (type.kind == TypeKind::fixed && type.digits == 0)
    if (const auto* value = std::get_if<FixedValue>(&declaration.value.is))
      spelled = "IDL::Fixed<31, " + std::to_string(value->scale) + ">";
  const std::string value = context.names.value(declaration.value, *declaration.type, declaration.scope);
  context.out.print(
      "$storage$type $name = $value;",
      {{"storage", storage},
       {"type", spelled},
       {"name", escaped(declaration.name)},
       {"value", type.kind == TypeKind::fixed ? spelled + value.substr(value.find("(\"")) : value}});
}

}  // namespace takt::idl::cpp
