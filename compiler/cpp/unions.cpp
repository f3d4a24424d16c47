#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>

#include "cpp/declarations.h"

namespace takt::idl::cpp {

namespace {

// The first of the candidates that is no label; none if all are labels.
template <class Candidates>
std::optional<Value> first_unused(const Declaration& of_union, const Candidates& candidates) {
  using Candidate = std::decay_t<decltype(*std::begin(candidates))>;
  std::set<Candidate> used;
  for (const Declaration* member : members_of(of_union))
    for (const Value& label : member->labels)
      if (const auto* value = std::get_if<Candidate>(&label.is)) used.insert(*value);
  for (const Candidate& candidate : candidates)
    if (!used.contains(candidate)) return Value{candidate};
  return std::nullopt;
}

// Only the small types can have all their labels used.
std::optional<Value> unused_integer(const Declaration& of_union, TypeKind kind) {
  const auto range = [&](Int128 first, Int128 last) {
    std::vector<Int128> all;
    for (Int128 one = first; one != last; one += first < last ? 1 : -1) all.push_back(one);
    return first_unused(of_union, all);
  };
  switch (kind) {
    case TypeKind::octet:
    case TypeKind::uint8:
      return range(0, 256);
    case TypeKind::int8:
      if (auto unused = range(0, 128)) return unused;
      return range(-1, -129);
    default:
      return range(0, 32768);
  }
}

}  // namespace

std::optional<Value> unused_label(const Declaration& declaration) {
  const Type& type = declaration.type->resolved();
  switch (type.kind) {
    case TypeKind::boolean:
      return first_unused(declaration, std::array{false, true});
    case TypeKind::named: {
      std::vector<const Declaration*> enumerators;
      std::ranges::copy_if(defined(*type.declaration).contents, std::back_inserter(enumerators),
                           [](const Declaration* one) { return one->kind == DeclarationKind::enumerator; });
      return first_unused(declaration, enumerators);
    }
    case TypeKind::char_:
    case TypeKind::wchar: {
      std::vector<char32_t> characters(256);
      std::iota(characters.begin(), characters.end(), U'\0');
      return first_unused(declaration, characters);
    }
    default:
      return unused_integer(declaration, type.kind);
  }
}

namespace {

bool is_of_base(std::string_view name) { return name == "get" || name == "set" || name == "set_none"; }

struct Printer {
  Context& context;
  const Declaration& declaration;
  std::vector<const Declaration*> members = members_of(declaration);
  std::optional<Value> unused = unused_label(declaration);
  // A qualification of get, set and set_none, which is empty unless the union or a member has one of these
  // names and hides the base's.
  std::string base =
      is_of_base(declaration.name) ||
              std::ranges::any_of(members, is_of_base,
                                  [](const Declaration* member) { return std::string_view(member->name); })
          ? "_base::"
          : "";

  std::string spelled(const Value& value) const {
    return context.names.value(value, *declaration.type, &declaration);
  }
  // The default discriminator of a member.
  std::string label_of(const Declaration& member) const {
    if (member.default_label && unused) return spelled(*unused);
    return member.labels.empty() ? "{}" : spelled(member.labels.front());
  }

  std::string first_label() const {
    for (const Declaration* member : members)
      if (member->default_label) return label_of(*member);
    if (declaration.has_implicit_default && unused) return spelled(*unused);
    return members.empty() ? "{}" : label_of(*members.front());
  }

  void print_labels() const {
    std::string labels;
    std::size_t count = 0, default_arm = members.size();
    for (std::size_t arm = 0; arm < members.size(); ++arm) {
      if (members[arm]->default_label) default_arm = arm;
      for (const Value& label : members[arm]->labels) {
        labels += (count++ ? ", {" : "{") + spelled(label) + ", " + std::to_string(arm) + "}";
      }
    }
    context.out.print(R"(static constexpr takt::cdr::UnionLabels<$type, $count> _labels{$labels};
static constexpr std::size_t _default_arm = $default;)",
                      {{"type", context.names.type(*declaration.type, &declaration)},
                       {"count", std::to_string(count)},
                       {"labels", count ? "{" + labels + "}" : ""},
                       {"default", std::to_string(default_arm)}});
  }

