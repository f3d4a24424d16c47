// A definition of the repository: what IDL declares under a repository id.
#pragma once

#include <cstdint>
#include <string>

#include "Takt_ReflectionC.h"
#include "ifr_detailsC.h"

namespace takt::ifr {

// A definition in its store, or a type without a name: then it is negative. Numbers are never used again.
using Number = std::int64_t;
inline constexpr Number repository_number = 0;

using Kind = Takt::Reflection::DefinitionKind;
using Takt::Ifr::Member;
using Members = Takt::Ifr::MemberSeq;

// The parts that differ between kinds.
struct Details : Takt::Ifr::Details {
  Takt::Ifr::MoreExceptions more;

  friend bool operator==(const Details&, const Details&) = default;
};

struct Entry {
  Number number = repository_number;
  Kind kind = Kind::dk_none;
  Number container = repository_number;
  std::string id, name, version;
};
struct Definition : Entry {
  Details details;
};

// "an interface", for error texts.
const char* name_of(Kind kind);
// dk_Interface, dk_AbstractInterface or dk_LocalInterface.
bool is_interface(Kind kind);
// Whether definitions of the kind may inherit from others of it: interfaces and values.
bool has_bases(Kind kind);
// Whether definitions of the kind are types: structs, interfaces and so on.
bool is_type(Kind kind);
// Attributes and operations, which derived interfaces inherit.
bool is_feature(Kind kind);
// Whether the standard permits `inner` in `container`; dk_Repository is the repository itself.
bool may_hold(Kind container, Kind inner);

// The definitions and types without a name that the details refer to, each once, in ascending order.
std::vector<Number> used_by(const Details& details);

// The texts of the types in the details: `type`, those of the members, those of the initializers' members.
std::vector<std::string*> types_in(Details& details);
std::vector<const std::string*> types_in(const Details& details);

}  // namespace takt::ifr
