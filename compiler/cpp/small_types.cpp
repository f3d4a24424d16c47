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
  std::string list, values;
  Integer expected = 0, most = 0;
  bool are_ordinals = true;
  for (const Declaration* enumerator : enumerators) {
    const Integer number = number_of(*enumerator);
    list += (list.empty() ? "" : ", ") + escaped(enumerator->name);
    if (number != expected) list += " = " + std::to_string(static_cast<long long>(number));
    are_ordinals = are_ordinals && number == expected;
    values += (values.empty() ? "" : ", ") + std::to_string(static_cast<long long>(number)) + "u";
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
  context.at_end.print(
      R"(template <>
struct takt::cdr::EnumSize<::$full> {
  static constexpr std::uint32_t value = $count;$values
  static constexpr Description<$described> description$description;
};)",
      {{"full", full_name(declaration)},
       {"count", std::to_string(static_cast<long long>(most + 1)) + "u"},
       {"values", are_ordinals ? "" : "\n  static constexpr std::uint32_t values[] = {" + values + "};"},
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

namespace {

std::string type_of_field(const Context& context, const Declaration& field, const Declaration& set) {
  return field.type          ? context.names.type(*field.type, &set)
         : field.width == 1  ? "bool"
         : field.width <= 8  ? "std::uint8_t"
         : field.width <= 16 ? "std::uint16_t"
         : field.width <= 32 ? "std::uint32_t"
                             : "std::uint64_t";
}

// Prints the default constructor, one that takes all fields, and the output function.
void print_whole_bitset(Context& context, const Declaration& set,
                        const std::vector<const Declaration*>& fields) {
  const std::string name = escaped(set.name);
  std::string parameters, assignments, values;
  for (const Declaration* field : fields) {
    const std::string called = escaped(field->name);
    parameters += (parameters.empty() ? "" : ", ") + type_of_field(context, *field, set) + " " + called;
    assignments += " this->" + called + "(" + called + ");";
    values += ", this->" + called + "()";
  }
  context.out.print("constexpr $name() = default;", {{"name", name}});
  if (!fields.empty())
    context.out.print("constexpr $explicit$name($parameters) {$assignments }",
                      {{"explicit", fields.size() == 1 ? "explicit " : ""},
                       {"name", name},
                       {"parameters", parameters},
                       {"assignments", assignments}});
  context.out.print(R"(template <class Out>
void _write_to(Out& out) const { takt::cdr::write_bit_set(out, _description$values); }
template <class Out>
friend Out& operator<<(Out& out, const $name& value) { return IDL::write(out, value); })",
                    {{"values", values}, {"name", name}});
}

}  // namespace

void print_bitset(Context& context, const Declaration& declaration) {
  Writer& out = context.out;
  const std::string name = escaped(declaration.name);
  // The fields of the bases come first, in the lowest bits.
  std::vector<const Declaration*> chain;
  for (const Declaration* at = &declaration; at; at = at->bases.empty() ? nullptr : &defined(*at->bases[0]))
    chain.insert(chain.begin(), at);
  std::vector<const Declaration*> fields;
  for (const Declaration* set : chain)
    fields.insert(fields.end(), set->contents.begin(), set->contents.end());
  out.blank();
  out.print("class $name : public takt::cdr::BitSet<$name, $bits> {",
            {{"name", name}, {"bits", std::to_string(declaration.width ? declaration.width : 1)}});
  out.indent(2);
  out.print("public:");
  out.print("static constexpr takt::cdr::Description<$count> _description$description;",
            {{"count", std::to_string(fields.size())}, {"description", description(declaration, fields)}});
  print_whole_bitset(context, declaration, fields);
  // A field with the name of one of the base's functions hides it.
  const auto hides = [](const Declaration* field) { return field->name == "get" || field->name == "set"; };
  const std::string base = std::ranges::any_of(fields, hides) ? "this->BitSet::" : "";
  for (const Declaration* field : fields) {
    const std::string type = type_of_field(context, *field, declaration);
    out.print(
        R"(constexpr void $name($type value) { $set<$place>(value); }
constexpr $type $name() const { return $get<$place>(); })",
        {{"name", escaped(field->name)},
         {"type", type},
         {"set", base + "set"},
         {"get", base + "get"},
         {"place", type + ", " + std::to_string(field->first_bit) + ", " + std::to_string(field->width)}});
  }
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
  const auto [spelled, value] = context.names.constant(declaration, declaration.scope);
  context.out.print(
      "$storage$type $name = $value;",
      {{"storage", storage}, {"type", spelled}, {"name", escaped(declaration.name)}, {"value", value}});
}

}  // namespace takt::idl::cpp
