// Sequences that are read without copying.
#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <takt/cdr/sequence_view.h>

#include "drawn.h"
#include "octets.h"
#include "rest_of.h"

namespace takt::cdr::test {
namespace {

constexpr ByteOrder other_order = native_order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;

// A message in aligned memory.
class InMemory {
 public:
  explicit InMemory(const Octets& octets, std::size_t shift = 0) : size_(octets.size()), shift_(shift) {
    blocks_.resize((octets.size() + shift) / sizeof(double) + 1);
    std::memcpy(begin(), octets.data(), size_);
  }
  ByteView view() const { return {begin(), size_}; }
  template <class T>
  bool holds(std::span<const T> elements) const {
    const auto* octet = reinterpret_cast<const std::uint8_t*>(elements.data());
    return octet >= begin() && octet < begin() + size_;
  }

 private:
  std::uint8_t* begin() const {
    return reinterpret_cast<std::uint8_t*>(const_cast<double*>(blocks_.data())) + shift_;
  }
  std::vector<double> blocks_;
  std::size_t size_, shift_;
};

template <class T>
bool equal(std::span<const T> view, const std::vector<T>& elements) {
  return std::ranges::equal(view, elements);
}

template <class T>
class Views : public testing::Test {};
using Elements =
    testing::Types<std::uint8_t, std::int8_t, std::int16_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Views, Elements);

TYPED_TEST(Views, of_our_byte_order_are_of_the_message) {
  const std::vector<TypeParam> elements{1, 2, 3, 100};
  const InMemory message(encoded(elements, format(native_order)));
  Decoder decoder(message.view(), 0, format(native_order));
  SequenceView<TypeParam> view;
  ASSERT_TRUE(read(decoder, view));
  EXPECT_TRUE(equal<TypeParam>(view, elements));
  EXPECT_TRUE(message.holds<TypeParam>(view));
  EXPECT_EQ(view.copy(), nullptr);
  EXPECT_EQ(decoder.remaining(), 0u);
}

TYPED_TEST(Views, of_the_other_byte_order_are_of_a_copy_unless_they_are_octets) {
  const std::vector<TypeParam> elements{1, 2, 3, 100};
  const InMemory message(encoded(elements, format(other_order)));
  Decoder decoder(message.view(), 0, format(other_order));
  SequenceView<TypeParam> view;
  ASSERT_TRUE(read(decoder, view));
  EXPECT_TRUE(equal<TypeParam>(view, elements));
  EXPECT_EQ(message.holds<TypeParam>(view), sizeof(TypeParam) == 1);
  EXPECT_EQ(view.copy() != nullptr, sizeof(TypeParam) > 1);
}

TYPED_TEST(Views, of_a_message_that_lies_askew_are_of_a_copy_unless_they_are_octets) {
  const std::vector<TypeParam> elements{1, 2, 3, 100};
  const InMemory message(encoded(elements, format(native_order)), 1);
  Decoder decoder(message.view(), 0, format(native_order));
  SequenceView<TypeParam> view;
  ASSERT_TRUE(read(decoder, view));
  EXPECT_TRUE(equal<TypeParam>(view, elements));
  EXPECT_EQ(message.holds<TypeParam>(view), sizeof(TypeParam) == 1);
}

TYPED_TEST(Views, are_written_as_sequences_are) {
  const std::vector<TypeParam> elements{5, 6, 7};
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    const auto as_view = [&](const std::vector<TypeParam>& these) {
      return written(format(order), [&](Encoder& out) { Codec<SequenceView<TypeParam>>::write(out, these); });
    };
    EXPECT_EQ(as_view(elements), encoded(elements, format(order)));
    EXPECT_EQ(as_view({}), encoded(std::vector<TypeParam>(), format(order)));
  }
}

TYPED_TEST(Views, that_are_cut_short_are_none) {
  const InMemory message(encoded(std::vector<TypeParam>{1, 2, 3}, format(native_order)));
  for (std::size_t length = 0; length < message.view().size(); ++length) {
    Decoder decoder(message.view().first(length), 0, format(native_order));
    SequenceView<TypeParam> view;
    EXPECT_FALSE(read(decoder, view)) << length;
    EXPECT_EQ(std::span<const TypeParam>(view).size(), 0u);
  }
}

TEST(View, holds_its_bound_both_ways) {
  const std::vector<std::int16_t> four{1, 2, 3, 4};
  using Three = SequenceView<std::int16_t, 3>;
  EXPECT_TRUE(written(format(), [&](Encoder& out) { Codec<Three>::write(out, four); }).empty());
  const Octets message = encoded(four);
  Decoder decoder(message, 0, format());
  Three view;
  EXPECT_FALSE(read(decoder, view));
  EXPECT_EQ(decoder.error(), Error::too_long);
}

