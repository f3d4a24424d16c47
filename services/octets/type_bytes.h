// The memory that the type of a value takes.
#pragma once

#include <cstdint>

#include <takt/cdr/any.h>
#include <takt/cdr/typecode.h>

namespace takt::octets {

// About the memory of a TypeCode, or of its encoding. A part that occurs several times counts each time. Ends
// when it is more than `most`, so that a hostile type costs no more time than its share. 0 for types without
// parameters, which all values share. Allocates nothing; throws nothing.
inline std::uint64_t type_bytes(const CORBA::typecode_reference& type, std::uint64_t most) {
  if (!type) return 0;
  const cdr::TypeCodeParts& parts = type->_parts();
  if (type.get() == cdr::basic_typecode(parts.kind).get()) return 0;
  std::uint64_t bytes = sizeof(CORBA::TypeCode) + parts.id.size() + parts.name.size();
  if (type->_is_recursion()) return bytes;
  const auto add = [&](const CORBA::typecode_reference& part) {
    if (bytes <= most) bytes += type_bytes(part, most - bytes);
  };
  add(parts.content);
  add(parts.discriminator);
  for (const cdr::TypeCodeMember& member : parts.members) {
    if (bytes > most) break;
    bytes += sizeof member + member.name.size();
    add(member.type);
  }
  return bytes;
}

inline constexpr std::uint64_t most_type_bytes = std::uint64_t{64} << 20;

// About the memory of a value and its type; at most `most` of the type is counted.
inline std::uint64_t any_bytes(const CORBA::Any& any, std::uint64_t most = most_type_bytes) {
  return any._content().octets.size() + type_bytes(any.type(), most);
}

}  // namespace takt::octets
