// One function per kind of declaration: what of it stands in fooC.h.
#pragma once

#include <string>
#include <vector>

#include "cpp/context.h"

namespace takt::idl::cpp {

// Any of them; for those in scopes of their own, too. Kinds that have nothing in C++ print nothing.
void print_declaration(Context& context, const Declaration& declaration);

void print_struct(Context& context, const Declaration& declaration);  // and exceptions
void print_union(Context& context, const Declaration& declaration);
void print_enum(Context& context, const Declaration& declaration);
void print_bitmask(Context& context, const Declaration& declaration);
void print_bitset(Context& context, const Declaration& declaration);
void print_constant(Context& context, const Declaration& declaration);
void print_interface(Context& context, const Declaration& declaration);
void print_interface_source(Context& context, const Declaration& declaration);
void print_value(Context& context, const Declaration& declaration);
void print_value_box(Context& context, const Declaration& declaration);
// "::M::obv::V" for M::V.
std::string state_class(const Declaration& value);
void print_value_source(Context& context, const Declaration& declaration);

// The TypeCode function, where it is not a member, and the constant _tc_...; and what makes them, in the
// source.
void print_type_code(Context& context, const Declaration& declaration);
void print_type_code_source(Context& context, const Declaration& declaration);

// Whether it is declared inside another type.
bool in_class(const Declaration& declaration);
// Types that are declared inside another type, whose body is being printed.
void print_nested(Context& context, const Declaration& declaration);
// Members (kind member) in order.
std::vector<const Declaration*> members_of(const Declaration& declaration);
// "{id, scoped name, {names}}", the initializer of a takt::cdr::Description.
std::string description(const Declaration& declaration, const std::vector<const Declaration*>& members);
// What a class needs to be printed, swapped and compared.
void print_value_semantics(Context& context, const std::string& name);
// As std::optional where the member is @optional.
std::string member_type(const Context& context, const Declaration& member, const Declaration* scope);

}  // namespace takt::idl::cpp
