// Sequences and arrays.
#pragma once

#include "dynamic/any/node.h"

namespace takt::dynamic {

class ElementsNode : public Node, public virtual DynamicAny::DynElements {
 public:
  DynamicAny::AnySeq get_elements() override;
  void set_elements(const DynamicAny::AnySeq& elements) override;
  DynamicAny::DynAnySeq get_elements_as_dyn_any() override;
  void set_elements_as_dyn_any(const DynamicAny::DynAnySeq& elements) override;

 protected:
  explicit ElementsNode(Part part);
  bool can_have_components() const override { return true; }
  bool is_sequence() const { return kind() == CORBA::TCKind::tk_sequence; }
  void check_count(std::size_t count) const;
  const CORBA::typecode_reference& element_type() const { return element_; }

 private:
  void split() override;
  std::size_t count() override;
  void write_open(cdr::Encoder& out) override;

  const CORBA::typecode_reference element_;
};

class SequenceNode final : public ElementsNode, public virtual DynamicAny::DynSequence {
 public:
  explicit SequenceNode(Part part) : ElementsNode(std::move(part)) {}
  std::uint32_t get_length() override { return component_count(); }
  void set_length(std::uint32_t length) override;
};

class ArrayNode final : public ElementsNode, public virtual DynamicAny::DynArray {
 public:
  explicit ArrayNode(Part part) : ElementsNode(std::move(part)) {}
};

}  // namespace takt::dynamic
