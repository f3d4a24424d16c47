// Graphs of values that only a hostile peer sends: very long or cyclic.
#include <algorithm>

#include <gtest/gtest.h>

#include "../../conformance/reactor/allocations.h"
#include "hostile_octets.h"
#include "values.h"

namespace takt::cdr::test {
namespace {

constexpr std::uint32_t no_id = 0x7fffff00, null_value = 0;
constexpr std::size_t small_stack_bytes = 256 << 10;

// A sequence of Nodes, each with an indirection to the previous one.
Octets chain_of_nodes(std::uint32_t count) {
  Words words;
  words.put(count);
  std::size_t before = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t here = words.position();
    words.put(no_id).put(i).put(0);
    before == 0 ? words.put(null_value) : words.put_indirection(before);
    words.put(0);
    before = here;
  }
  return words.octets();
}

// A sequence of Holders, each with an Any that has an indirection to the previous one.
Octets chain_of_anys(std::uint32_t count) {
  const Octets type = encoded(holder_type());
  Words words;
  words.put(count);
  std::size_t before = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t here = words.position();
    words.put(no_id);
    before == 0 ? words.put(0) : words.append(type).put_indirection(before);
    words.put(null_value);
    before = here;
  }
  return words.octets();
}

TEST(ValueGraph, long_chain_is_taken_apart_on_a_small_stack) {
  const Octets wire = chain_of_nodes(200'000);
  run_on_stack(small_stack_bytes, [&] {
    NodeRef kept;
    {
      auto back = decoded<std::vector<NodeRef>>(wire);
      ASSERT_TRUE(back.whole) << to_text(back.error);
      kept = back.value.back();
    }
    EXPECT_EQ(kept->number, 199'999);
    const std::weak_ptr<Node> next = kept->next.shared();
    kept = nullptr;
    EXPECT_TRUE(next.expired());
  });
}

TEST(ValueGraph, long_chain_through_anys_is_taken_apart_on_a_small_stack) {
  const Octets wire = chain_of_anys(50'000);
  run_on_stack(small_stack_bytes, [&] {
    HolderRef kept;
    {
      auto back = decoded<std::vector<HolderRef>>(wire);
      ASSERT_TRUE(back.whole) << to_text(back.error);
      kept = back.value.back();
    }
    const std::weak_ptr<const CORBA::ValueBase> before = kept->held._content().values.at(0);
    kept.reset();
    EXPECT_TRUE(before.expired());
  });
}

TEST(ValueGraph, long_chain_of_unknown_values_is_taken_apart_on_a_small_stack) {
  const Octets type = encoded(make_typecode({.kind = CORBA::TCKind::tk_sequence, .content = holder_type()}));
  Words words;
  words.append(type).append(chain_of_anys(0));
  // Positions of indirections refer to the whole message.
  const std::uint32_t count = 50'000;
  words.patch(words.position() - 4, count);
  std::size_t before = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t here = words.position();
    words.put(no_id).put(0);
    before == 0 ? words.put(null_value) : words.put_indirection(before);
    before = here;
  }
  run_on_stack(small_stack_bytes, [&] {
    auto back = decoded<CORBA::Any>(words.octets());
    ASSERT_TRUE(back.whole) << to_text(back.error);
    EXPECT_EQ(back.value._content().values.size(), count);
    const CORBA::Any last = std::move(back.value);
  });
}

TEST(ValueGraph, values_are_destroyed_when_the_last_reference_goes) {
  NodeRef list;
  std::weak_ptr<Node> first;
  for (int i = 0; i < 100'000; ++i) {
    auto next = CORBA::make_reference<Node>();
    next->next = std::move(list);
    list = std::move(next);
    if (i == 0) first = list.shared();
  }
  EXPECT_FALSE(first.expired());
  run_on_stack(small_stack_bytes, [&] { list = nullptr; });
  EXPECT_TRUE(first.expired());
}

TEST(ValueGraph, values_are_destroyed_although_there_is_no_memory_to_have_them_wait) {
  NodeRef list = CORBA::make_reference<Node>();
  std::vector<std::weak_ptr<Node>> all{list.shared()};
  for (int i = 0; i < 10; ++i) {
    const auto one = CORBA::make_reference<Node>();
    one->next = CORBA::make_reference<Node>();
    all.insert(all.end(), {one.shared(), one->next.shared()});
    list->more.push_back(one);
  }
  EXPECT_EQ(std::ranges::count_if(all, &std::weak_ptr<Node>::expired), 0);
  {
    const NoAllocations none;
    list = nullptr;
  }
  EXPECT_TRUE(std::ranges::all_of(all, &std::weak_ptr<Node>::expired));
}

TEST(ValueGraph, number_of_values_is_limited) {
  DecoderLimits limits;
  limits.values = 10;
  Format how = format();
  how.limits = &limits;
  EXPECT_TRUE(decoded<std::vector<NodeRef>>(chain_of_nodes(10), how).whole);
  EXPECT_EQ(decoded<std::vector<NodeRef>>(chain_of_nodes(11), how).error, Error::too_many_values);
  EXPECT_EQ(decoded<std::vector<NodeRef>>(chain_of_nodes(default_limits.values + 1)).error,
            Error::too_many_values);
}

TEST(ValueGraph, number_of_indirections_is_limited_for_all_of_a_message) {
  DecoderLimits limits;
  limits.indirections = 10;
  Format how = format();
  how.limits = &limits;
  EXPECT_TRUE(decoded<std::vector<NodeRef>>(chain_of_nodes(11), how).whole);
  EXPECT_EQ(decoded<std::vector<NodeRef>>(chain_of_nodes(12), how).error, Error::indirection);
}

// A Holder whose Any contains the Holder.
Octets circle_through_an_any() {
  Words words;
  words.put(no_id).append(encoded(holder_type())).put_indirection(0).put(null_value);
  return words.octets();
}

TEST(ValueGraph, circle_through_an_any_ends_with_the_message) {
  const Octets wire = circle_through_an_any();
  std::weak_ptr<Holder> left;
  {
    Decoder decoder(wire, 0, format());
    HolderRef read;
    ASSERT_TRUE(cdr::read(decoder, read)) << to_text(decoder.error());
    left = read.shared();
    EXPECT_EQ(read->held._content().values.at(0).get(), read.get());
  }
  EXPECT_TRUE(left.expired());
}

TEST(ValueGraph, circle_through_an_any_lasts_as_long_as_the_any_is_kept) {
  const Octets wire = circle_through_an_any();
  HolderRef kept_value;
  CORBA::Any kept_any;
  {
    Decoder decoder(wire, 0, format());
    ASSERT_TRUE(cdr::read(decoder, kept_value));
  }
  EXPECT_EQ(kept_value->held._content().values.size(), 1u);
  kept_value->held = {};
  {
    Decoder decoder(wire, 0, format());
    HolderRef read;
    ASSERT_TRUE(cdr::read(decoder, read));
    kept_any = read->held;
  }
  const auto inside = std::dynamic_pointer_cast<Holder>(kept_any._content().values.at(0));
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->held._content().values.size(), 1u);
  inside->held = {};
}

// Two Holders of unknown type in an Any: each holds the other, one by an Any and one as its next.
TEST(ValueGraph, circle_of_unknown_values_ends_with_the_message_also_when_they_were_taken_out) {
  Words words;
  words.append(encoded(holder_type()));
  const std::size_t first = words.position();
  words.put(no_id).append(encoded(holder_type()));
  words.put(no_id).put(0).put_indirection(first);
  words.put(null_value);
  std::weak_ptr<const CORBA::ValueBase> unknown;
  std::weak_ptr<Holder> made, made_next;
  {
    Decoder decoder(words.octets(), 0, format());
    CORBA::Any any;
    ASSERT_TRUE(cdr::read(decoder, any)) << to_text(decoder.error());
    unknown = any._content().values.at(0);
    HolderRef out;
    ASSERT_TRUE(any >>= out);
    ASSERT_TRUE(out);
    made = out.shared();
    HolderRef other;
    ASSERT_TRUE(out->held >>= other);
    ASSERT_TRUE(other && other->next);
    made_next = other->next.shared();
  }
  EXPECT_TRUE(unknown.expired());
  EXPECT_TRUE(made.expired());
  EXPECT_TRUE(made_next.expired());
}

}  // namespace
}  // namespace takt::cdr::test
