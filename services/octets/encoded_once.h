// Values in CDR that are encoded once and sent in many messages.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include <takt/cdr/any.h>
#include <takt/cdr/encoder.h>

namespace takt::octets {

// The octets of one value, which the first message that has it leaves here for all others. `alignment`: 4 or
// 8, to which the value is aligned in each message; since padding depends on where the value begins, modulo
// 8, there is an encoding for each such place. Encodings are kept for GIOP 1.2 in this machine's byte order,
// with the code sets of the first message; the value is encoded with each message that differs, or that
// borrows long runs of octets from it.
//
// put() is for any thread; it takes no lock, and never waits for another thread. It allocates if the encoding
// is longer than each before.
template <std::size_t alignment>
class EncodedOnce {
  static_assert(alignment == 4 || alignment == 8);

 public:
  // Appends what write(out) appends, which is the same each time. `may_keep()` is asked before the first
  // encoding is kept: octets that depend on other parts of the message, as those of valuetypes do, must not
  // be. The message may borrow the octets until it has been sent.
  template <class Write, class MayKeep>
  void put(cdr::Encoder& out, const Write& write, const MayKeep& may_keep) const {
    out.align(alignment);
    Form& form = forms_[out.position() % 8 / alignment];
    const State state = form.state.load(std::memory_order_acquire);
    if (state == State::kept && is_usual(out.format()) && form.code_sets == *out.format().code_sets)
      return out.put_octets(form.octets);
    const std::size_t begin = out.buffer().owned_size(), borrowed = out.buffer().borrowed_size();
    write(out);
    if (state != State::none || !out.ok() || !is_usual(out.format())) return;
    if (out.buffer().borrowed_size() == borrowed && may_keep())
      keep(form, {out.buffer().owned() + begin, out.buffer().owned_size() - begin}, *out.format().code_sets);
  }
  // Memory for encodings up to this length. Before the first put().
  void reserve(std::size_t bytes) {
    for (Form& form : forms_) form.octets.reserve(bytes);
  }
  // The next put() has another value. Encodings that are longer than `keep_bytes` give up their memory. No
  // other thread may use this meanwhile.
  void clear(std::size_t keep_bytes) {
    for (Form& form : forms_) {
      form.state.store(State::none, std::memory_order_relaxed);
      if (form.octets.capacity() > keep_bytes) form.octets = {};
    }
  }

 private:
  enum class State : std::uint8_t { none, being_kept, kept };
  struct Form {
    std::atomic<State> state{State::none};
    cdr::CodeSets code_sets;
    std::vector<std::uint8_t> octets;
  };

  static bool is_usual(const cdr::Format& format) {
    return format.giop_minor == 2 && format.order == cdr::native_order &&
           format.long_double == cdr::LongDoubleForm::ieee && format.values != cdr::ValueForm::tao;
  }
  static void keep(Form& form, ByteView octets, const cdr::CodeSets& code_sets) {
    State none = State::none;
    if (!form.state.compare_exchange_strong(none, State::being_kept, std::memory_order_acquire)) return;
    try {
      form.octets.assign(octets.begin(), octets.end());
    } catch (const std::bad_alloc&) {  // the message is complete without the copy
      return form.state.store(State::none, std::memory_order_release);
    }
    form.code_sets = code_sets;
    form.state.store(State::kept, std::memory_order_release);
  }

  mutable std::array<Form, 8 / alignment> forms_;
};

// Whether the octets of an Any are the same in each message.
inline bool is_self_contained(const CORBA::Any& value) { return value._content().values.empty(); }

}  // namespace takt::octets
