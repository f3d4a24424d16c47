// Servants and values of rare.idl, in the classic mapping of Takt and of omniORB.
#pragma once

#include <string>

#ifdef CLASSIC_BY_OMNIORB
#include "rare.hh"
#else
#include "rareS.h"
#endif

// A value, and a servant of the interface that it supports.
class Thing_i : public virtual POA_Rare::Thing,
                public virtual OBV_Rare::Thing,
                public virtual PortableServer::ValueRefCountBase {
 public:
  Thing_i() : count_(0) { ++alive(); }
  ~Thing_i() { --alive(); }
  static int& alive() {
    static int count = 0;
    return count;
  }

  char* name() { return CORBA::string_dup("thing"); }
  CORBA::Long twice(CORBA::Long value) { return 2 * value + number(); }
  CORBA::Long count() { return count_; }
  void count(CORBA::Long value) { count_ = value; }
  // The name alone is ambiguous with omniORB.
  void drop() { PortableServer::ValueRefCountBase::_remove_ref(); }
  CORBA::ULong references() { return PortableServer::ValueRefCountBase::_refcount_value(); }
  char* own() { return CORBA::string_dup("own"); }

 private:
  CORBA::Long count_;
};
class ThingFactory : public virtual CORBA::ValueFactoryBase {
 private:
  CORBA::ValueBase* create_for_unmarshal() { return new Thing_i; }
};
inline Rare::Thing* new_thing(CORBA::Long number) {
  Thing_i* const made = new Thing_i;
  static_cast<OBV_Rare::Thing*>(made)->number(number);
  return made;
}

inline void register_things(CORBA::ORB_ptr orb) {
  ThingFactory* const factory = new ThingFactory;
  CORBA::ValueFactoryBase* const before = orb->register_value_factory("IDL:Rare/Thing:1.0", factory);
  if (before) before->_remove_ref();
  factory->_remove_ref();
}

// Each adds a number of its own.
class Top_i : public virtual POA_Rare::Top {
 public:
  CORBA::Long on_top(CORBA::Long value) { return value + 1; }
};
class Left_i : public virtual POA_Rare::Left, public virtual Top_i {
 public:
  CORBA::Long on_left(CORBA::Long value) { return value + 2; }
};
class Right_i : public virtual POA_Rare::Right, public virtual Top_i {
 public:
  CORBA::Long on_right(CORBA::Long value) { return value + 3; }
};
class Deep_i : public virtual POA_Rare::Deep, public virtual Left_i, public virtual Right_i {
 public:
  CORBA::Long on_bottom(CORBA::Long value) { return value + 4; }
  CORBA::Long on_side(CORBA::Long value) { return value + 5; }
  CORBA::Long on_deep(CORBA::Long value) { return value + 6; }
};

class Rare_i : public virtual POA_Rare::Keeper {
 public:
  explicit Rare_i(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}

  Rare::Thing* pass_thing(Rare::Thing* given) {
    if (given) given->_add_ref();
    return given;
  }
#ifndef CLASSIC_BY_OMNIORB
  Rare::Plain* pass_plain(Rare::Plain* given) {
    if (given) given->_add_ref();
    return given;
  }
#endif
  Rare::Points* pass_points(const Rare::Points& given, Rare::ManyCodes& codes, Rare::FewPoints_out few) {
    Rare::FewPoints_var one = new Rare::FewPoints;
    one->length(1);
    Rare::Point_copy(one[0u], given[given.length() - 1]);
    few = one._retn();
    const CORBA::ULong count = codes.length();
    codes.length(count + 1);
    Rare::Codes_copy(codes[count], codes[0]);
    codes[0][2] = CORBA::string_dup("new");
    return new Rare::Points(given);
  }
  Rare::Named_ptr serve(CORBA::Long number) {
    PortableServer::POA_var poa = _default_POA();
    Thing_i* const thing = new Thing_i;
    static_cast<OBV_Rare::Thing*>(thing)->number(number);
    PortableServer::ObjectId_var id = poa->activate_object(thing);
    CORBA::Object_var object = poa->servant_to_reference(thing);
    thing->drop();
    return Rare::Named::_narrow(object);
  }
  Rare::Deep_ptr the_deep() {
    PortableServer::POA_var poa = _default_POA();
    Deep_i* const servant = new Deep_i;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    Rare::Deep_ptr const deep = servant->_this();
    servant->_remove_ref();
    return deep;
  }
  CORBA::Long ask(Rare::Top_ptr who, CORBA::Long value) { return who->on_top(value); }
  char* look(const char* prefix, CORBA::Long& found, CORBA::Context_ptr context) {
    std::string text = prefix;
    found = 0;
    for (const char* pattern : {"home", "sys_*", "other"}) {
      CORBA::NVList_var values;
      try {
        context->get_values("", 0, pattern, values.out());
      } catch (const CORBA::SystemException&) {  // there are none
        continue;
      }
      for (CORBA::ULong i = 0; i < values->count(); ++i) {
        const char* value = nullptr;
        *values->item(i)->value() >>= value;
        text += std::string(";") + values->item(i)->name() + "=" + value;
        ++found;
      }
    }
    return CORBA::string_dup(text.c_str());
  }
  void forget(CORBA::Octet, CORBA::Context_ptr) { noted_.clear(); }
  void note(CORBA::Short, CORBA::Context_ptr context) {
    CORBA::NVList_var values;
    context->get_values("", 0, "note", values.out());
    const char* value = nullptr;
    *values->item(0)->value() >>= value;
    noted_ = value;
  }
  char* noted() { return CORBA::string_dup(noted_.c_str()); }
  void shutdown() { orb_->shutdown(false); }

 private:
  const CORBA::ORB_var orb_;
  std::string noted_;
};
