// CORBA values as JSON, without loss: docs/user/command-line.md describes the mapping.
//
//   takt::json::Values values({});
//   const auto text = takt::json::parse("{\"x\": 3, \"y\": 4}");
//   const CORBA::Any point = values.any_of(*text, point_type, "argument 1");
//   const takt::json::Json same = values.json_of(point, "argument 1");
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "json/context.h"

namespace takt::json {

// Sharing of values (of valuetypes) holds within one object of this class, so one converts all arguments of a
// call, and another one all results. For one thread at a time. Values that any_of() makes in a cycle hold
// each other. The destructor takes such cycles apart, except those that something else still holds: an Any
// from any_of() that may have cycles should end before this object.
class Values {
 public:
  explicit Values(Context context) : context_(std::move(context)) {}
  ~Values();
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  // A value of the type. `name` is the name of the whole in messages. Throws a Failure.
  CORBA::Any any_of(const Json& json, const CORBA::typecode_reference& type, const std::string& name = {});
  // The Any's value. Throws a Failure for a value that its type does not allow, and beyond the limits.
  Json json_of(const CORBA::Any& any, const std::string& name = {});

 private:
  friend class FromJson;
  friend class ToJson;
  struct Shared {
    std::shared_ptr<CORBA::ValueBase> value;
    CORBA::typecode_reference type;
    bool whole = false;  // whether its members have been read
  };

  const Context context_;
  std::map<std::int64_t, Shared> by_id_;                          // made from JSON
  cdr::ValueTable made_;                                          // the same, and those without an id
  std::vector<std::shared_ptr<const cdr::AnyContent>> contents_;  // Anys that refer to them
  bool cyclic_ = false;                                           // a value refers to one that contains it
  std::map<const void*, std::int64_t> ids_;                       // written as JSON
  std::vector<std::shared_ptr<CORBA::ValueBase>> alive_;          // keeps the addresses in ids_ unique
};

// Removes the "$id" of values that nothing refers to by "$ref". For a JSON that has all results of one
// Values.
void remove_needless_ids(Json& json);

}  // namespace takt::json
