// The members of structs, exceptions and values, as JSON has them.
#pragma once

#include <string>
#include <vector>

#include <takt/cdr/typecode.h>

#include "json/path.h"

namespace takt::json {

struct Member {
  std::string name;
  CORBA::typecode_reference type;
};

// Resolves aliases and placeholders for enclosing types.
CORBA::typecode_reference behind_aliases(CORBA::typecode_reference type);

// The members of a value's bases come before its own. `type` has no aliases. Fails if the type has too many
// bases.
std::vector<Member> members_of(const CORBA::typecode_reference& type, const Path& at);
// False if names are missing, as in compact TypeCodes, or doubled, or not UTF-8; then JSON has the members in
// an array.
bool have_names(const std::vector<Member>& members);

// Whether the type stands for an optional member: TypeCodes of CORBA have no such kind. It has the encoding
// of one, a boolean and then the value.
CORBA::typecode_reference make_optional(CORBA::typecode_reference type);
bool is_optional(const CORBA::TypeCode& type);
// Whether null is a value of the type, so that an optional one is wrapped as {"value": ...}.
bool has_null(const CORBA::typecode_reference& type);
// Whether the type is a sequence or an array of octets.
bool has_octets(const CORBA::TypeCode& type);

// The type as messages name it: `double`, `struct Point`, `string of at most 5 characters`.
std::string called(const CORBA::typecode_reference& type);

// "an octet", "a union"
std::string with_article(const std::string& noun);

}  // namespace takt::json
