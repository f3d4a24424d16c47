// What the parts of the back end share while a file is generated.
#pragma once

#include <functional>
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
  std::string idl_file;  // without its folder
  Writer out;            // the file in progress
  Writer at_end;         // what follows after the last namespace: specialisations
};

// Calls visit for each declaration of the main file that is not a module, inside the C++ namespaces that its
// modules are. `wanted` says which declarations are visited; namespaces without any are left out. `inner` is
// the name of one more namespace around them, if not empty.
void in_namespaces(Context& context, const std::function<bool(const Declaration&)>& wanted,
                   const std::function<void(const Declaration&)>& visit, const std::string& inner = {});

// The line that says where a file comes from.
void print_origin(Context& context);
// #include of the files generated from the IDL files that the main one includes.
void print_includes_of_others(Context& context, const std::string& suffix);

// All interfaces that one derives from, at any distance, each once; bases first, itself last.
std::vector<const Declaration*> with_bases(const Declaration& interface);

// An operation or one half of an attribute, as one call.
struct Call {
  const Declaration* declaration;
  std::string method;      // the C++ name
  std::string descriptor;  // the name in _operations
  std::string wire_name;
  const Type* result;  // null: void
  std::vector<Declaration::Parameter> parameters;
  std::vector<Declaration*> raises;
};
// The calls that an interface itself declares.
std::vector<Call> calls_of(const Declaration& interface);
// The sequence that this parameter is passed as a view of; null where it is passed otherwise.
const Type* viewed(const Context& context, const Call& call, const Declaration::Parameter& parameter);
// Whether its result is octets that are held.
bool returns_held(const Context& context, const Call& call);
std::string result_type(const Context& context, const Call& call, const Declaration* scope);
// "std::int32_t a, const std::string& b"
std::string parameter_list(const Context& context, const Call& call, const Declaration* scope);

}  // namespace takt::idl::cpp
