// State that an outermost DynAny and all its components share.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <takt/cdr/environment.h>
#include <takt/cdr/typecode.h>

namespace takt::dynamic {

// A member of a struct, exception or value.
struct Member {
  std::string name;
  CORBA::typecode_reference type;
};
using MemberList = std::shared_ptr<const std::vector<Member>>;

// One thread at a time, as the DynAnys themselves.
class Whole {
 public:
  // Without a type, the parts' types must be kept alive by others.
  explicit Whole(CORBA::typecode_reference of = {}, std::shared_ptr<cdr::Environment> from = {})
      : type(std::move(of)), environment(std::move(from)) {}

  // The same type as `part`, which is a part of `type`, and keeps this alive: recursions in it refer to the
  // types around them weakly, and a value of it may outlive the DynAny.
  CORBA::typecode_reference kept(const CORBA::typecode_reference& part);

  // The members of a type, which `list` lists at the first call for it: a type may have thousands of them,
  // and a value as many parts of that type.
  MemberList members_of(const CORBA::typecode_reference& type,
                        std::vector<Member> (*list)(const CORBA::typecode_reference&));

  const CORBA::typecode_reference type;
  const std::shared_ptr<cdr::Environment> environment;  // makes references; null: none
  bool destroyed = false;

 private:
  struct Listed {
    CORBA::typecode_reference type;  // keeps its address from being another's
    MemberList members;
  };
  std::map<const CORBA::TypeCode*, Listed> listed_;
  std::map<const CORBA::TypeCode*, CORBA::typecode_reference> kept_;
};

}  // namespace takt::dynamic
