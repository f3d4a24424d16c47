// Nodes without components.
#pragma once

#include "dynamic/any/node.h"

namespace takt::dynamic {

class LeafNode final : public Node {
 public:
  explicit LeafNode(Part part) : Node(std::move(part)) {}
};

class EnumNode final : public Node, public virtual DynamicAny::DynEnum {
 public:
  explicit EnumNode(Part part) : Node(std::move(part)) {}
  std::string get_as_string() override;
  void set_as_string(const std::string& name) override;
  std::uint32_t get_as_ulong() override;
  void set_as_ulong(std::uint32_t ordinal) override;
};

class FixedNode final : public Node, public virtual DynamicAny::DynFixed {
 public:
  explicit FixedNode(Part part) : Node(std::move(part)) {}
  std::string get_value() override;
  bool set_value(const std::string& value) override;
};

}  // namespace takt::dynamic
