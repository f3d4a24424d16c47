// Structs, exceptions and values: what has members with names.
#pragma once

#include <vector>

#include "dynamic/any/node.h"

namespace takt::dynamic {

class MembersNode : public Node, public virtual DynamicAny::DynMembers {
 public:
  DynamicAny::FieldName current_member_name() override;
  CORBA::TCKind current_member_kind() override;
  DynamicAny::NameValuePairSeq get_members() override;
  void set_members(const DynamicAny::NameValuePairSeq& values) override;
  DynamicAny::NameDynAnyPairSeq get_members_as_dyn_any() override;
  void set_members_as_dyn_any(const DynamicAny::NameDynAnyPairSeq& members) override;

 protected:
  MembersNode(Part part, MemberList members) : Node(std::move(part)), members_(std::move(members)) {}

  bool can_have_components() const override { return !members_->empty(); }
  const std::vector<Member>& members() const { return *members_; }
  bool add_members(cdr::Decoder& in);
  void write_members(cdr::Encoder& out);

 private:
  // InvalidValue for a value that is null.
  virtual void require_members() {}
  virtual void members_set() {}
  const Member& current_member();

  const MemberList members_;
};

class StructNode final : public MembersNode, public virtual DynamicAny::DynStruct {
 public:
  explicit StructNode(Part part);

 private:
  void split() override;
  void write_open(cdr::Encoder& out) override;
};

// The value that it was made of lives on, and is what it gives, until a member is changed.
class ValueNode final : public MembersNode, public virtual DynamicAny::DynValue {
 public:
  explicit ValueNode(Part part);
  bool is_null() override;
  void set_to_null() override;
  void set_to_value() override;

 private:
  void split() override;
  void write_open(cdr::Encoder& out) override;
  void require_members() override;
  void members_set() override {
    null_ = false;
    original_ = nullptr;
  }

  bool null_ = false;  // while open
  CORBA::valuetype_reference<CORBA::ValueBase> original_;
};

}  // namespace takt::dynamic
