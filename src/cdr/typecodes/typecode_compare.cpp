// Whether two TypeCodes are the same type (CORBA 3.0.3, 4.11.1).
#include <set>

#include "cdr/typecodes/typecode_maker.h"

namespace takt::cdr {

namespace {

// Pairs that were compared count as the same: a difference ends the whole comparison, so that each pair is
// seen once however often, and however recursively, it is there.
class Comparison {
 public:
  explicit Comparison(bool strict) : strict_(strict) {}

  bool same(const typecode_reference& left, const typecode_reference& right) {
    if (!left || !right) return !left && !right;
    const auto a = left->_resolved(left.shared()), b = right->_resolved(right.shared());
    if (!a || !b)
      return left->_is_recursion() && right->_is_recursion() && left->_parts().id == right->_parts().id;
    return same(*a, *b);
  }

  bool same(const TypeCode& left, const TypeCode& right) {
    const TypeCode& a = strict_ ? left : left._unaliased();
    const TypeCode& b = strict_ ? right : right._unaliased();
    if (&a == &b || !seen_.emplace(&a, &b).second) return true;
    const TypeCodeParts &p = a._parts(), &q = b._parts();
    if (p.kind != q.kind || !same_ids(p, q)) return false;
    if (!strict_ && has_id(p.kind) && !p.id.empty() && !q.id.empty()) return true;
    if (strict_ && p.name != q.name) return false;
    return p.length == q.length && p.digits == q.digits && p.scale == q.scale && p.modifier == q.modifier &&
           p.default_index == q.default_index && same(p.discriminator, q.discriminator) &&
           same(p.content, q.content) && same_members(p, q);
  }

 private:
  bool same_ids(const TypeCodeParts& p, const TypeCodeParts& q) const {
    return p.id == q.id || (!strict_ && (p.id.empty() || q.id.empty()));
  }
  bool same_members(const TypeCodeParts& p, const TypeCodeParts& q) {
    if (p.members.size() != q.members.size()) return false;
    for (std::size_t i = 0; i < p.members.size(); ++i) {
      const TypeCodeMember &m = p.members[i], &n = q.members[i];
      if (strict_ && m.name != n.name) return false;
      if (m.label != n.label || m.visibility != n.visibility || !same(m.type, n.type)) return false;
    }
    return true;
  }

  bool strict_;
  std::set<std::pair<const TypeCode*, const TypeCode*>> seen_;
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
