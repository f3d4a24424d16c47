// Servants of broad.idl in the IDL to C++11 mapping, which do as those of servants.h.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <takt/corba.h>

#include "broadS.h"

class Basics11 : public virtual CORBA::servant_traits<Broad::Basics>::base_type {
 public:
  explicit Basics11(CORBA::object_reference<CORBA::ORB> orb) : orb_(std::move(orb)) {}

  std::string name() override { return "basics"; }
  std::int32_t twice(std::int32_t value) override { return 2 * value; }
  void touch() override { ++counter_; }
  std::int32_t counter() override { return counter_; }
  void counter(std::int32_t value) override { counter_ = value; }
  std::string label() override { return label_; }
  void label(const std::string& value) override { label_ = value; }
  Broad::Point origin() override { return origin_; }
  void origin(const Broad::Point& value) override { origin_ = value; }
  Broad::Strings lines() override { return lines_; }
  void lines(const Broad::Strings& value) override { lines_ = value; }

  std::uint8_t cube_octet(std::uint8_t value) override {
    return static_cast<std::uint8_t>(value * value * value);
  }
#define PASS(OPERATION, TYPE, IN) \
  TYPE OPERATION(IN a, TYPE& b, TYPE& c) override { return pass<TYPE>(a, b, c); }
  PASS(pass_flags, bool, bool)
  PASS(pass_letters, char, char)
  PASS(pass_wide_letters, wchar_t, wchar_t)
  PASS(pass_shorts, std::int16_t, std::int16_t)
  PASS(pass_ushorts, std::uint16_t, std::uint16_t)
  PASS(pass_longs, std::int32_t, std::int32_t)
  PASS(pass_ulongs, std::uint32_t, std::uint32_t)
  PASS(pass_longlongs, std::int64_t, std::int64_t)
  PASS(pass_ulonglongs, std::uint64_t, std::uint64_t)
  PASS(pass_floats, float, float)
  PASS(pass_doubles, double, double)
  PASS(pass_colours, Broad::Colour, Broad::Colour)
  PASS(pass_strings, std::string, const std::string&)
  PASS(pass_wstrings, std::wstring, const std::wstring&)
  PASS(pass_words, Broad::Word, const Broad::Word&)
  PASS(pass_points, Broad::Point, const Broad::Point&)
  PASS(pass_records, Broad::Record, const Broad::Record&)
  PASS(pass_sequences, Broad::Longs, const Broad::Longs&)
  PASS(pass_octets, Broad::Octets, const Broad::Octets&)
  PASS(pass_texts, Broad::Strings, const Broad::Strings&)
  PASS(pass_few, Broad::FewLongs, const Broad::FewLongs&)
  PASS(pass_many, Broad::Records, const Broad::Records&)
  PASS(pass_matrices, Broad::Matrix, const Broad::Matrix&)
  PASS(pass_names, Broad::Names, const Broad::Names&)
  PASS(pass_choices, Broad::Choice, const Broad::Choice&)
  PASS(pass_optionals, Broad::Optional, const Broad::Optional&)
  PASS(pass_chosen, Broad::Chosen, const Broad::Chosen&)
  PASS(pass_any, CORBA::Any, const CORBA::Any&)
  PASS(pass_anys, Broad::Anys, const Broad::Anys&)
  PASS(pass_labelled, Broad::Labelled, const Broad::Labelled&)
  PASS(pass_types, CORBA::typecode_reference, CORBA::typecode_reference)
  PASS(pass_references, CORBA::object_reference<Broad::Basics>, CORBA::object_reference<Broad::Basics>)
#undef PASS
  Broad::Node pass_trees(const Broad::Node& a) override { return a; }
  CORBA::object_reference<CORBA::Object> pass_objects(CORBA::object_reference<CORBA::Object> a) override {
    return a;
  }
  Broad::Basics::Inner pass_inner(const Broad::Basics::Inner& value) override {
    if (value.now() == Broad::Basics::State::busy) throw Broad::Basics::Wrong(value.now());
    return value;
  }
  void refuse(const std::string& why) override {
    if (why.empty()) throw Broad::Empty();
    throw Broad::Refused(why, 17, {1, 2});
  }
  void fail(std::int32_t kind) override {
    if (kind == 0) throw CORBA::NO_PERMISSION(99, CORBA::COMPLETED_YES);
    if (kind == 1) throw Broad::Empty();
    throw std::runtime_error("not of CORBA");
  }
  void note(std::int32_t value) override { counter_ = value; }
  std::int32_t call_back(CORBA::object_reference<Broad::Listener> told, std::int32_t value) override {
    return told->told(value);
  }
  Broad::Listeners pass_listeners(const Broad::Listeners& a) override { return a; }
  void shutdown() override { orb_->shutdown(false); }

 private:
  template <class T>
  static T pass(const T& a, T& b, T& c) {
    c = b;
    b = a;
    return a;
  }

  CORBA::object_reference<CORBA::ORB> orb_;
  std::int32_t counter_ = 0;
  std::string label_ = "none";
  Broad::Point origin_;
  Broad::Strings lines_;
};

class Listener11 : public virtual CORBA::servant_traits<Broad::Listener>::base_type {
 public:
  std::int32_t told(std::int32_t value) override { return value + 1; }
};
