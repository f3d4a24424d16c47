// The application's code for the values of abstract.idl.
#pragma once

#include "abstractC.h"

namespace mapping_test {

class Circle final : public virtual IDL::traits<Shapes::Circle>::obv_type {
 public:
  Circle() = default;
  explicit Circle(double radius, Shapes::Described::_ref_type inside = {})
      : Shapes::obv::Circle(radius, std::move(inside)) {}
  std::string describe(Shapes::Described::Detail how) override {
    return how == Shapes::Described::Detail::full ? "a circle of " + std::to_string(radius()) : "a circle";
  }
  std::string kind() override { return "value"; }
  void scale(double by) override {
    if (by <= 0) throw Shapes::Refused(nullptr, "too small");
    radius(radius() * by);
  }
  double size() override { return 2 * radius(); }
  void size(double value) override { radius(value / 2); }
};

class CircleFactory final : public IDL::traits<Shapes::Circle>::factory_type {
 public:
  IDL::traits<CORBA::ValueBase>::ref_type create_for_unmarshal() override {
    return CORBA::make_reference<Circle>();
  }
};

}  // namespace mapping_test
