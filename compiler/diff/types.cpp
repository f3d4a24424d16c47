// Compares types where they are used: by parameters, members, elements and typedefs.
#include <optional>

#include "diff/context.h"
#include "sema/constants.h"

namespace takt::idl::diff {

namespace {

using K = DeclarationKind;
using T = TypeKind;

bool is_octet(T kind) { return kind == T::octet || kind == T::uint8; }
bool is_integer(T kind) { return kind >= T::octet && kind <= T::uint64; }
bool is_float(T kind) { return kind == T::float_ || kind == T::double_ || kind == T::long_double; }
bool is_short_text(T kind) { return kind == T::char_ || kind == T::string; }
bool is_wide_text(T kind) { return kind == T::wchar || kind == T::wstring; }

int octets_of(T kind) {
  if (kind <= T::uint8) return 1;
  if (kind <= T::uint16) return 2;
  return kind <= T::uint32 ? 4 : 8;
}

bool is_interface(const Type& type) {
  return type.kind == T::object ||
         (type.kind == T::named &&
          (type.declaration->kind == K::interface_ ||
           (type.declaration->kind == K::forward_ && type.declaration->forward_kind == K::interface_)));
}

// Whether one of two kinds, whichever, is of the first class and the other one of the second.
template <class First, class Second>
bool are(T one, T other, First&& first, Second&& second) {
  return (first(one) && second(other)) || (first(other) && second(one));
}

// Kinds whose values are one octet, which may mean something else on the other side.
bool are_octets_of_other_meaning(T one, T other) {
  const auto meaning_of = [](T kind) {
    if (kind == T::char_) return 1;
    if (kind == T::boolean) return 2;
    return is_integer(kind) && octets_of(kind) == 1 ? 3 : 0;
  };
  const int first = meaning_of(one), second = meaning_of(other);
  return first != 0 && second != 0 && first != second;
}

bool are_texts_of_other_width(T one, T other) {
  const auto is_string = [](T kind) { return kind == T::string || kind == T::wstring; };
  return are(one, other, is_short_text, is_wide_text) && is_string(one) == is_string(other);
}

// The rule for two different kinds of type, of which at most one is a declared type.
RuleName rule_for_kinds(T old, T now) {
  if (is_integer(old) && is_integer(now))
    return octets_of(old) == octets_of(now) ? RuleName("type-sign-changed") : RuleName("type-width-changed");
  if (is_float(old) && is_float(now)) return "type-precision-changed";
  if (are(old, now, is_integer, is_float)) return "type-number-kind-changed";
  if (are_octets_of_other_meaning(old, now)) return "type-octet-meaning-changed";
  if (are_texts_of_other_width(old, now)) return "character-width-changed";
  if (old == T::array && now == T::sequence) return "array-became-sequence";
  if (old == T::sequence && now == T::array) return "sequence-became-array";
  return "type-changed";
}

class TypeComparison {
 public:
  TypeComparison(Context& context, const Site& site, const Type& old, const Type& now)
      : context_(context), site_(site), detail_(text_of(old) + " is now " + text_of(now)) {}

  void compare(const Type& old, const Type& now) {
    if (context_.same_type(old, now)) return;
    const Type& from = old.resolved();
    const Type& to = now.resolved();
    if (&from != &old || &to != &now) {
      if (context_.same_type(from, to)) return report("alias-changed");
      return compare(from, to);
    }
    if (is_interface(from) && is_interface(to)) return compare_references(from, to);
    if (from.kind != to.kind) {
      if (!(is_octet(from.kind) && is_octet(to.kind))) report(rule_for_kinds(from.kind, to.kind));
      return;
    }
    compare_kind(from, to);
  }

 private:
  void report(RuleName rule) { context_.report(rule, site_, detail_); }

  void compare_kind(const Type& old, const Type& now) {
    switch (old.kind) {
      case T::string:
      case T::wstring:
        return compare_bounds(old, now, "string-bound-narrowed", "string-bound-widened");
      case T::sequence:
        compare_bounds(old, now, "sequence-bound-narrowed", "sequence-bound-widened");
        return compare(*old.element, *now.element);
      case T::map:
        compare_bounds(old, now, "map-bound-narrowed", "map-bound-widened");
        compare(*old.key, *now.key);
        return compare(*old.element, *now.element);
      case T::array:
        if (old.bound != now.bound) report("array-length-changed");
        return compare(*old.element, *now.element);
      case T::fixed:
        if (old.scale != now.scale) return report("fixed-scale-changed");
        return report("fixed-digits-changed");
      case T::named:
        return compare_named(*old.declaration, *now.declaration);
      default:
        return;
    }
  }

  void compare_bounds(const Type& old, const Type& now, RuleName narrowed, RuleName widened) {
    if (old.bound == now.bound) return;
    const bool narrows = old.bound == 0 || (now.bound != 0 && now.bound < old.bound);
    report(narrows ? narrowed : widened);
  }

  void compare_references(const Type& old, const Type& now) {
    if (now.kind == T::object) return report("reference-widened");
    if (old.kind == T::object) return report("reference-narrowed");
    const Declaration& from = defined(*old.declaration);
    const Declaration& to = defined(*now.declaration);
    if (from.is_abstract != to.is_abstract || from.is_local != to.is_local) return report("type-changed");
    const Declaration* const still = context_.pairs().now(from.scoped_name());
    const Declaration* const before = context_.old().find(context_.old_name(to));
    if (still && to.derives_from(*still)) return report("reference-narrowed");
    if (before && from.derives_from(*before)) return report("reference-widened");
    report("reference-changed");
  }

  void compare_named(const Declaration& old, const Declaration& now) {
    const std::string shape = shape_of(old, scoped_name_of);
    const bool alike =
        old.kind == now.kind && !shape.empty() && shape == shape_of(now, context_.pairs().names());
    report(alike ? RuleName("type-replaced-by-alike") : RuleName("type-changed"));
  }

  Context& context_;
  const Site& site_;
  std::string detail_;
};

}  // namespace

void compare_types(Context& context, const Site& site, const Type& old, const Type& now) {
  TypeComparison(context, site, old, now).compare(old, now);
}

}  // namespace takt::idl::diff
