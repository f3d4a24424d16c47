// Servants, values and factories of valuetypes.idl.
#pragma once

#ifdef CLASSIC_BY_OMNIORB
#include "valuetypes.hh"
#else
#include "valuetypesS.h"
#endif

class Keeper_i : public virtual POA_Values::Keeper {
 public:
  explicit Keeper_i(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  Values::Node* pass_nodes(Values::Node* a, Values::Node*& b, Values::Node_out c) {
    CORBA::add_ref(a);
    c = b;
    b = a;
    CORBA::add_ref(a);
    return a;
  }
  Values::Holder* pass_holders(const Values::Holder& a) { return new Values::Holder(a); }
  Values::Either* pass_either(const Values::Either& a) { return new Values::Either(a); }
  CORBA::Boolean are_same(Values::Node* a, Values::Node* b) { return a == b; }
  CORBA::Boolean is_ring(Values::Node* a) {
    const bool is = a->next()->next() == a;
    a->next(nullptr);  // frees the ring
    return is;
  }
  Values::Nodes* pass_list(const Values::Nodes& a) { return new Values::Nodes(a); }
  Values::Shape* pass_shapes(Values::Shape* a) { return back(a); }
  Values::Everything* pass_everything(Values::Everything* a) { return back(a); }
  Values::Text* pass_text(Values::Text* a) { return back(a); }
  Values::Count* pass_count(Values::Count* a) { return back(a); }
  Values::Longs* pass_longs(Values::Longs* a) { return back(a); }
  Values::Place* pass_place(Values::Place* a) { return back(a); }
  CORBA::Any* pass_any(const CORBA::Any& a) { return new CORBA::Any(a); }
#ifndef CLASSIC_BY_OMNIORB
  Values::Grid* pass_grid(Values::Grid* a) { return back(a); }
  Values::Twice* pass_twice(Values::Twice* a) { return back(a); }
#endif
  void shutdown() { orb_->shutdown(false); }

 private:
  template <class T>
  static T* back(T* value) {
    CORBA::add_ref(value);
    return value;
  }
  CORBA::ORB_var orb_;
};

inline int& shapes_alive() {
  static int alive = 0;
  return alive;
}

class Shape_i : public virtual OBV_Values::Shape, public virtual CORBA::DefaultValueRefCountBase {
 public:
  Shape_i() { ++shapes_alive(); }
  Shape_i(const char* name_is, const Values::Point& at_is) {
    name(name_is);
    at(at_is);
    ++shapes_alive();
  }
  ~Shape_i() { --shapes_alive(); }
  CORBA::Double area() { return at().x * at().y; }
  Values::Shape* _copy_value() { return new Shape_i(name(), at()); }
};
class Circle_i : public virtual OBV_Values::Circle, public virtual CORBA::DefaultValueRefCountBase {
 public:
  Circle_i() { ++shapes_alive(); }
  ~Circle_i() { --shapes_alive(); }
  CORBA::Double area() { return 3 * radius() * radius(); }
  Values::Circle* _copy_value() {
    Circle_i* const copy = new Circle_i;
    copy->name(name());
    copy->radius(radius());
    return copy;
  }
};

class ShapeFactory : public virtual Values::Shape_init {
 public:
  Values::Shape* make(const char* name, const Values::Point& at) { return new Shape_i(name, at); }

 private:
  CORBA::ValueBase* create_for_unmarshal() { return new Shape_i; }
};
class CircleFactory : public virtual CORBA::ValueFactoryBase {
 private:
  CORBA::ValueBase* create_for_unmarshal() { return new Circle_i; }
};

// Takes the factory over.
inline void register_factory(CORBA::ORB_ptr orb, const char* id, CORBA::ValueFactoryBase* factory) {
  CORBA::ValueFactoryBase* const before = orb->register_value_factory(id, factory);
  if (before) before->_remove_ref();
  factory->_remove_ref();
}
inline void register_factories(CORBA::ORB_ptr orb) {
  register_factory(orb, "IDL:Values/Shape:1.0", new ShapeFactory);
#ifdef CLASSIC_BY_OMNIORB  // Takt registers those of types without operations.
  register_factory(orb, "IDL:Values/Node:1.0", new Values::Node_init);
  register_factory(orb, "IDL:Values/Everything:1.0", new Values::Everything_init);
#endif
}
