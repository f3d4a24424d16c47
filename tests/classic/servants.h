// Servants of broad.idl. Each pass_ operation returns a, moves b to c, and a to b.
#pragma once

#include <string>

#include "orb.h"

inline void assign(Broad::Matrix_slice* to, const Broad::Matrix_slice* from) { Broad::Matrix_copy(to, from); }

class Basics_i : public virtual POA_Broad::Basics {
 public:
  explicit Basics_i(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)), counter_(0) {
    origin_.x = 0;
    origin_.y = 0;
    label_ = static_cast<const char*>("none");
  }

  char* name() { return CORBA::string_dup("basics"); }
  CORBA::Long twice(CORBA::Long value) { return 2 * value; }
  void touch() { ++counter_; }
  CORBA::Long counter() { return counter_; }
  void counter(CORBA::Long value) { counter_ = value; }
  char* label() { return CORBA::string_dup(label_); }
  void label(const char* value) { label_ = value; }
  Broad::Point origin() { return origin_; }
  void origin(const Broad::Point& value) { origin_ = value; }
  Broad::Strings* lines() { return new Broad::Strings(lines_); }
  void lines(const Broad::Strings& value) { lines_ = value; }

  CORBA::Octet cube_octet(CORBA::Octet value) { return static_cast<CORBA::Octet>(value * value * value); }
#define PASS_BASIC(OPERATION, TYPE)          \
  TYPE OPERATION(TYPE a, TYPE& b, TYPE& c) { \
    c = b;                                   \
    b = a;                                   \
    return a;                                \
  }
  PASS_BASIC(pass_flags, CORBA::Boolean)
  PASS_BASIC(pass_letters, CORBA::Char)
  PASS_BASIC(pass_wide_letters, CORBA::WChar)
  PASS_BASIC(pass_shorts, CORBA::Short)
  PASS_BASIC(pass_ushorts, CORBA::UShort)
  PASS_BASIC(pass_longs, CORBA::Long)
  PASS_BASIC(pass_ulongs, CORBA::ULong)
  PASS_BASIC(pass_longlongs, CORBA::LongLong)
  PASS_BASIC(pass_ulonglongs, CORBA::ULongLong)
  PASS_BASIC(pass_floats, CORBA::Float)
  PASS_BASIC(pass_doubles, CORBA::Double)
  PASS_BASIC(pass_colours, Broad::Colour)
  Broad::Point pass_points(const Broad::Point& a, Broad::Point& b, Broad::Point& c) {
    c = b;
    b = a;
    return a;
  }
#define PASS_STRING(OPERATION)                                    \
  char* OPERATION(const char* a, char*& b, CORBA::String_out c) { \
    c = b;                                                        \
    b = CORBA::string_dup(a);                                     \
    return CORBA::string_dup(a);                                  \
  }
  PASS_STRING(pass_strings)
  PASS_STRING(pass_words)
  CORBA::WChar* pass_wstrings(const CORBA::WChar* a, CORBA::WChar*& b, CORBA::WString_out c) {
    c = b;
    b = CORBA::wstring_dup(a);
    return CORBA::wstring_dup(a);
  }
#define PASS_VALUE(OPERATION, TYPE)                       \
  TYPE* OPERATION(const TYPE& a, TYPE& b, TYPE##_out c) { \
    c = new TYPE(b);                                      \
    b = a;                                                \
    return new TYPE(a);                                   \
  }
  PASS_VALUE(pass_records, Broad::Record)
  PASS_VALUE(pass_sequences, Broad::Longs)
  PASS_VALUE(pass_octets, Broad::Octets)
  PASS_VALUE(pass_texts, Broad::Strings)
  PASS_VALUE(pass_few, Broad::FewLongs)
  PASS_VALUE(pass_many, Broad::Records)
  PASS_VALUE(pass_choices, Broad::Choice)
  PASS_VALUE(pass_chosen, Broad::Chosen)
  PASS_VALUE(pass_any, CORBA::Any)
  PASS_VALUE(pass_anys, Broad::Anys)
  PASS_VALUE(pass_labelled, Broad::Labelled)
  CORBA::TypeCode_ptr pass_types(CORBA::TypeCode_ptr a, CORBA::TypeCode_ptr& b, CORBA::TypeCode_out c) {
    c = b;
    b = CORBA::TypeCode::_duplicate(a);
    return CORBA::TypeCode::_duplicate(a);
  }
  Broad::Optional pass_optionals(const Broad::Optional& a, Broad::Optional& b, Broad::Optional& c) {
    c = b;
    b = a;
    return a;
  }
  Broad::Matrix_slice* pass_matrices(const Broad::Matrix a, Broad::Matrix b, Broad::Matrix_out c) {
    assign(c, b);
    assign(b, a);
    return Broad::Matrix_dup(a);
  }
  Broad::Names_slice* pass_names(const Broad::Names a, Broad::Names b, Broad::Names_out c) {
    c = Broad::Names_dup(b);
    Broad::Names_copy(b, a);
    return Broad::Names_dup(a);
  }
  Broad::Node* pass_trees(const Broad::Node& a) { return new Broad::Node(a); }
  Broad::Basics_ptr pass_references(Broad::Basics_ptr a, Broad::Basics_ptr& b, Broad::Basics_out c) {
    c = b;
    b = Broad::Basics::_duplicate(a);
    return Broad::Basics::_duplicate(a);
  }
  CORBA::Object_ptr pass_objects(CORBA::Object_ptr a) { return CORBA::Object::_duplicate(a); }
  Broad::Basics::Inner* pass_inner(const Broad::Basics::Inner& value) {
    if (value.now == Broad::Basics::busy) throw Broad::Basics::Wrong(value.now);
    return new Broad::Basics::Inner(value);
  }

  void refuse(const char* why) {
    if (*why == 0) throw Broad::Empty();
    Broad::Longs numbers;
    numbers.length(2);
    numbers[0] = 1;
    numbers[1] = 2;
    throw Broad::Refused(why, 17, numbers);
  }
  void fail(CORBA::Long kind) {
    if (kind == 0) throw CORBA::NO_PERMISSION(99, CORBA::COMPLETED_YES);
    if (kind == 1) throw Broad::Empty();  // which the operation does not raise
    throw std::string("not of CORBA");
  }
  void note(CORBA::Long value) { counter_ = value; }
  CORBA::Long call_back(Broad::Listener_ptr told, CORBA::Long value) { return told->told(value); }
  Broad::Listeners* pass_listeners(const Broad::Listeners& a) { return new Broad::Listeners(a); }
  void shutdown() { orb_->shutdown(false); }

 private:
  CORBA::ORB_var orb_;
  CORBA::Long counter_;
  CORBA::String_var label_;
  Broad::Point origin_;
  Broad::Strings lines_;
};

class Listener_i : public virtual POA_Broad::Listener {
 public:
  CORBA::Long told(CORBA::Long value) { return value + 1; }
};
