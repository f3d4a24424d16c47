// The servant of the valuetype tests: it returns its arguments.
#pragma once

#include <cstdint>
#include <string>

#include "valuesS.h"

namespace feature {

using AnyValue = IDL::traits<CORBA::ValueBase>::ref_type;

class CarrierServant final : public virtual CORBA::servant_traits<Values::Carrier>::base_type {
 public:
  Values::Node::_ref_type carry(Values::Node::_ref_type one, Values::Base::_ref_type& two,
                                Values::Text::_ref_type& three) override {
    if (!one) throw Values::Broken(two);
    three = CORBA::make_reference<Values::Text>(one->name());
    two = nullptr;
    return one->next();
  }
  Values::Person::_ref_type owner() override { return owner_; }
  void owner(Values::Person::_ref_type value) override { owner_ = value; }
  Values::Base::_ref_type keep(Values::Base::_ref_type value) override { return value; }
  Values::Packed::_ref_type repack(Values::Packed::_ref_type value) override {
    value->word(value->word() + "!");
    value->values().push_back(static_cast<std::int32_t>(value->values().size()));
    return value;
  }
  Values::Nodes rotate(const Values::Nodes& values) override {
    Values::Nodes rotated(values.begin() + 1, values.end());
    rotated.push_back(values.front());
    return rotated;
  }
  AnyValue pass(AnyValue value) override { return value; }
  CORBA::Any pass_any(const CORBA::Any& value) override { return value; }
  void fail(std::uint8_t small) override {
    throw Values::Broken(CORBA::make_reference<Values::obv::Base>(small, std::string("secret")));
  }

 private:
  Values::Person::_ref_type owner_;
};

}  // namespace feature
