// How generated stubs of the classic mapping make calls. C++14.
#pragma once

#include <cstddef>
#include <cstdint>

#include <takt/classic/wire.h>

namespace takt {
namespace classic {

class Reference;

// One operation of one interface; constant. In one process its address identifies the operation, for calls
// that need no message.
struct Operation {
  std::size_t length;
  const char* name;
  std::uint64_t hash;
  bool one_way;
  bool has_arguments;

  template <std::size_t N>
  constexpr Operation(const char (&text)[N], bool is_one_way, bool has)
      : length(N - 1), name(text), hash(hash_of(text, N - 1)), one_way(is_one_way), has_arguments(has) {}
  static constexpr std::uint64_t hash_of(const char* text, std::size_t length) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t i = 0; i < length; ++i)
      hash = (hash ^ static_cast<unsigned char>(text[i])) * 0x100000001b3;
    return hash ^ (hash >> 32);
  }
};

// Use in a stub:
//
//   Call call(_takt_reference(), operation);
//   do write(call.begin(), argument);
//   while (call.exchange() == Call::again);
//   read(call.reply(), result);
//   call.finish();
//
// Lives on the caller's stack; one thread. begin(), exchange() and finish() throw system exceptions and may
// block up to the round-trip timeout. In steady state nothing is allocated or locked. After a failure which
// the program answers by one more call (<takt/classic/retries.h>), begin() begins anew and exchange() returns
// `again`.
class Call {
 public:
  enum Outcome { result, user_exception, again };

  // Throws INV_OBJREF for null, which is nil.
  Call(Reference* target, const Operation& operation);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Writer& begin();
  Outcome exchange();
  Reader& reply();
  // Whether the user exception has this repository id. The reply is at its first member.
  bool raised(const char* repository_id) const;
  // Throws UNKNOWN: the operation does not raise the exception that came.
  void throw_unlisted();
  // Throws MARSHAL if the results could not be read, and gives the connection back.
  void finish();

 private:
  // Throws the failure of the runtime that is being handled as that of the mapping. Returns if it is answered
  // by one more call, for which this is then ready.
  void repeat_or_throw();

  alignas(16) unsigned char memory_[704];  // the runtime's ClientCall
  Reference* target_;
  const Operation* operation_;
  std::uint32_t retries_ = 0;
};

// Runs the operation on a servant of the classic mapping in this process, without a message. `arguments` are
// pointers to the result, if any, and the arguments, in order. False: make a Call.
bool call_local(Reference* target, const Operation& operation, void** arguments);

// The argument behind a pointer of a local call. Stub and skeleton agree on T.
template <class T>
T& argument(void* pointer) {
  return *static_cast<T*>(pointer);
}
template <class T>
void* argument_of(const T& value) {
  return const_cast<void*>(static_cast<const void*>(&value));
}

// Throws the exception if it is the one that came. `call`: a Call, or the reply of one.
template <class Exception, class Answer>
void throw_if_raised(Answer& call) {
  if (!call.raised(Exception::_takt_id())) return;
  Exception exception;
  exception._takt_read(call.reply());
  call.finish();
  throw exception;
}

}  // namespace classic
}  // namespace takt
