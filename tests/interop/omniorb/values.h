// The samples of idl/values.idl for omniORB, and the servant that receives them; takt/values.h has the same.
#pragma once

#include <cstring>
#include <string>

#include "calls.hh"

namespace interop {

template <class Value>
Value* held(Value* value) {
  CORBA::add_ref(value);
  return value;
}

// These return a reference that the caller owns.
inline Interop::Node* node(CORBA::Long number) {
  Interop::Node* made = new OBV_Interop::Node;
  made->number(number);
  made->name(std::to_string(number).c_str());
  made->next(nullptr);
  return made;
}
// Three nodes in a circle. The first has the second twice in `others`, with null between.
inline Interop::Node* graph() {
  Interop::Node* first = node(1);
  Interop::Node_var second = node(2), third = node(3);
  first->next(second);
  second->next(third);
  third->next(first);
  first->others().length(3);
  first->others()[0] = held(second.in());
  first->others()[1] = static_cast<Interop::Node*>(nullptr);
  first->others()[2] = held(second.in());
  return first;
}
inline bool is_graph(Interop::Node* first) {
  if (!first || !first->next() || !first->next()->next()) return false;
  Interop::Node *second = first->next(), *third = second->next();
  return first->number() == 1 && second->number() == 2 && third->number() == 3 &&
         std::string(third->name()) == "3" && third->next() == first && first->others().length() == 3 &&
         first->others()[0].in() == second && !first->others()[1].in() && first->others()[2].in() == second &&
         third->others().length() == 0;
}
// Breaks the graph's cycles, which would keep it alive.
inline void take_apart(Interop::Node* first) {
  if (first) first->next(nullptr);
}

inline Interop::Octets few_octets() {
  Interop::Octets few;
  few.length(3);
  for (CORBA::ULong i = 0; i < 3; ++i) few[i] = static_cast<CORBA::Octet>(i + 1);
  return few;
}
inline Interop::Octets much() {
  Interop::Octets octets;
  octets.length(100000);
  for (CORBA::ULong i = 0; i < octets.length(); ++i) octets[i] = static_cast<CORBA::Octet>(i * 31 + i / 256);
  return octets;
}
inline void fill(Interop::Derived* value, const Interop::Octets& data) {
  Interop::Derived_var inner = new OBV_Interop::Derived;
  inner->small(8);
  inner->large(-0.5);
  inner->inner(nullptr);
  inner->last("");
  value->small(7);
  value->large(2.5);
  value->inner(inner);
  value->data(data);
  value->last("last");
}
inline Interop::Derived* derived(const Interop::Octets& data) {
  Interop::Derived* value = new OBV_Interop::Derived;
  fill(value, data);
  return value;
}
inline Interop::Base* wide() {
  Interop::Wide* value = new OBV_Interop::Wide;
  fill(value, few_octets());
  Interop::Base_var lost = new OBV_Interop::Base(9);
  Interop::Text_var label = new Interop::Text("label");
  value->lost(lost);
  value->more(-1);
  value->label(label);
  return value;
}
// Also true for a wide() truncated to a Derived.
inline bool is_derived(Interop::Base* value, const Interop::Octets& data) {
  Interop::Derived* outer = Interop::Derived::_downcast(value);
  if (!outer || Interop::Wide::_downcast(value)) return false;
  Interop::Derived* inner = Interop::Derived::_downcast(outer->inner());
  const Interop::Octets& octets = outer->data();
  return outer->small() == 7 && outer->large() == 2.5 && octets.length() == data.length() &&
         std::memcmp(octets.get_buffer(), data.get_buffer(), data.length()) == 0 &&
         std::string(outer->last()) == "last" && inner && inner->small() == 8 && inner->large() == -0.5 &&
         !inner->inner();
}

template <class Value>
class Factory : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Value; }
};
inline void register_factories(CORBA::ORB_ptr orb) {
  const auto add = [orb](const char* id, CORBA::ValueFactory factory) {
    CORBA::ValueFactoryBase_var replaced = orb->register_value_factory(id, factory);
    factory->_remove_ref();
  };
  add("IDL:Interop/Node:1.0", new Factory<OBV_Interop::Node>);
  add("IDL:Interop/Base:1.0", new Factory<OBV_Interop::Base>);
  add("IDL:Interop/Derived:1.0", new Factory<OBV_Interop::Derived>);
}

class ValuesServant : public POA_Interop::Values {
 public:
  Interop::Node* pass_null(Interop::Node* none) override { return expect(!none, "null"), none; }
  Interop::Node* pass_graph(Interop::Node* ring) override {
    expect(is_graph(ring), "graph");
    take_apart(ring);
    return graph();
  }
  Interop::Pair* pass_shared(Interop::Node* one, const Interop::Pair& both) override {
    expect(one && one->number() == 7 && both.one.in() == one && both.two.in() == one && both.between == 9,
           "shared");
    return new Interop::Pair(both);
  }
  Interop::Base* pass_derived(Interop::Base* value) override {
    expect(is_derived(value, few_octets()), "derived");
    return held(value);
  }
  Interop::Base* pass_truncated(Interop::Base* value, CORBA::Long after) override {
    expect(is_derived(value, few_octets()) && after == 77, "truncated");
    return wide();
  }
  Interop::Derived* pass_large(Interop::Derived* value) override {
    expect(is_derived(value, much()), "large");
    return held(value);
  }
  Interop::Text* pass_text(Interop::Text* boxed) override {
    expect(!boxed || std::string(boxed->_value()) == "boxed", "text");
    return held(boxed);
  }
  Interop::Numbers* pass_numbers(Interop::Numbers* boxed) override {
    expect(boxed && boxed->length() == 3 && (*boxed)[1] == -2, "numbers");
    return held(boxed);
  }
  CORBA::Any* pass_any(const CORBA::Any& value) override {
    Interop::Node* ring;
    expect((value >>= ring) && is_graph(ring), "any");
    return new CORBA::Any(value);
  }
  CORBA::TypeCode_ptr type_of(const CORBA::Any& value) override { return value.type(); }

 private:
  static void expect(bool holds, const char* what) {
    if (!holds) throw Interop::Mismatch(what);
  }
};

}  // namespace interop
