// Unions: the discriminator, and the member that it selects, if any.
#pragma once

#include "dynamic/any/node.h"

namespace takt::dynamic {

class UnionNode final : public Node, public virtual DynamicAny::DynUnion {
 public:
  explicit UnionNode(Part part) : Node(std::move(part)) {}
  CORBA::object_reference<DynAny> get_discriminator() override;
  void set_discriminator(const CORBA::object_reference<DynAny>& discriminator) override;
  void set_to_default_member() override;
  void set_to_no_active_member() override;
  bool has_no_active_member() override;
  CORBA::TCKind discriminator_kind() override;
  CORBA::object_reference<DynAny> member() override;
  DynamicAny::FieldName member_name() override;
  CORBA::TCKind member_kind() override;

 private:
  bool can_have_components() const override { return true; }
  void split() override;
  void write_open(cdr::Encoder& out) override;
  void refresh() override;

  CORBA::typecode_reference type_of(const cdr::TypeCodeMember& member) const;
  void set_label(std::int64_t label);
  const cdr::TypeCodeMember& active();

  const cdr::TypeCodeMember* member_ = nullptr;  // points into actual(); valid while open
};

}  // namespace takt::dynamic
