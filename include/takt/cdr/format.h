// The encoding parameters that an encoder and a decoder must agree on.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <takt/cdr/byte_order.h>
#include <takt/cdr/code_sets.h>

namespace takt {
class MemoryBudget;
}

namespace takt::cdr {

class Environment;

// Limits on what a decoder accepts in one message. Lengths need no limit: none may exceed the octets that
// remain.
struct DecoderLimits {
  std::uint32_t nesting = 500;          // nested values, Anys and sequences of classes
  std::uint32_t typecode_nesting = 64;  // nested TypeCodes
  std::uint32_t values = 262'144;
  std::uint32_t indirections = 524'288;  // to values, ids and TypeCodes
  // Steps of processor time (see MessageCosts). These values allow a message 1 ms, plus 1 us per octet.
  std::size_t free_steps = 16'000;
  std::size_t steps_per_octet = 16;
};
inline constexpr DecoderLimits default_limits{};

// The 16 octets of a long double.
enum class LongDoubleForm : std::uint8_t {
  ieee,  // quadruple precision (CORBA 3.0.3, 15.3.1.4)
  x87,   // 10 octets as x86 processors have them, then 6 without meaning: TAO and omniORB on such machines
};

// The chunks of values, as an encoder writes them. A decoder reads both forms.
enum class ValueForm : std::uint8_t {
  standard,  // CORBA 3.0.3, 15.3.4
  noticed,   // the same; the format of a decoder that has read a value in TAO's form becomes `tao`
  learned,   // `noticed`, and the peer's form is noted; `code_sets` must be PeerCodeSets
  tao,       // a base's state is a nested value, and a chunk spans the values in it
};

// Remembers for a connection that its peer has sent a value in TAO's form. Any thread.
class PeerValueForm {
 public:
  // `format`: the form in the connection's format, which the reading thread uses.
  explicit PeerValueForm(ValueForm& format) : format_(&format) {}

  // Requests are decoded by other threads than the reading one.
  void share() { format_ = nullptr; }
  void note_tao() {
    tao_.store(true, std::memory_order_relaxed);
    if (format_) *format_ = ValueForm::tao;
  }
  bool is_tao() const { return tao_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> tao_{false};
  ValueForm* format_;
};

// The code sets of a connection that learns the form of its peer's values.
struct PeerCodeSets : CodeSets {
  PeerValueForm* values = nullptr;  // must outlive the stream
};

// A small value type. The objects it points to must outlive the stream.
struct Format {
  std::uint8_t giop_minor = 2;
  ByteOrder order = native_order;
  LongDoubleForm long_double = LongDoubleForm::ieee;
  ValueForm values = ValueForm::standard;
  const CodeSets* code_sets = &default_code_sets;
  Environment* environment = nullptr;
  const DecoderLimits* limits = &default_limits;
  MemoryBudget* memory = nullptr;  // budget for decoded data; null: unlimited
};

// Whether the code set in use leaves every char unchanged.
inline bool chars_unchanged(const Format& format) {
  return format.code_sets->narrow == CodeSetId::iso_8859_1 || format.code_sets->narrow == CodeSetId::utf_8;
}

}  // namespace takt::cdr
