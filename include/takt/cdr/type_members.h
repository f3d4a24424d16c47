// Descriptions of members for ORB::create_struct_tc and similar functions (CORBA 3.0.3, 4.11.3).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <takt/cdr/any.h>
#include <takt/cdr/typecode.h>

namespace CORBA {

// A member's name and type. There is no type_def, since there is no interface repository.
class StructMember {
 public:
  StructMember() = default;
  StructMember(std::string name, typecode_reference type) : name_(std::move(name)), type_(std::move(type)) {}
  const std::string& name() const { return name_; }
  void name(std::string name) { name_ = std::move(name); }
  const typecode_reference& type() const { return type_; }
  void type(typecode_reference type) { type_ = std::move(type); }

 private:
  std::string name_;
  typecode_reference type_;
};

// The label has the discriminator's type, or is the octet 0 for the default case.
class UnionMember : public StructMember {
 public:
  UnionMember() = default;
  UnionMember(std::string name, Any label, typecode_reference type)
      : StructMember(std::move(name), std::move(type)), label_(std::move(label)) {}
  const Any& label() const { return label_; }
  void label(Any label) { label_ = std::move(label); }

 private:
  Any label_;
};

class ValueMember : public StructMember {
 public:
  ValueMember() = default;
  ValueMember(std::string name, typecode_reference type, Visibility access)
      : StructMember(std::move(name), std::move(type)), access_(access) {}
  Visibility access() const { return access_; }
  void access(Visibility access) { access_ = access; }

 private:
  Visibility access_ = PRIVATE_MEMBER;
};

using StructMemberSeq = std::vector<StructMember>;
using UnionMemberSeq = std::vector<UnionMember>;
using ValueMemberSeq = std::vector<ValueMember>;
using EnumMemberSeq = std::vector<std::string>;

}  // namespace CORBA
