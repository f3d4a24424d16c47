// Equality and equivalence of TypeCodes (CORBA 3.0.3, 4.11.1).
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cdr/typecodes/typecode_maker.h"

namespace takt::cdr {

namespace {

// A union-find over the types inside two others. A type that occurs in both is distinguished by its side.
class TypeClasses {
 public:
  // Joins the classes of both types. Returns false if they were joined already.
  bool join(const TypeCode* left, const TypeCode* right) {
    std::uint32_t a = class_of(left_, left), b = class_of(right_, right);
    if (a == b) return false;
    if (sizes_[a] < sizes_[b]) std::swap(a, b);
    parents_[b] = a;
    sizes_[a] += sizes_[b];
    return true;
  }
  std::size_t types() const { return parents_.size(); }

 private:
  using Numbers = std::unordered_map<const TypeCode*, std::uint32_t>;

  std::uint32_t class_of(Numbers& numbers, const TypeCode* type) {
    const auto [at, is_new] = numbers.try_emplace(type, static_cast<std::uint32_t>(parents_.size()));
    std::uint32_t number = at->second;
    if (is_new) {
      parents_.push_back(number);
      sizes_.push_back(1);
    }
    while (parents_[number] != number) number = parents_[number] = parents_[parents_[number]];
    return number;
  }

  Numbers left_, right_;
  std::vector<std::uint32_t> parents_, sizes_;
};

// Two types are the same if every pair of types at the same place in both is the same, apart from their
// parts. Each pair is compared once, however often or recursively it occurs. Pairs wait in a list, so that
// deep types do not overflow the stack.
//
// There can be as many pairs as the product of both types' sizes. If sameness is transitive, a pair whose
// types are already connected follows from earlier pairs and is skipped, so there are no more pairs than
// types (Hopcroft and Karp). Sameness is not transitive if empty ids, which match any id, occur on both sides
// or meet two types that have ids. In that case every pair is compared, up to a limit.
class Comparison {
 public:
  explicit Comparison(bool strict) : strict_(strict) {}

  bool same(const TypeCode& left, const TypeCode& right) {
    if (!all_pairs_same(left, right)) return false;
    if (with_id_ + with_id_left_ + with_id_right_ <= 1) return true;
    most_pairs_ = 65'536 + 16 * classes_.types();
    looks_at_each_ = true;
    return all_pairs_same(left, right);
  }

 private:
  using Pair = std::pair<const TypeCode*, const TypeCode*>;
  struct Hash {
    std::size_t operator()(const Pair& pair) const {
      const auto a = reinterpret_cast<std::uintptr_t>(pair.first),
                 b = reinterpret_cast<std::uintptr_t>(pair.second);
      return (a * 31 + b) * 0x9e3779b97f4a7c15u >> 8;
    }
  };

  bool all_pairs_same(const TypeCode& left, const TypeCode& right) {
    add(left, right);
    while (!waiting_.empty()) {
      const auto [a, b] = waiting_.back();
      waiting_.pop_back();
      if (!same_but_for_parts(a->_parts(), b->_parts())) return false;
    }
    return true;
  }

  void add(const TypeCode& left, const TypeCode& right) {
    const Pair pair(strict_ ? &left : &left._unaliased(), strict_ ? &right : &right._unaliased());
    if (pair.first == pair.second) {
      const TCKind kind = pair.first->_parts().kind;
      with_id_ |= !strict_ && (has_id(kind) || has_content(kind));  // the type's parts may have ids
      return;
    }
    if (looks_at_each_ ? note_pair(pair) : classes_.join(pair.first, pair.second)) waiting_.push_back(pair);
  }
  bool note_pair(const Pair& pair) {
    if (!seen_.insert(pair).second) return false;
    if (seen_.size() > most_pairs_)
      throw CORBA::IMP_LIMIT(
          0, CORBA::COMPLETED_NO,
          "two TypeCodes, in which only some types have ids, are too large to be compared");
    return true;
  }
  // Adds a pair. Returns false if only one of the two is there.
  bool add(const typecode_reference& left, const typecode_reference& right) {
    if (!left || !right) return !left && !right;
    const auto a = left->_resolved(left.shared()), b = right->_resolved(right.shared());
    if (!a || !b)
      return left->_is_recursion() && right->_is_recursion() && left->_parts().id == right->_parts().id;
    add(*a, *b);
    return true;
  }

  bool same_but_for_parts(const TypeCodeParts& p, const TypeCodeParts& q) {
    if (p.kind != q.kind) return false;
    if (strict_) return p.id == q.id && p.name == q.name && same_parameters(p, q) && add_parts(p, q);
    if (!p.id.empty() && !q.id.empty()) {
      with_id_ = true;
      return p.id == q.id;
    }
    with_id_left_ |= !p.id.empty();
    with_id_right_ |= !q.id.empty();
    return same_parameters(p, q) && add_parts(p, q);
  }
  static bool same_parameters(const TypeCodeParts& p, const TypeCodeParts& q) {
    return p.length == q.length && p.digits == q.digits && p.scale == q.scale && p.modifier == q.modifier &&
           p.default_index == q.default_index;
  }
  bool add_parts(const TypeCodeParts& p, const TypeCodeParts& q) {
    return add(p.discriminator, q.discriminator) && add(p.content, q.content) && add_members(p, q);
  }
  bool add_members(const TypeCodeParts& p, const TypeCodeParts& q) {
    if (p.members.size() != q.members.size()) return false;
    for (std::size_t i = 0; i < p.members.size(); ++i) {
      const TypeCodeMember &m = p.members[i], &n = q.members[i];
      if (strict_ && m.name != n.name) return false;
      if (m.label != n.label || m.visibility != n.visibility || !add(m.type, n.type)) return false;
    }
    return true;
  }

  const bool strict_;
  // Whether there was a pair in which both types had ids, or only the one of that side.
  bool with_id_ = false, with_id_left_ = false, with_id_right_ = false;
  TypeClasses classes_;
  bool looks_at_each_ = false;
  std::size_t most_pairs_ = 0;
  std::unordered_set<Pair, Hash> seen_;
  std::vector<Pair> waiting_;
};

}  // namespace

}  // namespace takt::cdr

namespace CORBA {

namespace {

const TypeCode& given(const typecode_reference& other) {
  if (!other) throw BAD_PARAM(omg_minor(13), COMPLETED_NO, "a TypeCode was compared with nil");
  return *other;
}

}  // namespace

bool TypeCode::equal(const typecode_reference& other) const {
  return takt::cdr::Comparison(true).same(meant(), given(other).meant());
}

bool TypeCode::equivalent(const typecode_reference& other) const {
  return takt::cdr::Comparison(false).same(meant(), given(other).meant());
}

}  // namespace CORBA
