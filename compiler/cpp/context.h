// State that the parts of the back end share while they generate a file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cpp/generator.h"
#include "cpp/names.h"
#include "cpp/writer.h"
#include "model/model.h"

namespace takt::idl::cpp {

struct Context {
  Context(const Unit& of, const Options& how) : unit(of), options(how), names(of) {}

  const Unit& unit;
  const Options& options;
  Names names;
  std::string idl_path;  // as it was opened
  std::string idl_file;  // without its folder
  Writer out;            // the file in progress
  Writer at_end;         // text after the last namespace: specialisations
};

// Calls `visit` for each declaration of the main file that `wanted` accepts, modules excepted, inside the C++
// namespaces of its modules. Namespaces without such a declaration are left out. `inner` opens one more
// namespace around the declarations, such as "namespace POA"; empty: none. The name of an outermost module
// follows `prefix`.
void in_namespaces(Context& context, const std::function<bool(const Declaration&)>& wanted,
                   const std::function<void(const Declaration&)>& visit, const std::string& inner = {},
                   const std::string& prefix = {});

// The name of a file that is generated from the IDL file.
std::string own_name(const Context& context, const std::string& suffix);
// The line that names the IDL file.
void print_origin(Context& context);
// The header for OMG types in IDL that is included: the runtime's (cpp/runtime_types.h), if it has them, or a
// generated one.
enum class OmgTypes : std::uint8_t { of_the_runtime, generated };
// An #include for the generated file of each IDL file that the main one includes.
void print_includes_of_others(Context& context, const std::string& suffix,
                              OmgTypes omg_types = OmgTypes::of_the_runtime);

// The interface and all its direct and indirect bases, each once. Bases come first.
std::vector<const Declaration*> with_bases(const Declaration& interface);
// Whether the type is declared inside another type.
bool in_class(const Declaration& declaration);
// The declarations of kind `member`, in order.
std::vector<const Declaration*> members_of(const Declaration& declaration);
// A discriminator of the union for which no member has a label; none if each value has a member.
std::optional<Value> unused_label(const Declaration& declaration);

// An operation, or the get or set of an attribute, as one call.
struct Call {
  const Declaration* declaration;
  std::string method;      // the C++ name
  std::string descriptor;  // the name in _operations
  std::string wire_name;
  const Type* result;  // null: void
  std::vector<Declaration::Parameter> parameters;
  std::vector<Declaration*> raises;
};
// The calls that an interface declares itself, without inherited ones.
std::vector<Call> calls_of(const Declaration& interface);
// The wire names of calls that have secret values (sema/secrets.h), each once: those of the main file, with
// the operations of their reply handlers, and those of included files if a value of the main file makes them
// secret.
std::vector<std::string> secret_calls(const Context& context);
// Prints the objects that name them to the runtime. `storage`: "inline" or "static".
void print_secret_calls(Context& context, const std::string& storage);
// The sequence type of a parameter that is passed as a view; null if it is not passed as one.
const Type* viewed(const Context& context, const Call& call, const Declaration::Parameter& parameter);
// Whether the call returns octets that the caller holds where they arrived.
bool returns_held(const Context& context, const Call& call);
// Whether stub and skeleton of the call are interpreted.
bool is_interpreted(const Context& context, const Call& call);
// Whether an interface of the main file has such an operation; `inherited`: of itself or of a base.
bool has_interpreted(const Context& context, bool inherited);
std::string result_type(const Context& context, const Call& call, const Declaration* scope);
// "std::int32_t a, const std::string& b"
std::string parameter_list(const Context& context, const Call& call, const Declaration* scope);

}  // namespace takt::idl::cpp
