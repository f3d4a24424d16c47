// How the runtime sees values and their factories in the classic mapping. C++14.
#pragma once

#include <atomic>
#include <cstddef>

#include <takt/classic/wire.h>

namespace takt {
namespace classic {

class ValueLink;  // incomplete: a value's place in the runtime

// A value's type for messages. Constant.
struct ValueType {
  constexpr ValueType(const char* const* of_ids, std::size_t of_count, bool is_custom = false)
      : ids(of_ids), count(of_count), custom(is_custom), made(nullptr) {}
  const char* const* const ids;  // the type's, and those that it may be truncated to, nearest first
  const std::size_t count;
  const bool custom;                      // the application writes and reads the state
  mutable std::atomic<const void*> made;  // the runtime's description; kept until the process ends
};

// A value. One thread at a time, but for its count.
class ValueImplementation {
 public:
  ValueImplementation() : link_(nullptr) {}
  ValueImplementation(const ValueImplementation&) : link_(nullptr) {}
  ValueImplementation& operator=(const ValueImplementation&) { return *this; }
  virtual ~ValueImplementation();

  virtual const ValueType& _takt_value_type() const = 0;
  virtual void _takt_write_state(Writer& out) const = 0;
  virtual void _takt_read_state(Reader& in) = 0;
  virtual ValueImplementation* _takt_make() const {
    return nullptr;
  }  // another, without state; null: unknown
  virtual void _takt_add_ref() = 0;
  virtual void _takt_remove_ref() = 0;
  virtual unsigned long _takt_references() = 0;
  std::atomic<ValueLink*>& _takt_link() { return link_; }

 private:
  std::atomic<ValueLink*> link_;  // made when it is first needed
};

// Follows the state of a base in _takt_write_state().
void end_base_state(Writer& out);

// Makes values that arrive. Any thread.
class FactoryImplementation {
 public:
  virtual ~FactoryImplementation() {}
  virtual ValueImplementation* _takt_create() = 0;  // the caller's
  virtual void _takt_add_ref() = 0;
  virtual void _takt_remove_ref() = 0;
};

// Types whose values need no factory of the application: generated code registers them. All ORBs have them as
// long as the registration lives, which is until its plug-in is unloaded. Any thread.
class ValueRegistration {
 public:
  ValueRegistration(const char* id, ValueImplementation* (*make)());
  ~ValueRegistration();
  ValueRegistration(const ValueRegistration&) = delete;
  ValueRegistration& operator=(const ValueRegistration&) = delete;
  const char* const id;
  ValueImplementation* (*const make)();
};

}  // namespace classic
}  // namespace takt
