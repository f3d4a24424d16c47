// Limits and services of the conversion between JSON and CORBA values, and its failures.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <stdexcept>
#include <string>

#include <takt/cdr/any.h>

#include <nlohmann/json.hpp>

namespace takt::json {

using Json = nlohmann::ordered_json;

// Bounds on a JSON text and on a converted value, in both directions.
struct Limits {
  std::size_t bytes = std::size_t{64} << 20;  // length of a text
  std::size_t depth = 200;                    // nested arrays, objects and types
  std::size_t values = 4'000'000;             // elements, members and other values
};

// Services of the caller. Each may be empty; the functions are called by the converting thread.
struct Context {
  // Makes the references in converted Anys. Must outlive them; null: the references stay IORs.
  cdr::Environment* environment = nullptr;
  // The type with a repository id or a scoped name; nil if there is none.
  std::function<CORBA::typecode_reference(const std::string&)> type_named;
  // The reference that a corbaname or a corbaloc:rir: text leads to. May block.
  std::function<std::expected<cdr::Ior, std::string>(const std::string&)> resolve;
  Limits limits;
};

// The text without control characters, and shortened if it is very long: names and ids in it may come from a
// peer.
std::string one_line(const std::string& text);

// A value that does not fit its type, or exceeds a limit. what() is one line with the path of the value, for
// example `argument 1: .items[3].price: expected a double, found the string "x"`.
class Failure : public std::runtime_error {
 public:
  Failure(const std::string& path, const std::string& text)
      : std::runtime_error(one_line(path.empty() ? text : path + ": " + text)) {}
};

}  // namespace takt::json
