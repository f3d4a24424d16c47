// Decodes the records of a shared buffer.
#pragma once

#include <cstdint>
#include <cstring>
#include <new>
#include <optional>

#include <takt/base/bytes.h>
#include <takt/cdr/any.h>
#include <takt/orb/orb.h>

#include "RtecEventCommC.h"

namespace takt::event_ring {

// A record is an event in CDR of GIOP 1.2, in this machine's byte order. The octets are untrusted. Any
// thread.
class EventDecoder {
 public:
  // Objects that values in events need, such as references, come from the ORB of this reference; nil: they
  // cannot be decoded.
  explicit EventDecoder(const CORBA::object_reference<CORBA::Object>& of_orb = nullptr) {
    if (of_orb) keeps_environment_ <<= of_orb;
  }

  struct Kind {
    std::int32_t type = 0, source = 0;
  };
  // Without decoding the rest. Nothing if the record is too short.
  static std::optional<Kind> kind_of(ByteView record) {
    Kind kind;
    if (record.size() < sizeof kind) return {};
    std::memcpy(&kind, record.data(), sizeof kind);
    return kind;
  }
  // False: it is malformed, a value factory raises an exception, or it has octets behind the event. Reuses
  // the memory of `event`.
  bool decode(ByteView record, RtecEventComm::Event& event) const {
    cdr::Format format;
    format.environment = keeps_environment_._environment();
    cdr::Decoder decoder(record, 0, format);
    try {
      return cdr::Codec<RtecEventComm::Event>::read(decoder, event) && decoder.ok() &&
             decoder.remaining() == 0;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {  // a value factory of the program
      return false;
    }
  }

 private:
  CORBA::Any keeps_environment_;
};

}  // namespace takt::event_ring
