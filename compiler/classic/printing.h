// The parts of the classic back end, each of which prints into a file in progress.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "cpp/context.h"
#include "model/model.h"

namespace takt::idl::classic {

using cpp::Context;

// Visits the main file's declarations inside the namespaces of their modules, and there inside `inner` unless
// that is empty. `prefix` is put before the outermost module's name, or before names in the global scope.
void in_modules(Context& context, const std::string& prefix, const std::string& inner,
                const std::function<bool(const Declaration&)>& wanted,
                const std::function<void(const Declaration&)>& visit);
// The namespace in each module that keeps both mappings apart in one program.
inline constexpr const char* inner_namespace = "takt_classic_";

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

// "M::I" as it is written in front of a member that is defined in the namespace of its module.
std::string local_name(const Declaration& declaration);
// "CORBA::Long a, const char* b"
std::string parameters_of(const cpp::Call& call);
std::vector<const Declaration*> members_of(const Declaration& declaration);
// Whether the declaration is inside another type.
bool in_class(const Declaration& declaration);

}  // namespace takt::idl::classic
