// Values of every kind with an encoding of its own: a value that was read can be written, is equal when read
// again, and is the same whether its octets were complete or arrived in pieces.
#include <array>
#include <map>
#include <optional>
#include <string>

#include <takt/cdr/mapping/bounded.h>
#include <takt/cdr/mapping/fixed.h>
#include <takt/cdr/mapping/optional.h>
#include <takt/cdr/mapping/union.h>
#include <takt/cdr/sequence_view.h>

#include "cdr_input.h"

namespace values {
enum class Colour : std::uint32_t { red, green, blue };
}
template <>
struct takt::cdr::EnumSize<values::Colour> {
  static constexpr std::uint32_t value = 3;
};

namespace values {

using namespace takt;

// The memory layout of this struct is its encoding.
struct Block {
  std::uint8_t octet;
  std::int16_t number;
  double real;
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) {
    return visit(self.octet, self.number, self.real);
  }
};
static_assert(cdr::is_block_struct<Block>);

class Choice : public cdr::Union<Choice, std::int32_t, std::string, std::vector<double>, bool> {
 public:
  static constexpr cdr::UnionLabels<std::int32_t, 3> _labels{{{1, 0}, {2, 1}, {-7, 1}}};
  static constexpr std::size_t _default_arm = 2;
  Choice() : Union(1) {}
};

// A type that contains itself, through a sequence.
struct Tree {
  std::string name;
  std::vector<Tree> branches;
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) {
    return visit(self.name, self.branches);
  }
};

struct Mixed {
  char character = 0;
  Colour colour{};
  std::int64_t number = 0;
  std::array<std::array<std::int16_t, 3>, 2> grid{};
  Choice choice;
  std::optional<std::string> text;
  float real = 0;
  std::map<std::int32_t, std::string> names;
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) {
    return visit(self.character, self.colour, self.number, self.grid, self.choice, self.text, self.real,
                 self.names);
  }
};

}  // namespace values

namespace {

using namespace takt;
using namespace values;
using fuzz::Octets;

// A view must show the same as a copy.
template <class T>
void check_view(const T&, bool, cdr::Decoder&) {}
template <class T>
  requires cdr::is_block_primitive<T>
void check_view(const std::vector<T>& value, bool readable, cdr::Decoder& decoder) {
  cdr::SequenceView<T> view;
  fuzz::require(cdr::read(decoder, view) == readable);
  const std::span<const T> elements = view;
  fuzz::require(!readable || elements.size() == value.size());
  if (readable && !value.empty())
    fuzz::require(std::memcmp(elements.data(), value.data(), elements.size_bytes()) == 0);
}

template <class T>
void check(ByteView octets, std::size_t present, const cdr::Format& format) {
  cdr::Decoder whole(octets, 0, format);
  T value{};
  const bool read = cdr::read(whole, value);
  fuzz::require(read == whole.ok());

  const ByteView first = octets.first(std::min(present, octets.size()));
  fuzz::Arriving rest(octets.subspan(first.size()));
  cdr::Decoder in(first, 0, format);
  in.set_source(&rest, octets.size() - first.size());
  cdr::Decoder viewed(octets, 0, format);
  check_view(value, read, viewed);
  fuzz::Arriving viewed_rest(octets.subspan(first.size()));
  cdr::Decoder viewed_arriving(first, 0, format);
  viewed_arriving.set_source(&viewed_rest, octets.size() - first.size());
  check_view(value, read, viewed_arriving);
  T again{};
  fuzz::require(cdr::read(in, again) == read && in.error() == whole.error());
  if (!read) return;
  fuzz::require(in.remaining() == whole.remaining() && in.position() == whole.position());

  const Octets said = fuzz::encoded(value, format);
  fuzz::require(said == fuzz::encoded(again, format));
  cdr::Decoder back(said, 0, format);
  T third{};
  fuzz::require(cdr::read(back, third) && back.remaining() == 0);
  fuzz::require(said == fuzz::encoded(third, format));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const cdr::Format format = fuzz::format_of(data[0]);
  const std::size_t present = data[2];
  const ByteView octets(data + 3, size - 3);
  using Check = void (*)(ByteView, std::size_t, const cdr::Format&);
  static constexpr Check checks[] = {&check<Mixed>,
                                     &check<Tree>,
                                     &check<std::vector<Mixed>>,
                                     &check<std::vector<Block>>,
                                     &check<std::vector<Choice>>,
                                     &check<std::vector<std::string>>,
                                     &check<std::vector<std::wstring>>,
                                     &check<std::vector<std::uint8_t>>,
                                     &check<std::vector<double>>,
                                     &check<std::vector<bool>>,
                                     &check<std::vector<char>>,
                                     &check<std::vector<wchar_t>>,
                                     &check<std::vector<long double>>,
                                     &check<std::vector<Colour>>,
                                     &check<std::vector<IDL::Fixed<9, 2>>>,
                                     &check<std::vector<IDL::bounded_string<5>>>,
                                     &check<IDL::bounded_vector<std::int16_t, 9>>,
                                     &check<std::map<std::string, std::vector<Block>>>,
                                     &check<std::array<Block, 3>>};
  checks[data[1] % std::size(checks)](octets, present, format);
  return 0;
}
