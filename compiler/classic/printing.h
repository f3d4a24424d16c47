// The parts of the classic back end, each of which prints into a file in progress.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cpp/context.h"
#include "model/model.h"

namespace takt::idl::classic {

using cpp::Context;
using cpp::in_class;
using cpp::members_of;

void print_declaration(Context& context, const Declaration& declaration);
void print_union(Context& context, const Declaration& declaration);
void print_union_source(Context& context, const Declaration& declaration);
void print_struct_source(Context& context, const Declaration& declaration);
void print_constant(Context& context, const Declaration& declaration);
void print_constant_source(Context& context, const Declaration& declaration);
void print_interface(Context& context, const Declaration& declaration);
void print_interface_source(Context& context, const Declaration& declaration);
void print_skeleton(Context& context, const Declaration& interface);
std::expected<void, std::string> print_skeleton_source(Context& context, const Declaration& interface);

// A variable for an argument or a result: how it is declared, read, passed to the servant, and written.
struct Variable {
  std::string declaration, place, passed, written;
};
Variable variable(const Declaration::Parameter& parameter);
// Prints _takt_find() of skeleton `name`. `names`: the operations as they are called on the wire; `entries`
// and `raises`: the rows of its table, and the declarations of the lists that they name.
std::expected<void, std::string> print_find_table(Context& context, const std::string& name,
                                                  const std::vector<std::string>& names,
                                                  const std::string& entries, const std::string& raises);

// A variable that holds a result until the call has ended. Values of variable length are in a _var.
struct Held {
  std::string declaration, place, value;  // `place` is read into, `value` passes it on
};
Held held(const Type& type, const std::string& name);
// Whether an out parameter is read into its caller's variable at once.
bool read_in_place(const Type& type);

// Asynchronous calls (--ami): sendc_ functions in the class of an interface.
void print_sendc_functions(Context& context, const Declaration& interface);
void print_sendc_sources(Context& context, const Declaration& interface);

// Servants that answer later (--amh): exception holders, response handlers and skeletons.
void print_late_handlers(Context& context, const Declaration& interface);
void print_late_handlers_source(Context& context, const Declaration& interface);
void print_late_skeleton(Context& context, const Declaration& interface);
std::expected<void, std::string> print_late_skeleton_source(Context& context, const Declaration& interface);

void print_value(Context& context, const Declaration& declaration);
void print_value_forward(Context& context, const Declaration& declaration);
void print_value_source(Context& context, const Declaration& declaration);
// The class with a value's state, in OBV_M.
void print_obv(Context& context, const Declaration& declaration);
void print_obv_source(Context& context, const Declaration& declaration);
std::string obv_name(const Declaration& value);
void print_box(Context& context, const Declaration& declaration);
void print_box_source(Context& context, const Declaration& declaration);

// The type of a member of a union or value has a name in C++, also where it has none in IDL.
// print_named_type() declares it.
std::string named_type(const Declaration& member);
void print_named_type(Context& context, const Type& type, const std::string& named);

// A type's TypeCode; and in the namespace of its module, its operators for Any and of the types inside it.
void print_type_code(Context& context, const Declaration& declaration);
void print_type_code_source(Context& context, const Declaration& declaration);
void print_any_operators(Context& context, const Declaration& declaration);
// A union's label in C++.
std::string label_text(const Context& context, const Declaration& declaration, const Value& value);

// "M::I" as it is written in front of a member that is defined in the namespace of its module.
std::string local_name(const Declaration& declaration);
// "CORBA::Long a, const char* b"
std::string parameters_of(const cpp::Call& call);
// "a, b", for a call with these parameters.
std::string arguments_of(const cpp::Call& call);
bool has_context(const cpp::Call& call);

}  // namespace takt::idl::classic
