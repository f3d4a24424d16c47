// A Till, in the classic mapping of Takt and of omniORB.
#pragma once

#ifdef CLASSIC_BY_OMNIORB
#include "fixeds.hh"
#else
#include "fixedsS.h"
#endif

class Till_i : public virtual POA_Fixeds::Till {
 public:
  explicit Till_i(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}

  Fixeds::Money balance() { return balance_; }
  void balance(const Fixeds::Money& value) { balance_ = value; }
#define PASS(OPERATION, TYPE)                       \
  TYPE OPERATION(const TYPE& a, TYPE& b, TYPE& c) { \
    c = b;                                          \
    b = a;                                          \
    return a;                                       \
  }
  PASS(pass_money, Fixeds::Money)
  PASS(pass_share, Fixeds::Share)
  PASS(pass_count, Fixeds::Count)
#undef PASS
  Fixeds::Price pass_price(const Fixeds::Price& a) { return a; }
  Fixeds::Moneys* pass_moneys(const Fixeds::Moneys& a, Fixeds::Moneys& b, Fixeds::Moneys_out c) {
    c = new Fixeds::Moneys(b);
    b = a;
    return new Fixeds::Moneys(a);
  }
  Fixeds::Pair_slice* pass_pair(const Fixeds::Pair a, Fixeds::Pair b, Fixeds::Pair_out c) {
    Fixeds::Pair_copy(c, b);
    Fixeds::Pair_copy(b, a);
    return Fixeds::Pair_dup(a);
  }
  Fixeds::Item* pass_item(const Fixeds::Item& a, Fixeds::Item& b, Fixeds::Item_out c) {
    c = new Fixeds::Item(b);
    b = a;
    return new Fixeds::Item(a);
  }
  Fixeds::Part pass_part(const Fixeds::Part& a, Fixeds::Part& b, Fixeds::Part& c) {
    c = b;
    b = a;
    return a;
  }
  CORBA::Any* pass_any(const CORBA::Any& a) { return new CORBA::Any(a); }
  void pay(const Fixeds::Money& amount) {
    if (amount > balance_) throw Fixeds::Missing(amount - balance_);
    balance_ -= amount;
  }
  void shutdown() { orb_->shutdown(false); }

 private:
  const CORBA::ORB_var orb_;
  Fixeds::Money balance_;
};
