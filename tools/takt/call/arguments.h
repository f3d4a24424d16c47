// The JSON arguments of a call as a request, and its results as JSON.
#pragma once

#include <string>
#include <vector>

#include <takt/dynamic/request.h>

#include "json/values.h"
#include "types/catalogue.h"

namespace takt::command {

// The arguments, one JSON for each in and inout parameter, from words and data. `data` is empty, or the text
// of an array of arguments or of an object with them by name. Throws a Failure that says which is wrong.
std::vector<json::Json> arguments_from(const Operation& operation, const std::vector<std::string>& words,
                                       const std::string& data);

// Adds the arguments, the expected results and exceptions to a request. Throws json::Failure.
void fill(CORBA::Request& request, const Operation& operation, const std::vector<json::Json>& arguments,
          json::Values& values);

// The result; with out or inout parameters, {"result": ..., "out": {NAME: ...}}. Null for neither. Throws
// json::Failure.
json::Json results_of(CORBA::Request& request, const Operation& operation, json::Values& values);
// {"exception": ID, "members": {...}}
json::Json json_of_exception(const CORBA::Any& exception, json::Values& values);

}  // namespace takt::command