  void print_accessors(std::size_t arm) const {
    const Declaration& member = *members[arm];
    const bool several = member.labels.size() > 1 || member.default_label;
    const std::string name = escaped(member.name), type = member_type(context, member, &declaration);
    const std::string discriminator = several ? ", " + context.names.type(*declaration.type, &declaration) +
                                                    " discriminator = " + label_of(member)
                                              : "";
    const std::string label = several ? "discriminator" : label_of(member), index = std::to_string(arm);
    if (by_value(*member.type))
      context.out.print(R"(void $name($type value$discriminator) { $set<$index>($label, value); }
$type $name() const { return $get<$index>(); }
$type& $name() { return $get<$index>(); })",
                        {{"name", name},
                         {"type", type},
                         {"discriminator", discriminator},
                         {"index", index},
                         {"set", base + "set"},
                         {"get", base + "get"},
                         {"label", label}});
    else
      context.out.print(R"(void $name(const $type& value$discriminator) { $set<$index>($label, value); }
void $name($type&& value$discriminator) { $set<$index>($label, std::move(value)); }
const $type& $name() const { return $get<$index>(); }
$type& $name() { return $get<$index>(); })",
                        {{"name", name},
                         {"type", type},
                         {"discriminator", discriminator},
                         {"index", index},
                         {"set", base + "set"},
                         {"get", base + "get"},
                         {"label", label}});
  }
};

}  // namespace

void print_union(Context& context, const Declaration& declaration) {
  Writer& out = context.out;
  const Printer printer{context, declaration};
  const std::string name = escaped(declaration.name);
  const bool nests = std::ranges::any_of(declaration.contents, [](const Declaration* inner) {
    return inner->kind != DeclarationKind::member && inner->kind != DeclarationKind::enumerator;
  });
  // The types of discriminator and members, spelled for use outside the class. Types that the union declares
  // itself are in a struct in front of it.
  std::string arguments = ", " + context.names.type(*declaration.type, declaration.scope);
  for (const Declaration* member : printer.members)
    arguments += ", " + member_type(context, *member, declaration.scope);
  const std::string own = name + "::";
  for (std::size_t at = 0; nests && (at = arguments.find(own, at)) != std::string::npos;
       at += own.size() + 10)
    if (const char before = arguments[at - 1]; before == ' ' || before == '<')
      arguments.insert(at, "_types_of_");
  std::string base = "takt::cdr::Union<" + name + arguments + ">";

  out.blank();
  if (nests) {  // the base's arguments include types that the union declares itself, which may hold the union
    out.print("class $name;", {{"name", name}});
    out.print("struct _types_of_$name {", {{"name", name}});
    out.indent(2);
    print_nested(context, declaration);
    out.indent(-2);
    out.print("};");
    base = "_types_of_" + name + ", public " + base;
  }
  out.print("class $name : public $base {", {{"name", name}, {"base", base}});
  out.indent(2);
  out.print("public:");
  out.print("static constexpr takt::cdr::Description<$count> _description$description;",
            {{"count", std::to_string(printer.members.size())},
             {"description", description(declaration, printer.members)}});
  printer.print_labels();
  out.blank();
  out.print("$name() : _base($label) {}", {{"name", name}, {"label", printer.first_label()}});
  for (std::size_t arm = 0; arm < printer.members.size(); ++arm) printer.print_accessors(arm);
  if (declaration.has_implicit_default && printer.unused)
    out.print("void _default() { $set_none($label); }",
              {{"set_none", printer.base + "set_none"}, {"label", printer.spelled(*printer.unused)}});
  out.blank();
  print_value_semantics(context, name);
  out.print("static CORBA::typecode_reference _type_code();");
  out.indent(-2);
  out.print("};");
}

}  // namespace takt::idl::cpp
