// The runtime's TypeCodes and Anys, as the classes of the classic mapping call them. No type of either
// mapping is named here. Handles that are returned are the caller's. All functions throw exceptions of the
// classic mapping.
#pragma once

#include <cstdint>

#include <takt/classic/type_node.h>

namespace takt {
namespace classic {

class AnyHandle;
class Reader;
class Reference;
class Writer;

TypeCodeHandle& handle_of(TypeNode& node);
TypeCodeHandle* duplicate(TypeCodeHandle* type);
void release(TypeCodeHandle* type);

namespace type_code {
bool equal(TypeCodeHandle& one, TypeCodeHandle& other);
bool equivalent(TypeCodeHandle& one, TypeCodeHandle& other);
TypeCodeHandle* compact(TypeCodeHandle& type);
std::uint32_t kind(TypeCodeHandle& type);
const char* id(TypeCodeHandle& type);
const char* name(TypeCodeHandle& type);
std::uint32_t member_count(TypeCodeHandle& type);
const char* member_name(TypeCodeHandle& type, std::uint32_t index);
TypeCodeHandle* member_type(TypeCodeHandle& type, std::uint32_t index);
AnyHandle* member_label(TypeCodeHandle& type, std::uint32_t index);
TypeCodeHandle* discriminator_type(TypeCodeHandle& type);
std::int32_t default_index(TypeCodeHandle& type);
std::uint32_t length(TypeCodeHandle& type);
TypeCodeHandle* content_type(TypeCodeHandle& type);
std::uint16_t fixed_digits(TypeCodeHandle& type);
std::int16_t fixed_scale(TypeCodeHandle& type);
std::int16_t member_visibility(TypeCodeHandle& type, std::uint32_t index);
std::int16_t type_modifier(TypeCodeHandle& type);
TypeCodeHandle* concrete_base_type(TypeCodeHandle& type);  // null if there is none
void write(Writer& out, TypeCodeHandle* type);             // null: BAD_PARAM
TypeCodeHandle* read(Reader& in);                          // null after a failure
}  // namespace type_code

// Null is an Any of tk_null.
namespace any {
AnyHandle* duplicate(AnyHandle* any);
void release(AnyHandle* any);
// `exception_id` precedes the value if it is not null.
AnyHandle* make(TypeCodeHandle& type, void (*write)(Writer&, const void*), const void* value,
                const char* exception_id);
TypeCodeHandle* type(AnyHandle* any);
AnyHandle* with_type(AnyHandle* any, TypeCodeHandle& type);
bool holds(AnyHandle* any, TypeCodeHandle& type);
bool holds_object(AnyHandle* any);
bool holds_value(AnyHandle* any);
bool holds_abstract(AnyHandle* any);
TypeCodeHandle* string_type(bool wide, std::uint32_t bound);
TypeCodeHandle* fixed_type(std::uint16_t digits, std::uint16_t scale);  // BAD_PARAM if there is none
// False if the octets are malformed.
bool extract(AnyHandle& any, void (*read)(Reader&, void*), void* value);
void write(Writer& out, AnyHandle* any);
AnyHandle* read(Reader& in);
}  // namespace any

}  // namespace classic
}  // namespace takt
