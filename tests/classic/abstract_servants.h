// Servants and values of abstracts.idl, in the classic mapping of Takt and of omniORB.
#pragma once

#include <string>

#ifdef CLASSIC_BY_OMNIORB
#include "abstracts.hh"
#else
#include "abstractsS.h"
#endif

class Note_i : public virtual OBV_Faces::Note, public virtual CORBA::DefaultValueRefCountBase {
 public:
  Note_i() : mark_(0) { ++alive(); }
  explicit Note_i(CORBA::Long of) : mark_(0) {
    number(of);
    ++alive();
  }
  ~Note_i() { --alive(); }
  static int& alive() {
    static int count = 0;
    return count;
  }

  char* describe() { return CORBA::string_dup(("note " + std::to_string(number())).c_str()); }
  CORBA::Long twice(CORBA::Long value) { return 2 * value + 1; }
  CORBA::Long mark() { return mark_; }
  void mark(CORBA::Long value) { mark_ = value; }
  Faces::Note* _copy_value() { return new Note_i(number()); }

 private:
  CORBA::Long mark_;
};
class NoteFactory : public virtual CORBA::ValueFactoryBase {
 private:
  CORBA::ValueBase* create_for_unmarshal() { return new Note_i; }
};
inline void register_notes(CORBA::ORB_ptr orb) {
  NoteFactory* const factory = new NoteFactory;
  CORBA::ValueFactoryBase* const before = orb->register_value_factory("IDL:Faces/Note:1.0", factory);
  if (before) before->_remove_ref();
  factory->_remove_ref();
}

class Station_i : public virtual POA_Faces::Station {
 public:
  Station_i() : mark_(0) {}
  char* describe() { return CORBA::string_dup("station"); }
  CORBA::Long twice(CORBA::Long value) { return 2 * value; }
  CORBA::Long mark() { return mark_; }
  void mark(CORBA::Long value) { mark_ = value; }
  char* name() { return CORBA::string_dup("name"); }

 private:
  CORBA::Long mark_;
};
class Other_i : public virtual POA_Faces::Other {
 public:
  void nothing() {}
};

class Register_i : public virtual POA_Faces::Register {
 public:
  Register_i(CORBA::ORB_ptr orb, PortableServer::POA_ptr poa)
      : orb_(CORBA::ORB::_duplicate(orb)),
        station_(serve(poa, new Station_i)),
        other_(serve(poa, new Other_i)) {}

  Faces::Described_ptr pass(Faces::Described_ptr a, Faces::Described_ptr& b, Faces::Described_out c) {
    c = b;
    b = Faces::Described::_duplicate(a);
    return Faces::Described::_duplicate(a);
  }
  Faces::Marked_ptr pass_marked(Faces::Marked_ptr a) { return Faces::Marked::_duplicate(a); }
  Faces::Many* pass_many(const Faces::Many& a) { return new Faces::Many(a); }
  Faces::Pair* pass_pair(const Faces::Pair& a) { return new Faces::Pair(a); }
  CORBA::Any* pass_any(const CORBA::Any& a) { return new CORBA::Any(a); }
  char* ask(Faces::Described_ptr who) { return who->describe(); }
  Faces::Station_ptr the_station() { return Faces::Station::_narrow(station_); }
  Faces::Other_ptr the_other() { return Faces::Other::_narrow(other_); }
  void shutdown() { orb_->shutdown(false); }

 private:
  static CORBA::Object_ptr serve(PortableServer::POA_ptr poa, PortableServer::ServantBase* servant) {
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_ptr const object = poa->servant_to_reference(servant);
    servant->_remove_ref();
    return object;
  }

  const CORBA::ORB_var orb_;
  const CORBA::Object_var station_, other_;
};
