// A body in each form in which it can reach a decoder, and scripts of reads with comparable results.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <takt/cdr/any.h>
#include <takt/cdr/held_octets.h>
#include <takt/cdr/mapping/fixed.h>
#include <takt/cdr/sequence_view.h>

#include "cdr/body_tail.h"
#include "octets.h"
#include "values.h"

namespace takt::cdr::test {

// Ascending positions at which a body is divided, from its first octet.
using Cuts = std::vector<std::size_t>;

inline Cuts in_order(Cuts cuts, std::size_t size) {
  std::erase_if(cuts, [&](std::size_t cut) { return cut == 0 || cut >= size; });
  std::ranges::sort(cuts);
  cuts.erase(std::ranges::unique(cuts).begin(), cuts.end());
  return cuts;
}

// Moves the cuts so that fragments of GIOP 1.1 keep the alignment of the whole body: the data of a fragment
// begins at index 12.
inline Cuts aligned_alike(const Cuts& cuts, std::size_t first_index, std::size_t size) {
  Cuts moved;
  for (const std::size_t cut : cuts) moved.push_back(cut + (4 - (first_index + cut) % 8 + 8) % 8);
  return in_order(moved, size);
}

// Each piece is in memory of its own, so that a sanitizer detects reads beyond it.
inline std::vector<Octets> divided(const Octets& body, const Cuts& cuts) {
  std::vector<Octets> pieces;
  std::size_t done = 0;
  for (const std::size_t cut : cuts) {
    pieces.emplace_back(body.begin() + static_cast<std::ptrdiff_t>(done),
                        body.begin() + static_cast<std::ptrdiff_t>(cut));
    done = cut;
  }
  pieces.emplace_back(body.begin() + static_cast<std::ptrdiff_t>(done), body.end());
  return pieces;
}

// A stream that provides all pieces but the first, and lends some of them.
class StreamOf final : public BodySource {
 public:
  StreamOf(const Octets& body, const Cuts& cuts) : pieces_(divided(body, cuts)) {
    for (std::size_t i = 1; i < pieces_.size(); ++i)
      rest_.insert(rest_.end(), pieces_[i].begin(), pieces_[i].end());
  }
  bool read_exact(MutableBytes into) override {
    asked_too_much |= into.size() > rest_.size() - at_;
    if (asked_too_much) return false;
    if (!into.empty()) std::memcpy(into.data(), rest_.data() + at_, into.size());
    at_ += into.size();
    return true;
  }
  HeldOctets read_in_place(std::size_t count) override {
    if (count % 2 != 0) return {};
    Octets lent(count);
    return read_exact(lent) ? hold_octets(std::move(lent)) : HeldOctets();
  }
  void attach(Decoder& decoder) { decoder.set_source(this, rest_.size()); }
  const Octets& first() const { return pieces_[0]; }

  bool asked_too_much = false;  // octets beyond the body were requested, for which it would wait for the peer

 private:
  std::vector<Octets> pieces_;
  Octets rest_;
  std::size_t at_ = 0;
};

// A tail in memory of its own, which is handed over if it is a sequence.
class TailOf {
 public:
  TailOf(const Octets& body, const Cuts& cuts) : pieces_(divided(body, cuts.empty() ? cuts : Cuts{cuts[0]})) {
    if (pieces_.size() == 1 || !tail_.begin({}, pieces_[1].size())) return;
    std::ranges::copy(pieces_[1], tail_.space(0).begin());
    (void)tail_.make_room(pieces_[1].size());
  }
  void attach(Decoder& decoder) {
    if (pieces_.size() > 1) decoder.set_source(&tail_, pieces_[1].size());
  }
  const Octets& first() const { return pieces_[0]; }

 private:
  std::vector<Octets> pieces_;
  BodyTail tail_;
};

// Fragments of GIOP 1.1.
class FragmentsOf final : public BodySource {
 public:
  FragmentsOf(const Octets& body, const Cuts& cuts, std::size_t first_index)
      : pieces_(divided(body, cuts)), cuts_(cuts), size_(body.size()), first_index_(first_index) {}
  bool read_exact(MutableBytes) override { return false; }
  std::size_t octets_in_parts() const override { return first_index_ + size_; }
  Part part(std::size_t missing) const override {
    const std::size_t at = size_ - missing;
    const auto piece = static_cast<std::size_t>(std::ranges::upper_bound(cuts_, at) - cuts_.begin());
    const std::size_t into_piece = piece == 0 ? at : at - cuts_[piece - 1];
    return {ByteView(pieces_[piece]).subspan(into_piece), into_piece + (piece == 0 ? first_index_ : 12)};
  }
  void attach(Decoder& decoder) {
    if (pieces_.size() > 1) decoder.set_source(this, size_ - pieces_[0].size());
  }
  const Octets& first() const { return pieces_[0]; }
  const std::vector<Octets>& pieces() const { return pieces_; }

