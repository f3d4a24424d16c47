// Prints the asynchronous calls of interfaces (sema/ami.h).
#pragma once

#include <string>
#include <vector>

#include "cpp/context.h"

namespace takt::idl::cpp {

// Whether an interface of the main file has asynchronous calls.
bool has_asynchronous(const Context& context);
// Null if the interface has no asynchronous calls.
const AsynchronousInterface* asynchronous(const Context& context, const Declaration& interface);
// The synchronous call that the asynchronous one stands for.
Call synchronous(const Declaration& interface, const AsynchronousCall& call);
// The name of the handler's parameter of sendc_, which no other parameter has.
std::string handler_parameter(const Call& call);
// The exceptions that the calls may raise, each once.
std::vector<const Declaration*> raised_by(const std::vector<Call>& calls);
// Prints the declarations of an interface's sendc_ functions; nothing if it has none.
void print_asynchronous_calls(Context& context, const Declaration& interface);
// Prints the functions, and the list of exceptions that holders may have.
void print_asynchronous_sources(Context& context, const Declaration& interface);

}  // namespace takt::idl::cpp
