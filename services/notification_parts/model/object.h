// The objects of a notification service that clients have references to.
#pragma once

#include <atomic>
#include <cstdint>

namespace takt::notification {

// Random, so that a client cannot guess the id of another client's object. Never 0.
using ObjectId = std::uint64_t;

class Object {
 public:
  explicit Object(ObjectId id) : id_(id) {}
  virtual ~Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  ObjectId object_id() const { return id_; }

  // Whether the store has it. The registry maintains it.
  std::atomic<bool> stored{false};
  // The part of the service's memory for definitions that its types, constraints and values take. The
  // registry maintains it.
  std::uint64_t counted_bytes = 0;

 private:
  const ObjectId id_;
};

}  // namespace takt::notification
