// One print function for each kind of declaration; most print the part in fooC.h.
#pragma once

#include <string>
#include <vector>

#include "cpp/context.h"

namespace takt::idl::cpp {

// Calls the print function for the declaration's kind, also for nested types. Prints nothing for kinds that
// have no C++.
void print_declaration(Context& context, const Declaration& declaration);

void print_struct(Context& context, const Declaration& declaration);  // exceptions too
void print_union(Context& context, const Declaration& declaration);
void print_enum(Context& context, const Declaration& declaration);
void print_bitmask(Context& context, const Declaration& declaration);
void print_bitset(Context& context, const Declaration& declaration);
void print_constant(Context& context, const Declaration& declaration);
void print_interface(Context& context, const Declaration& declaration);
void print_interface_source(Context& context, const Declaration& declaration);
// The operation's descriptor with its arguments and result as values.
std::string descriptor_without_views(const Context& context, const Call& call, const Declaration& interface);
void print_value(Context& context, const Declaration& declaration);
void print_value_box(Context& context, const Declaration& declaration);
// "::M::obv::V" for M::V.
std::string state_class(const Declaration& value);
void print_value_source(Context& context, const Declaration& declaration);

// Print a type's TypeCode function (unless it is a member) and its constant _tc_...; and, for the source, the
// code that makes the TypeCode.
void print_type_code(Context& context, const Declaration& declaration);
void print_type_code_source(Context& context, const Declaration& declaration);

// Prints the types that are declared inside another type, whose body is being printed.
void print_nested(Context& context, const Declaration& declaration);
// "{id, scoped name, {names}}", the initializer of a takt::cdr::Description.
std::string description(const Declaration& declaration, const std::vector<const Declaration*>& members);
// Prints what makes the class printable, swappable and comparable.
void print_value_semantics(Context& context, const std::string& name);
// The member's C++ type; std::optional where the member is @optional.
std::string member_type(const Context& context, const Declaration& member, const Declaration* scope);
// The name of a struct's or value's data member. It differs from the accessors' names, also where members are
// called `s` and `s_`, and from the names of the class and its bases.
std::string field_name(const Declaration& member);
// Whether the declaration is an exception whose class has a what() with its members. A class named `what` has
// none, since that would be its constructor.
bool has_text(const Declaration& declaration);
// The data member's initializer: {}, or with the value of @default.
std::string initializer(const Context& context, const Declaration& member, const Declaration* scope);

}  // namespace takt::idl::cpp
