// The samples of idl/values.idl, and the servant that receives them.
#pragma once

#include <memory>
#include <string>

#include <takt/corba.h>

#include "valuesC.h"
#include "valuesS.h"

namespace interop {

using NodeRef = Interop::Node::_ref_type;
using BaseRef = Interop::Base::_ref_type;
using DerivedRef = Interop::Derived::_ref_type;

// Three nodes in a circle. The first has the second twice in `others`, with null between.
inline NodeRef graph() {
  const auto node = [](int32_t number) {
    return CORBA::make_reference<Interop::obv::Node>(number, std::to_string(number), NodeRef(),
                                                     Interop::Nodes());
  };
  const NodeRef first = node(1), second = node(2), third = node(3);
  first->next(second);
  second->next(third);
  third->next(first);
  first->others({second, nullptr, second});
  return first;
}
inline bool is_graph(const NodeRef& first) {
  if (!first || !first->next() || !first->next()->next()) return false;
  const NodeRef second = first->next(), third = second->next();
  return first->number() == 1 && second->number() == 2 && third->number() == 3 && third->name() == "3" &&
         third->next() == first && first->others().size() == 3 && first->others()[0] == second &&
         !first->others()[1] && first->others()[2] == second && third->others().empty();
}
// Breaks the graph's cycles, which would keep it alive.
inline void take_apart(const NodeRef& first) {
  if (first) first->next(nullptr);
}

inline DerivedRef inner_sample() {
  return CORBA::make_reference<Interop::obv::Derived>(uint8_t{8}, -0.5, BaseRef(), Interop::Octets(),
                                                      std::string());
}
inline DerivedRef derived(const Interop::Octets& data) {
  return CORBA::make_reference<Interop::obv::Derived>(uint8_t{7}, 2.5, inner_sample(), data,
                                                      std::string("last"));
}
inline BaseRef wide() {
  return CORBA::make_reference<Interop::obv::Wide>(
      uint8_t{7}, 2.5, inner_sample(), Interop::Octets{1, 2, 3}, std::string("last"),
      CORBA::make_reference<Interop::obv::Base>(uint8_t{9}), int64_t{-1},
      CORBA::make_reference<Interop::Text>("label"));
}
// Also true for a wide() truncated to a Derived.
inline bool is_derived(const BaseRef& value, const Interop::Octets& data) {
  const DerivedRef outer = IDL::traits<Interop::Derived>::narrow(value);
  if (!outer || IDL::traits<Interop::Wide>::narrow(value)) return false;
  const DerivedRef inner = IDL::traits<Interop::Derived>::narrow(outer->inner());
  return outer->small() == 7 && outer->large() == 2.5 && outer->data() == data && outer->last() == "last" &&
         inner && inner->small() == 8 && inner->large() == -0.5 && !inner->inner();
}
inline Interop::Octets much() {
  Interop::Octets octets(100000);
  for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = static_cast<uint8_t>(i * 31 + i / 256);
  return octets;
}

class PackedValue final : public virtual Interop::obv::Packed {
 public:
  void marshal(CORBA::DataOutputStream& to) const override {
    to.write_long(count());
    to.write_string(word());
  }
  void unmarshal(CORBA::DataInputStream& from) override {
    count(from.read_long());
    word(from.read_string());
  }
};
class PackedFactory final : public Interop::Packed_init {
 public:
  IDL::traits<CORBA::ValueBase>::ref_type create_for_unmarshal() override {
    return CORBA::make_reference<PackedValue>();
  }
};
inline Interop::Packed::_ref_type packed() {
  const auto value = CORBA::make_reference<PackedValue>();
  value->count(-3);
  value->word("packed");
  return value;
}
inline bool is_packed(const Interop::Packed::_ref_type& value) {
  return value && value->count() == -3 && value->word() == "packed";
}

template <class Orb>
void register_factories(const Orb& orb) {
  orb->register_value_factory(Interop::Node::_repository_id(), std::make_shared<Interop::Node_init>());
  orb->register_value_factory(Interop::Base::_repository_id(), std::make_shared<Interop::Base_init>());
  orb->register_value_factory(Interop::Derived::_repository_id(), std::make_shared<Interop::Derived_init>());
  orb->register_value_factory(Interop::Packed::_repository_id(), std::make_shared<PackedFactory>());
}

class ValuesServant final : public virtual CORBA::servant_traits<Interop::Values>::base_type {
 public:
  NodeRef pass_null(NodeRef none) override { return expect(!none, "null"), none; }
  NodeRef pass_graph(NodeRef ring) override {
    expect(is_graph(ring), "graph");
    take_apart(ring);
    return graph();
  }
  Interop::Pair pass_shared(NodeRef one, const Interop::Pair& both) override {
    expect(one && one->number() == 7 && both.one() == one && both.two() == one && both.between() == 9,
           "shared");
    return both;
  }
  BaseRef pass_derived(BaseRef value) override {
    return expect(is_derived(value, {1, 2, 3}), "derived"), value;
  }
  BaseRef pass_truncated(BaseRef value, int32_t after) override {
    expect(is_derived(value, {1, 2, 3}) && after == 77, "truncated");
    return wide();
  }
  DerivedRef pass_large(DerivedRef value) override {
    return expect(is_derived(value, much()), "large"), value;
  }
  Interop::Packed::_ref_type pass_packed(Interop::Packed::_ref_type value) override {
    return expect(is_packed(value), "packed"), value;
  }
  Interop::Text::_ref_type pass_text(Interop::Text::_ref_type boxed) override {
    return expect(!boxed || boxed->_value() == "boxed", "text"), boxed;
  }
  Interop::Numbers::_ref_type pass_numbers(Interop::Numbers::_ref_type boxed) override {
    return expect(boxed && boxed->_value().size() == 3 && boxed->_value()[1] == -2, "numbers"), boxed;
  }
  CORBA::Any pass_any(const CORBA::Any& value) override {
    NodeRef ring;
    expect((value >>= ring) && is_graph(ring), "any");
    return value;
  }
  CORBA::typecode_reference type_of(const CORBA::Any& value) override { return value.type(); }

 private:
  static void expect(bool holds, const char* what) {
    if (!holds) throw Interop::Mismatch(what);
  }
};

}  // namespace interop
