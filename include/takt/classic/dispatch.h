// How skeletons of the classic mapping are reached, and how they answer. C++14.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <takt/classic/call.h>

namespace takt {
namespace classic {

class Upcall;  // incomplete: the runtime's ServerCall

// Whether all arguments could be read. If not, the call is answered with the exception that says why.
bool arguments_read(Upcall& call);
// Begins the normal answer; null if the caller expects none. If the results cannot be written, the caller
// gets MARSHAL.
Writer* begin_reply(Upcall& call, bool has_results);
Writer& begin_user_exception(Upcall& call, const char* repository_id);
// Whether the caller expects an answer at all.
bool response_expected(const Upcall& call);
// `text` is for the server's own reports.
void answer_system_exception(Upcall& call, const char* repository_id, std::uint32_t minor,
                             std::uint32_t completed, const char* text);

// A row of a skeleton's table. `skeleton` is the most derived skeleton class.
struct Entry {
  const Operation* operation;
  void (*serve)(void* skeleton, Reader& arguments, Upcall& call);
  void (*serve_local)(void* skeleton, void** arguments);
  const char* const* raises;  // repository ids, ended by null
};
extern const char* const no_exceptions[1];
// Rows for operations that Derived inherits from Owner.
template <class Derived, class Owner, void (*Function)(void*, Reader&, Upcall&)>
void inherited(void* skeleton, Reader& arguments, Upcall& call) {
  Function(static_cast<Owner*>(static_cast<Derived*>(skeleton)), arguments, call);
}
template <class Derived, class Owner, void (*Function)(void*, void**)>
void inherited_local(void* skeleton, void** arguments) {
  Function(static_cast<Owner*>(static_cast<Derived*>(skeleton)), arguments);
}

// The hash that gperf found for the names of an interface: the sum of values of characters at some positions,
// and of the length if it counts. Other names hash to any slot, so find() compares names.
template <std::size_t Positions, std::size_t Characters, std::size_t Slots>
class PerfectHash {
 public:
  struct Position {
    int index;  // -1: the last character
    unsigned increment;
  };
  struct Value {
    unsigned character;
    std::uint16_t value;
  };

  constexpr PerfectHash(const Position (&positions)[Positions], bool counts_length,
                        const Value (&values)[Characters], const std::uint16_t (&slots)[Slots])
      : values_(), positions_(), slots_(), counts_length_(counts_length) {
    for (std::size_t i = 0; i < Characters; ++i) values_[values[i].character] = values[i].value;
    for (std::size_t i = 0; i < Positions; ++i) positions_[i] = positions[i];
    for (std::size_t i = 0; i < Slots; ++i) slots_[i] = slots[i];
  }

  // The row of the operation; null if there is none.
  const Entry* find(const Entry* entries, const char* name, std::size_t length) const {
    std::size_t hash = counts_length_ ? length : 0;
    for (const Position& position : positions_) {
      const std::size_t at = position.index < 0 ? length - 1 : static_cast<std::size_t>(position.index);
      if (at < length) hash += values_[static_cast<unsigned char>(name[at]) + position.increment];
    }
    if (hash >= Slots || slots_[hash] == 0xffff) return nullptr;
    const Entry& entry = entries[slots_[hash]];
    return entry.operation->length == length && std::memcmp(entry.operation->name, name, length) == 0
               ? &entry
               : nullptr;
  }

 private:
  std::uint16_t values_[512];
  Position positions_[Positions];
  std::uint16_t slots_[Slots];
  bool counts_length_;
};

class ServantLink;  // incomplete: a servant's place in the runtime's adapters

// A servant as the runtime sees it. Any thread.
class Servant {
 public:
  Servant();
  // Another servant: it is active nowhere.
  Servant(const Servant&);
  Servant& operator=(const Servant&) { return *this; }
  virtual ~Servant();

  // Generated: the row of an operation, and the skeleton that the row's functions take. Null if there is
  // none.
  virtual const Entry* _takt_find(const char* operation, std::size_t length, void*& skeleton) = 0;
  // Runs the operation without a message. False, without any effect, if it is not one of the servant's.
  virtual bool _takt_dispatch_local(const Operation& operation, void** arguments) = 0;
  // Null for a servant whose objects have interfaces of their own.
  virtual const char* _takt_repository_id() = 0;
  // The interface of such an object: a string that the caller frees. Null for other servants. `poa` is lent.
  virtual char* _takt_primary_interface(const unsigned char* id, std::size_t length, Reference* poa);
  // Serves an operation that has no row. False, without any effect, if the servant does not have it.
  virtual bool _takt_serve(Upcall& call);
  // Whether the servant supports the interface, as the application may have overridden it.
  virtual bool _takt_is_a(const char* repository_id) = 0;
  virtual bool _takt_non_existent() = 0;
  virtual Reference* _takt_default_poa() = 0;  // an own reference; null for the runtime's choice
  virtual void _takt_add_ref() = 0;
  virtual void _takt_remove_ref() = 0;
  ServantLink& _takt_link() { return *link_; }

 private:
  ServantLink* const link_;
};

// For _this(): an own reference. In an upcall on the servant it is that of its object; else the servant is
// activated in its default POA, if that POA's policies allow it.
Reference* this_reference(Servant& servant);

}  // namespace classic
}  // namespace takt