TEST(View, that_is_empty_shows_nothing_of_an_earlier_one) {
  SequenceView<std::int32_t> view;
  for (const std::vector<std::int32_t>& elements : {std::vector{1, 2}, std::vector<std::int32_t>()}) {
    const Octets message = encoded(elements, format(other_order));
    Decoder decoder(message, 0, format(other_order));
    ASSERT_TRUE(read(decoder, view));
    EXPECT_TRUE(equal<std::int32_t>(view, elements));
  }
}

// The octets of a sequence are in other memory than the parts of the message before and after them.
class Beside final : public Decoder::Source, public OctetLender {
 public:
  explicit Beside(Octets octets, Octets rest) : octets_(std::move(octets)), rest_(std::move(rest)) {}
  bool read_exact(MutableBytes into) override {
    Octets& from = octets_.empty() ? rest_ : octets_;
    if (into.size() > from.size()) return false;
    std::copy_n(from.begin(), into.size(), into.begin());
    from.erase(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(into.size()));
    return true;
  }
  HeldOctets read_in_place(std::size_t count) override {
    if (count != octets_.size()) return {};
    lent_ = std::exchange(octets_, {});
    return {lent_, std::shared_ptr<Beside>(std::shared_ptr<void>(), this), 5};
  }
  void give_back(const std::uint8_t*, std::uint32_t loan) noexcept override { given_back += loan == 5; }

  int given_back = 0;

 private:
  Octets octets_, rest_, lent_;
};

TEST(View, of_octets_beside_the_message_is_of_them_until_it_lets_go) {
  const Octets elements(1000, 7);
  const Octets head = written(format(), [&](Encoder& out) {
    out.put_string("text");
    out.put_count(elements.size());
  });
  Octets rest(8, 0);  // begin at 8 + 8 + 1000
  rest[0] = rest[1] = rest[2] = rest[3] = 9;
  Beside beside(elements, rest);
  Decoder decoder(head, 0, format());
  decoder.set_source(&beside, elements.size() + rest.size());
  std::string text;
  SequenceView<std::uint8_t> view;
  ASSERT_TRUE(cdr::read(decoder, text) && cdr::read(decoder, view));
  EXPECT_TRUE(equal<std::uint8_t>(view, elements));
  EXPECT_FALSE(view.held().empty());
  EXPECT_EQ(view.copy(), nullptr);
  EXPECT_EQ(decoder.position(), head.size() + elements.size());
  EXPECT_EQ(decoder.get_u32(), 0x09090909u);
  EXPECT_EQ(beside.given_back, 0);
  HeldOctets held = std::move(view.held());
  view.let_go();
  EXPECT_EQ(beside.given_back, 0);
  held.release();
  EXPECT_EQ(beside.given_back, 1);
}

RC_GTEST_PROP(View, shows_the_same_wherever_the_body_is_cut, ()) {
  const auto first = drawn_numbers<std::uint8_t>();
  const auto text = drawn_text();
  const auto second = drawn_numbers<std::int32_t>();
  const auto third = drawn_numbers<std::int64_t>();
  const auto order = drawn_order();
  const InMemory whole(written(format(order), [&](Encoder& out) {
    cdr::write(out, first);
    cdr::write(out, text);
    cdr::write(out, second);
    cdr::write(out, third);
  }));
  const auto cut = drawn_up_to(whole.view().size());
  RestOf rest(whole.view().subspan(cut));
  Decoder decoder(whole.view().first(cut), 0, format(order));
  decoder.set_source(&rest, whole.view().size() - cut);
  SequenceView<std::uint8_t> first_view;
  SequenceView<std::int32_t> second_view;
  SequenceView<std::int64_t> third_view;
  std::string text_back;
  RC_ASSERT(cdr::read(decoder, first_view) && cdr::read(decoder, text_back));
  RC_ASSERT(cdr::read(decoder, second_view) && cdr::read(decoder, third_view));
  // Checked last: later reads must not invalidate earlier views.
  RC_ASSERT(equal<std::uint8_t>(first_view, first));
  RC_ASSERT(text_back == text);
  RC_ASSERT(equal<std::int32_t>(second_view, second));
  RC_ASSERT(equal<std::int64_t>(third_view, third));
}

}  // namespace
}  // namespace takt::cdr::test
