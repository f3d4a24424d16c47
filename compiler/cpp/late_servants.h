// Servants that answer later (--amh): response handlers and their skeletons.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "cpp/context.h"

namespace takt::idl::cpp {

// Whether --amh makes something for the declaration: an interface that is neither local nor abstract.
bool answers_late(const Declaration& declaration);

// A call as its response handler and its servant see it.
struct LateCall {
  Call call;
  const Declaration* interface;  // that declares it
  std::string answer;            // the response handler's operation; empty for oneways
  std::string exception_answer;
};

// All calls of the interface, inherited ones included.
std::vector<LateCall> late_calls_of(const Declaration& interface);

// prefix + name + suffix, with further prefixes in front while the IDL declares that name beside the
// interface, or another interface there takes it.
std::string free_name(const Context& context, const Declaration& interface, const std::string& prefix,
                      const std::string& suffix = {});
// "::M::" for M::Foo.
std::string module_prefix(const Declaration& interface);
// Prints the functions by which a skeleton names its interface and finds its operations.
void print_late_members(Context& context, const Declaration& interface, const std::string& skeleton);

// Prints the part of fooS.cpp for the skeletons that `name` names: what `print_hidden` prints in a nameless
// namespace, and the functions of print_late_members().
std::expected<void, std::string> print_skeleton_sources(
    Context& context, const std::function<std::string(const Declaration&)>& name,
    const std::function<std::expected<void, std::string>(const Declaration&)>& print_hidden);

// Print the part of fooS.h: response handlers, skeletons, and CORBA::amh_traits at its end.
void print_late_servants(Context& context);
// Prints the part of fooS.cpp. The error is readable text.
std::expected<void, std::string> print_late_servants_source(Context& context);

}  // namespace takt::idl::cpp
