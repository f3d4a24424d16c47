// How IDL types are spelled, passed and kept in the classic IDL to C++ mapping.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace takt::idl::classic {

// The kinds of types that the mapping treats differently.
enum class Category { basic, string, wstring, object, fixed_value, variable_value, array };
Category category(const Type& type);
// Contains, at any depth, a string, a reference or a sequence.
bool is_variable(const Type& type);

// Contains, at any depth, a reference of a local interface, so that it cannot be sent.
bool holds_local(const Type& type);

// Contains, at any depth, a value, so that calls in one process must copy it. Exception holders cannot be
// changed, and are passed on.
bool holds_value(const Type& type);

// "::M::S", with C++ keywords escaped.
std::string full_name(const Declaration& declaration);
// "::M::red": enumerators are in the scope that has the enum.
std::string enumerator_name(const Declaration& enumerator);
// "::POA_M::I", for the skeleton of ::M::I.
std::string skeleton_name(const Declaration& interface);
// The same for another prefix of the outermost scope.
std::string prefixed_name(const std::string& prefix, const Declaration& declaration);
// As the generated code names it. Names of its own variables, which begin with takt_, are avoided.
std::string parameter_name(const Declaration::Parameter& parameter);
// An interface or value that is only declared, because another file defines it.
bool is_undefined(const Declaration& declaration);

// The type as such: ::CORBA::Long, ::M::S, char*. Sequences that have no name are spelled as templates.
std::string type_name(const Type& type);
// The type's companion: ::M::S_var, ::CORBA::String_out.
std::string companion(const Type& type, const std::string& suffix);
// As a member of a struct, an exception or an array; and without its dimensions if it is an array.
std::string member_type(const Type& type);
// "[3][4]" for an array that has no name, else empty.
std::string dimensions(const Type& type);
// The template argument of a sequence with elements of the type.
std::string elements(const Type& element);
// The interface that a reference has: ::M::I.
std::string interface_name(const Type& type);

std::string in_type(const Type& type);
std::string parameter_type(const Declaration::Parameter& parameter);
std::string result_type(const Type* result);  // null: void

// Statements, without semicolon, that write and read a variable of the type. `out` and `in` are a Writer and
// a Reader. `place` is a T, a char*&, an I_ptr& or an array.
std::string write_statement(const Type& type, const std::string& out, const std::string& value);
std::string read_statement(const Type& type, const std::string& in, const std::string& place);

// Whether generated code sends or receives.
enum class Transfer { write, read };
// Such a statement for a member of a class, with `takt_out` or `takt_in`.
std::string member_statement(Transfer transfer, const Type& type, const std::string& member);

}  // namespace takt::idl::classic
