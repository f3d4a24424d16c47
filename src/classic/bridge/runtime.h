// The runtime's side of the bridge: what the incomplete classes of the classic headers are.
#pragma once

#include <atomic>
#include <cstdint>
#include <forward_list>
#include <memory>
#include <utility>

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/exception.h>
#include <takt/reference/object.h>
#include <takt/server/server_call.h>

#include "classic/bridge/failures.h"
#include "classic/bridge/retries_bridge.h"

namespace takt::classic {

class Writer;
class Reader;
class Upcall;

// Writer, Reader and Upcall are names for objects of the runtime, and have no objects of their own.
inline cdr::Encoder& encoder(Writer& out) { return reinterpret_cast<cdr::Encoder&>(out); }
inline Writer& writer(cdr::Encoder& out) { return reinterpret_cast<Writer&>(out); }
inline cdr::Decoder& decoder(Reader& in) { return reinterpret_cast<cdr::Decoder&>(in); }
inline const cdr::Decoder& decoder(const Reader& in) { return reinterpret_cast<const cdr::Decoder&>(in); }
inline Reader& reader(cdr::Decoder& in) { return reinterpret_cast<Reader&>(in); }
inline server::ServerCall& server_call(Upcall& call) { return reinterpret_cast<server::ServerCall&>(call); }
inline Upcall& upcall(server::ServerCall& call) { return reinterpret_cast<Upcall&>(call); }

// Shared by the proxies of one object. Any thread.
class Reference {
 public:
  // An object that calls use instead of the first, with the limit that timeouts::set_for() gave it.
  struct Limited {
    std::uint32_t milliseconds;
    CORBA::object_reference<CORBA::Object> object;
  };

  explicit Reference(CORBA::object_reference<CORBA::Object> to) : object_(std::move(to)) {}

  // Not nil. The result is valid as long as the Reference, so that calls need no reference of their own, also
  // while another thread sets a limit.
  const CORBA::object_reference<CORBA::Object>& object() const {
    const Limited* const limited = limited_.load(std::memory_order_acquire);
    return limited ? limited->object : object_;
  }

  // For timeouts::set_for(), one thread at a time.
  const CORBA::object_reference<CORBA::Object>& first_object() const { return object_; }
  // The object of that limit; null if the reference has none.
  const Limited* find(std::uint32_t milliseconds) const;
  const Limited* add(std::uint32_t milliseconds, CORBA::object_reference<CORBA::Object> object);
  std::uint32_t limits() const { return limits_; }
  void use(const Limited* limited) { limited_.store(limited, std::memory_order_release); }

  std::atomic<std::uint32_t> count{1};
  std::unique_ptr<retries::KeptRules> rules;  // for retries::keep() and find() alone; null: none of its own

 private:
  std::uint32_t limits_ = 0;
  const CORBA::object_reference<CORBA::Object> object_;
  std::atomic<const Limited*> limited_{nullptr};  // one of `all_`, or null: `object_` itself
  std::forward_list<Limited> all_;                // each stays where it is
};

// Null for nil.
inline Reference* refer(CORBA::object_reference<CORBA::Object> object) {
  return object ? new Reference(std::move(object)) : nullptr;
}
inline CORBA::object_reference<CORBA::Object> object_of(Reference* reference) {
  return reference ? reference->object() : CORBA::object_reference<CORBA::Object>();
}

// The object of a call. Throws INV_OBJREF for nil, and NO_IMPLEMENT for an object of the ORB's own.
CORBA::Object& callable(const Reference* target);

// Throws the current exception of the runtime as that of the classic mapping, and others as they are.
[[noreturn]] void rethrow_current();

// Runs `action`, whose exceptions are those of the runtime.
template <class Action>
auto translating(Action&& action) -> decltype(action()) {
  try {
    return action();
  } catch (const CORBA::Exception&) {
    rethrow_current();
  }
}

}  // namespace takt::classic
