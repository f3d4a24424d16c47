// Boxed values.
#pragma once

#include "dynamic/any/node.h"

namespace takt::dynamic {

class BoxNode final : public Node, public virtual DynamicAny::DynValueBox {
 public:
  explicit BoxNode(Part part) : Node(std::move(part)) {}
  bool is_null() override;
  void set_to_null() override;
  void set_to_value() override;
  CORBA::Any get_boxed_value() override;
  void set_boxed_value(const CORBA::Any& boxed) override;
  CORBA::object_reference<DynAny> get_boxed_value_as_dyn_any() override;
  void set_boxed_value_as_dyn_any(const CORBA::object_reference<DynAny>& boxed) override;

 private:
  bool can_have_components() const override { return true; }
  void split() override;
  void write_open(cdr::Encoder& out) override;
  Node& boxed();

  CORBA::valuetype_reference<CORBA::ValueBase> original_;
};

}  // namespace takt::dynamic
