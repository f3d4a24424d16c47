// Constant descriptions of IDL types, from which TypeCodes are made when they are first needed. C++14.
#pragma once

#include <atomic>
#include <cstdint>

namespace takt {
namespace classic {

class TypeCodeHandle;  // incomplete: the runtime's TypeCode
class TypeNode;

struct TypeMember {
  const char* name;
  TypeNode* type;      // null for enumerators
  std::int64_t label;  // unions: the discriminator's bits; 0 for default. Values: the visibility
};

// A type as generated code describes it, in a static variable. `content` is the element, the aliased or boxed
// type, a union's discriminator or a value's concrete base. `length` is a length, a bound, the digits of a
// fixed or a value's modifier. `default_index` is the scale of a fixed. A type that contains itself points to
// itself.
class TypeNode {
 public:
  constexpr TypeNode(std::uint32_t of_kind, const char* of_id, const char* of_name,
                     const TypeMember* of_members = nullptr, std::uint32_t count = 0,
                     TypeNode* of_content = nullptr, std::uint32_t of_length = 0,
                     std::int32_t of_default_index = -1)
      : kind(of_kind),
        id(of_id),
        name(of_name),
        members(of_members),
        member_count(count),
        content(of_content),
        length(of_length),
        default_index(of_default_index),
        made(nullptr) {}

  const std::uint32_t kind;
  const char* const id;
  const char* const name;
  const TypeMember* const members;
  const std::uint32_t member_count;
  TypeNode* const content;
  const std::uint32_t length;
  const std::int32_t default_index;
  std::atomic<TypeCodeHandle*> made;  // kept until the process ends
};

// The nodes of types without parameters, of unbounded strings and of CORBA::Object, by their kinds.
extern TypeNode basic_types[29];

}  // namespace classic
}  // namespace takt