 private:
  std::vector<Octets> pieces_;
  Cuts cuts_;
  std::size_t size_, first_index_;
};

// The result of a script: the values that were read, written again, and the final status.
struct Transcript {
  Octets said;
  Error error = Error::none;
  std::size_t remaining = 0;
  bool operator==(const Transcript&) const = default;
};

struct Step {
  std::uint8_t operation = 0;
  std::uint8_t argument = 0;
};
using Script = std::vector<Step>;

struct Pair {  // the memory layout is the encoding
  std::int16_t small;
  double large;
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) {
    return visit(self.small, self.large);
  }
};

inline void say(Transcript& to, ByteView octets) {
  to.said.insert(to.said.end(), octets.begin(), octets.end());
}

template <class T>
void say_value(Decoder& in, std::uint8_t, Transcript& to) {
  T value{};
  if (!cdr::read(in, value)) return;
  const Octets octets = encoded(value, format(ByteOrder::big));
  say(to, octets);
}
template <class T>
void say_view(Decoder& in, std::uint8_t, Transcript& to) {
  SequenceView<T> view;
  if (!cdr::read(in, view)) return;
  const std::span<const T> elements = view;
  for (const T element : elements) say(to, encoded(element));
}
inline void say_octets_view(Decoder& in, std::uint8_t count, Transcript& to) {
  say(to, in.get_octets_view(count));
}
inline void say_octets(Decoder& in, std::uint8_t count, Transcript& to) {
  Octets octets(count);
  if (in.get_octets(octets)) say(to, octets);
}
inline void skip_octets(Decoder& in, std::uint8_t count, Transcript&) { in.skip(count); }
inline void align_octets(Decoder& in, std::uint8_t to, Transcript&) { in.align(std::size_t{1} << to % 4); }
inline void say_raw_string(Decoder& in, std::uint8_t, Transcript& to) {
  const std::string_view text = in.get_raw_string_view();
  say(to, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}
inline void say_copy(Decoder& in, std::uint8_t, Transcript& to) {
  Decoder ahead(in);  // sees the data in memory, which varies; must not disturb the decoder
  (void)ahead.get_u32();
  say_octets(in, 1, to);
}
inline void say_encapsulation(Decoder& in, std::uint8_t, Transcript& to) {
  in.get_encapsulation([&](Decoder& inner) { say_value<std::vector<std::uint16_t>>(inner, 0, to); });
}

using Operation = void (*)(Decoder&, std::uint8_t argument, Transcript&);
// The first ones are those that ModelBody supports.
enum Known : std::uint8_t {
  u8,
  u16,
  u32,
  u64,
  octets_op,
  view_op,
  skip_op,
  align_op,
  raw_string,
  longs,
  doubles,
  known
};
inline constexpr Operation operations[] = {
    &say_value<std::uint8_t>,
    &say_value<std::uint16_t>,
    &say_value<std::uint32_t>,
    &say_value<std::uint64_t>,
    &say_octets,
    &say_octets_view,
    &skip_octets,
    &align_octets,
    &say_raw_string,
    &say_value<std::vector<std::uint32_t>>,
    &say_value<std::vector<double>>,
    &say_value<bool>,
    &say_value<std::string>,
    &say_value<std::wstring>,
    &say_value<std::vector<std::uint8_t>>,
    &say_value<HeldOctets>,
    &say_value<std::vector<Pair>>,
    &say_value<std::vector<std::string>>,
    &say_value<CORBA::Any>,
    &say_value<CORBA::typecode_reference>,
    &say_value<NodeRef>,
    &say_value<BaseRef>,
    &say_value<std::vector<BaseRef>>,
    &say_value<CORBA::valuetype_reference<Text>>,
    &say_view<std::uint8_t>,
    &say_view<double>,
    &say_copy,
    &say_encapsulation,
    &say_value<IDL::Fixed<9, 2>>,
    &say_value<long double>,
};

inline Transcript run(Decoder& in, const Script& script) {
  Transcript transcript;
  for (const Step step : script) {
    if (!in.ok()) break;
    const std::size_t before = transcript.said.size();
    operations[step.operation % std::size(operations)](in, step.argument, transcript);
    if (!in.ok()) transcript.said.resize(before);  // values read before the failure do not count
  }
  transcript.error = in.error();
  transcript.remaining = in.remaining();
  return transcript;
}

inline Transcript run_in_one(const Octets& body, std::size_t first_index, const Format& format,
                             const Script& script) {
  Decoder in(body, first_index, format);
  return run(in, script);
}
template <class Source>
Transcript run_from(Source& source, std::size_t first_index, const Format& format, const Script& script) {
  Decoder in(source.first(), first_index, format);
  source.attach(in);
  return run(in, script);
}

// An independent implementation of the rules for reading fragments, octet by octet.
class ModelBody {
 public:
  ModelBody(const std::vector<Octets>& pieces, std::size_t first_index, ByteOrder order)
      : pieces_(pieces), first_index_(first_index), order_(order) {}

  Transcript run(const Script& script) {
    Transcript to;
    for (const Step step : script) {
      const std::size_t before = to.said.size();
      do_step(step, to);
      if (failed_) {
        to.said.resize(before);
        to.error = Error::underflow;
        if (bad_string_) to.error = Error::bad_string;
        return to;
      }
    }
    to.remaining = remaining();
    return to;
  }

 private:
  std::size_t here() const { return pieces_[piece_].size() - at_; }
  std::size_t index() const { return (piece_ == 0 ? first_index_ : 12) + at_; }
  bool last() const { return piece_ + 1 == pieces_.size(); }
  std::size_t remaining() const {
    std::size_t octets = here();
    for (std::size_t i = piece_ + 1; i < pieces_.size(); ++i) octets += pieces_[i].size();
    return octets;
  }
  void enter_next() { ++piece_, at_ = 0; }
  std::uint8_t octet() {
    while (here() == 0 && !last()) enter_next();
    if (here() == 0) {
      failed_ = true;
      return 0;
    }
    return pieces_[piece_][at_++];
  }
  void align(std::size_t to) {
    for (;;) {
      const std::size_t padding = (to - index() % to) % to;
      if (padding <= here()) {
        at_ += padding;
        return;
      }
      if (last()) {
        failed_ = true;
        return;
      }
      enter_next();
    }
  }
  std::uint64_t number(std::size_t size) {
    for (;;) {
      align(size);
      if (failed_ || here() != 0 || last()) break;
      enter_next();
    }
    if (remaining() < size) failed_ = true;
    if (failed_) return 0;
    Octets octets(size);
    for (auto& each : octets) each = octet();
    return joined(octets);
  }
  std::uint64_t joined(Octets octets) const {
    if (order_ == ByteOrder::little) std::ranges::reverse(octets);
    std::uint64_t value = 0;
    for (const std::uint8_t each : octets) value = value << 8 | each;
    return value;
  }
  void say_number(Transcript& to, std::size_t size, std::uint64_t value) {
    while (to.said.size() % size != 0) to.said.push_back(0);
    for (std::size_t i = size; i-- > 0;) to.said.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  }
  Octets octets(std::size_t count) {
    Octets taken;
    if (count > remaining()) failed_ = true;
    for (std::size_t i = 0; i < count && !failed_; ++i) taken.push_back(octet());
    return taken;
  }
  void array(Transcript& to, std::size_t size) {
    const auto count = static_cast<std::size_t>(number(4));
    if (failed_ || count > remaining() / size) {
      failed_ = true;
      return;
    }
    if (count != 0) align(size);
    const Octets all = failed_ ? Octets() : octets(count * size);
    if (failed_) return;
    Transcript elements;
    say_number(elements, 4, count);
    for (auto at = all.begin(); at != all.end(); at += static_cast<std::ptrdiff_t>(size))
      say_number(elements, size, joined({at, at + static_cast<std::ptrdiff_t>(size)}));
    say(to, elements.said);
  }
  void do_step(Step step, Transcript& to) {
    switch (static_cast<Known>(step.operation)) {
      case u8:
      case u16:
      case u32:
      case u64: {
        const std::size_t size = std::size_t{1} << step.operation;
        const std::uint64_t value = number(size);
        Transcript one;
        say_number(one, size, value);
        return say(to, one.said);
      }
      case octets_op:
      case view_op:
        return say(to, octets(step.argument));
      case skip_op:
        (void)octets(step.argument);
        return;
      case align_op:
        return align(std::size_t{1} << step.argument % 4);
      case raw_string: {
        Octets text = octets(static_cast<std::size_t>(number(4)));
        if (failed_ || text.empty()) return;
        failed_ = bad_string_ = text.back() != 0;
        text.pop_back();
        return say(to, text);
      }
      case longs:
        return array(to, 4);
      case doubles:
        return array(to, 8);
      case known:
        break;
    }
    failed_ = true;
  }

  const std::vector<Octets>& pieces_;
  const std::size_t first_index_;
  const ByteOrder order_;
  std::size_t piece_ = 0, at_ = 0;
  bool failed_ = false, bad_string_ = false;
};

}  // namespace takt::cdr::test
