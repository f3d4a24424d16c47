// An IDL file that only declares an interface and a valuetype: its code works with what another file defines.
#include <gtest/gtest.h>

#include "declaredS.h"
#include "definedS.h"

namespace {

class Elsewhere_i : public virtual POA_Apart::Elsewhere {
 public:
  explicit Elsewhere_i(CORBA::Long number) : number_(number) {}
  CORBA::Long number() { return number_; }

 private:
  CORBA::Long number_;
};

class Parcel_i : public virtual OBV_Apart::Parcel, public virtual CORBA::DefaultValueRefCountBase {};

class User_i : public virtual POA_Apart::User {
 public:
  Apart::Elsewhere_ptr known() { return Apart::Elsewhere::_duplicate(known_); }
  void known(Apart::Elsewhere_ptr elsewhere) { known_ = Apart::Elsewhere::_duplicate(elsewhere); }
  Apart::Elsewhere_ptr pass(Apart::Elsewhere_ptr a, Apart::Elsewhere_ptr& b, Apart::Holder_out c) {
    if (CORBA::is_nil(a)) throw Apart::Lost(b);
    c = new Apart::Holder;
    c->one = b;  // taken over
    c->more.length(1);
    c->more[0] = Apart::Elsewhere::_duplicate(a);
    Parcel_i* const parcel = new Parcel_i;
    parcel->weight(7);
    c->sent = parcel;
    b = Apart::Elsewhere::_duplicate(a);
    return Apart::Elsewhere::_duplicate(known_);
  }
  Apart::Parcel* send(Apart::Parcel* a) {
    CORBA::add_ref(a);
    return a;
  }
  Apart::Choice* choose(const Apart::Choice& a) { return new Apart::Choice(a); }

 private:
  Apart::Elsewhere_var known_;
};

TEST(Declared, AnInterfaceOfAnotherFileIsPassedWithinTheProcessAndInMessages) {
  int argc = 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = root->the_POAManager();
  manager->activate();
  PortableServer::Servant_var<Elsewhere_i> one_servant = new Elsewhere_i(1), two_servant = new Elsewhere_i(2);
  PortableServer::Servant_var<User_i> user_servant = new User_i;
  Apart::Elsewhere_var one = one_servant->_this(), two = two_servant->_this();
  Apart::User_var user = user_servant->_this();
  user->known(one);
  Apart::Elsewhere_var known = user->known();
  EXPECT_EQ(known->number(), 1);
  Apart::Elsewhere_var passed = Apart::Elsewhere::_duplicate(two);
  Apart::Holder_var holder;
  Apart::Elsewhere_var result = user->pass(one, passed.inout(), holder.out());  // holds a value: a message
  EXPECT_EQ(result->number(), 1);
  EXPECT_EQ(passed->number(), 1);
  EXPECT_EQ(holder->one->number(), 2);
  EXPECT_EQ(holder->more[0]->number(), 1);
  EXPECT_EQ(holder->sent->weight(), 7);
  try {
    user->pass(Apart::Elsewhere::_nil(), passed.inout(), holder.out());
    ADD_FAILURE() << "no exception";
  } catch (const Apart::Lost& lost) {
    EXPECT_EQ(lost.last->number(), 1);
  }
  Apart::Choice choice;
  choice.which(two);
  Apart::Choice_var chosen = user->choose(choice);
  EXPECT_EQ(chosen->which()->number(), 2);
  orb->destroy();
}

}  // namespace
