// The ORB's operations that make TypeCodes. TypeCodes that are passed are borrowed, and not null; those that
// are returned are the caller's. All functions throw exceptions of the classic mapping.
#pragma once

#include <cstdint>
#include <vector>

namespace takt {
namespace classic {

class AnyHandle;
class OrbHandle;
class TypeCodeHandle;

namespace orb {

struct MemberPart {
  const char* name;
  TypeCodeHandle* type;
  AnyHandle* label;     // unions
  std::int16_t access;  // values
};
enum class Named { interface, abstract_interface, local_interface, native, component, home };
enum class Around { alias, value_box };

TypeCodeHandle* struct_type(OrbHandle& orb, const char* id, const char* name,
                            const std::vector<MemberPart>& members, bool is_exception);
TypeCodeHandle* union_type(OrbHandle& orb, const char* id, const char* name, TypeCodeHandle& discriminator,
                           const std::vector<MemberPart>& members);
TypeCodeHandle* enum_type(OrbHandle& orb, const char* id, const char* name,
                          const std::vector<const char*>& members);
TypeCodeHandle* value_type(OrbHandle& orb, const char* id, const char* name, std::int16_t modifier,
                           TypeCodeHandle* base, const std::vector<MemberPart>& members);
TypeCodeHandle* named_type(OrbHandle& orb, Named kind, const char* id, const char* name);
TypeCodeHandle* type_around(OrbHandle& orb, Around kind, const char* id, const char* name,
                            TypeCodeHandle& content);
TypeCodeHandle* text_type(OrbHandle& orb, bool wide, std::uint32_t bound);
TypeCodeHandle* fixed_type(OrbHandle& orb, std::uint16_t digits, std::int16_t scale);
TypeCodeHandle* list_type(OrbHandle& orb, bool is_array, std::uint32_t length, TypeCodeHandle& element);
TypeCodeHandle* recursive_type(OrbHandle& orb, const char* id);

}  // namespace orb

}  // namespace classic
}  // namespace takt
