// Whether two TypeCodes are the same type (CORBA 3.0.3, 4.11.1).
#include <unordered_set>
#include <vector>

#include "cdr/typecodes/typecode_maker.h"

namespace takt::cdr {

namespace {

// Two types are the same if all pairs of types that are found at the same place in both are, apart from their
// parts. Each pair is looked at once however often, and however recursively, it is there. Pairs wait in a
// list, so that no type is too deep for the stack.
class Comparison {
 public:
  explicit Comparison(bool strict) : strict_(strict) {}

  bool same(const TypeCode& left, const TypeCode& right) {
    add(left, right);
    while (!waiting_.empty()) {
      const auto [a, b] = waiting_.back();
      waiting_.pop_back();
      if (!same_but_for_parts(a->_parts(), b->_parts())) return false;
    }
    return true;
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

  void add(const TypeCode& left, const TypeCode& right) {
    const Pair pair(strict_ ? &left : &left._unaliased(), strict_ ? &right : &right._unaliased());
    if (pair.first != pair.second && seen_.insert(pair).second) waiting_.push_back(pair);
  }
  // False if they differ already in that one of them is there and the other is not.
  bool add(const typecode_reference& left, const typecode_reference& right) {
    if (!left || !right) return !left && !right;
    const auto a = left->_resolved(left.shared()), b = right->_resolved(right.shared());
    if (!a || !b)
      return left->_is_recursion() && right->_is_recursion() && left->_parts().id == right->_parts().id;
    add(*a, *b);
    return true;
  }

  bool same_but_for_parts(const TypeCodeParts& p, const TypeCodeParts& q) {
    if (p.kind != q.kind || !same_ids(p, q)) return false;
    if (!strict_ && has_id(p.kind) && !p.id.empty() && !q.id.empty()) return true;
    if (strict_ && p.name != q.name) return false;
    return p.length == q.length && p.digits == q.digits && p.scale == q.scale && p.modifier == q.modifier &&
           p.default_index == q.default_index && add(p.discriminator, q.discriminator) &&
           add(p.content, q.content) && add_members(p, q);
  }
  bool same_ids(const TypeCodeParts& p, const TypeCodeParts& q) const {
    return p.id == q.id || (!strict_ && (p.id.empty() || q.id.empty()));
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

  bool strict_;
  std::unordered_set<Pair, Hash> seen_;
  std::vector<Pair> waiting_;
};

}  // namespace

}  // namespace takt::cdr

namespace CORBA {

bool TypeCode::equal(const typecode_reference& other) const {
  return other && takt::cdr::Comparison(true).same(*this, *other);
}

bool TypeCode::equivalent(const typecode_reference& other) const {
  return other && takt::cdr::Comparison(false).same(*this, *other);
}

}  // namespace CORBA
