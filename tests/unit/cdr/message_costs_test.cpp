// Limits on the cost of a message: memory in proportion to its octets, and decoding steps.
#include <gtest/gtest.h>

#include <takt/cdr/any.h>
#include <takt/cdr/mapping/union.h>

#include "hostile_octets.h"
#include "values.h"

namespace takt::cdr::test {

struct Empty {
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields(Self&, Visitor&& visit) {
    return visit();
  }
};
// struct Tree { sequence<Tree> children; };
struct Tree {
  std::vector<Tree> children;
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) {
    return visit(self.children);
  }
};

namespace {

// A body whose rest never arrives.
class NeverArriving final : public Decoder::Source {
 public:
  bool read_exact(MutableBytes into) override {
    asked_for = std::max(asked_for, into.size());
    return false;
  }
  std::size_t asked_for = 0;
};

constexpr std::size_t announced = 64 << 20;

template <class T>
T read_what_was_announced(const Octets& here, NeverArriving& source) {
  Decoder decoder(here, 0, format());
  decoder.set_source(&source, announced);
  T value;
  EXPECT_FALSE(cdr::read(decoder, value));
  return value;
}

TEST(MessageCosts, announced_elements_take_no_memory) {
  const Octets here = Words().put(announced / 4).put(1).put(0).put(1).put(0).octets();
  NeverArriving source;
  EXPECT_LE(read_what_was_announced<std::vector<std::string>>(here, source).capacity() * sizeof(std::string),
            128u << 10);
  EXPECT_LE(read_what_was_announced<std::vector<std::vector<Empty>>>(here, source).capacity() *
                sizeof(std::vector<Empty>),
            128u << 10);
  EXPECT_LE(read_what_was_announced<std::vector<std::uint32_t>>(here, source).capacity() * 4, 2u << 20);
  EXPECT_LE(read_what_was_announced<std::vector<bool>>(here, source).capacity(), 1u << 20);
}

TEST(MessageCosts, announced_strings_take_no_memory) {
  const Octets here = Words().put(announced - 8).put(0x61626364).octets();
  NeverArriving source;
  read_what_was_announced<std::string>(here, source);
  EXPECT_LE(source.asked_for, 2u << 20);
}

// Nested counts that each claim the rest of the message.
TEST(MessageCosts, memory_of_nested_counts_is_a_multiple_of_the_octets) {
  Words words;
  const std::uint32_t depth = 400, size = 1 << 18;
  for (std::uint32_t i = 0; i < depth; ++i) words.put((size - 4 * i) / 4 - 1);
  words.append(Octets(size - words.position(), 0xff));
  Decoder decoder(words.octets(), 0, format());
  Tree tree;
  EXPECT_FALSE(cdr::read(decoder, tree));
  EXPECT_LE(decoder.costs().bytes(), std::size_t{16} * size);
  std::size_t held = 0;
  for (const Tree* at = &tree; !at->children.empty(); at = &at->children.front())
    held += at->children.capacity() * sizeof(Tree);
  EXPECT_LE(held, std::size_t{32} * size);
}

TEST(MessageCosts, elements_without_octets_take_steps) {
  Words words;
  const std::uint32_t size = 1 << 18, count = size / 4 - 1;
  words.put(count);
  for (std::uint32_t i = 0; i < count; ++i) words.put(4 * (count - i - 1));
  Decoder decoder(words.octets(), 0, format());
  std::vector<std::vector<Empty>> value;
  EXPECT_FALSE(cdr::read(decoder, value));
  EXPECT_EQ(decoder.error(), Error::too_much_work);
  std::size_t held = 0;
  for (const auto& one : value) held += one.capacity() * sizeof(Empty);
  EXPECT_LE(held, std::size_t{128} * size);
}

TEST(MessageCosts, long_sequences_are_whole_however_they_grow) {
  std::vector<std::string> texts;
  for (int i = 0; i < 20'000; ++i) texts.push_back("text " + std::to_string(i));
  EXPECT_EQ(decoded<std::vector<std::string>>(encoded(texts)).value, texts);
  std::vector<std::int64_t> numbers(700'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i);
  EXPECT_EQ(decoded<std::vector<std::int64_t>>(encoded(numbers)).value, numbers);
  std::vector<bool> bits(100'000);
  for (std::size_t i = 0; i < bits.size(); i += 3) bits[i] = true;
  EXPECT_EQ(decoded<std::vector<bool>>(encoded(bits)).value, bits);
}

// ---- the budget

Format paid_by(MemoryBudget& budget) {
  Format how = format();
  how.memory = &budget;
  return how;
}

TEST(MessageCosts, short_messages_take_nothing_of_the_budget) {
  MemoryBudget budget(0);
  EXPECT_TRUE(decoded<std::string>(encoded(std::string(60'000, 'a')), paid_by(budget)).whole);
}

template <class T>
void expect_paid_for(const T& value, std::size_t least_bytes) {
  const Octets wire = encoded(value);
  MemoryBudget enough(100 << 20), too_little(128 << 10);
  {
    Decoder decoder(wire, 0, paid_by(enough));
    T back;
    EXPECT_TRUE(cdr::read(decoder, back)) << to_text(decoder.error());
    EXPECT_GE(enough.taken_bytes(), least_bytes);
    EXPECT_EQ(enough.taken_bytes() % MessageCosts::step_bytes, 0u);
  }
  EXPECT_EQ(enough.taken_bytes(), 0u);
  {
    Decoder decoder(wire, 0, paid_by(too_little));
    T back;
    EXPECT_FALSE(cdr::read(decoder, back));
    EXPECT_EQ(decoder.error(), Error::no_memory);
    EXPECT_STREQ(exception_for(decoder.error()).repository_id, "IDL:omg.org/CORBA/NO_MEMORY:1.0");
  }
  EXPECT_EQ(too_little.taken_bytes(), 0u);
}

TEST(MessageCosts, budget_pays_for_all_that_is_decoded) {
  expect_paid_for(std::string(500'000, 'a'), 400'000);
  expect_paid_for(std::wstring(200'000, L'a'), 700'000);
  expect_paid_for(std::vector<std::uint8_t>(500'000), 400'000);
  expect_paid_for(std::vector<std::string>(20'000), 500'000);
  expect_paid_for(std::vector<bool>(2'000'000), 150'000);
  std::map<std::int32_t, std::int32_t> numbers;
  for (std::int32_t i = 0; i < 10'000; ++i) numbers[i] = i;
  expect_paid_for(numbers, 500'000);
  CORBA::Any any;
  any <<= std::string(500'000, 'a');
  expect_paid_for(any, 400'000);
  std::vector<NodeRef> values(2'000);
  for (NodeRef& one : values) one = CORBA::make_reference<Node>();
  expect_paid_for(values, 500'000);
  TypeCodeParts parts;
  parts.kind = CORBA::TCKind::tk_enum;
  for (int i = 0; i < 5'000; ++i) parts.members.push_back({.name = "e" + std::to_string(i)});
  expect_paid_for(make_typecode(parts), 350'000);
}

// ---- steps

std::size_t most_steps(std::size_t octets) {
  return default_limits.free_steps + default_limits.steps_per_octet * octets;
}

// Fails with too_much_work when all steps are used, or succeeds; never takes more steps.
template <class T>
void expect_bounded_work(const Octets& wire, bool whole) {
  Decoder decoder(wire, 0, format());
  T value;
  EXPECT_EQ(cdr::read(decoder, value), whole) << to_text(decoder.error());
  if (!whole) {
    EXPECT_EQ(decoder.error(), Error::too_much_work);
  }
  EXPECT_LE(decoder.costs().steps(), most_steps(wire.size()) + 1024);
}

CORBA::typecode_reference struct_of(const char* id, std::vector<CORBA::typecode_reference> types) {
  TypeCodeParts parts;
  parts.kind = CORBA::TCKind::tk_struct;
  parts.id = id;
  for (auto& type : types) parts.members.push_back({.name = "m", .type = std::move(type)});
  return make_typecode(std::move(parts));
}
CORBA::typecode_reference sequence_of(CORBA::typecode_reference type) {
  return make_typecode({.kind = CORBA::TCKind::tk_sequence, .content = std::move(type)});
}

// A sequence of sequences of empty structs, each with the maximum number of elements.
Octets any_of_nothings(std::uint32_t size) {
  Words words;
  words.append(encoded(sequence_of(sequence_of(struct_of("IDL:Nothing:1.0", {})))));
  const std::uint32_t count = size / 4;
  words.put(count);
  for (std::uint32_t i = 0; i < count; ++i) words.put(4 * (count - i - 1));
  return words.octets();
}

TEST(MessageCosts, anys_share_the_steps_of_their_message) {
  expect_bounded_work<CORBA::Any>(any_of_nothings(8 << 10), false);
  expect_bounded_work<CORBA::Any>(any_of_nothings(64 << 10), false);
  // Each with a few elements without octets.
  Words words;
  const Octets type = encoded(sequence_of(struct_of("IDL:Nothing:1.0", {})));
  const std::uint32_t count = 1000;
  words.put(count);
  for (std::uint32_t i = 0; i < count; ++i) words.append(type).put(std::min(30'000u, (count - i - 1) * 40));
  expect_bounded_work<std::vector<CORBA::Any>>(words.octets(), false);
}

TEST(MessageCosts, octets_that_are_only_announced_allow_no_steps) {
  Words words;
  words.append(encoded(sequence_of(struct_of("IDL:Nothing:1.0", {})))).put(announced);
  NeverArriving source;
  Decoder decoder(words.octets(), 0, format());
  decoder.set_source(&source, announced);
  CORBA::Any any;
  EXPECT_FALSE(cdr::read(decoder, any));
  EXPECT_EQ(decoder.error(), Error::too_much_work);
  EXPECT_LE(decoder.costs().steps(), most_steps(words.position() + 4096));
}

TEST(MessageCosts, a_type_of_exponential_size_without_octets_is_refused) {
  auto type = struct_of("IDL:S0:1.0", {});
  for (int i = 1; i < 20; ++i) type = struct_of(("IDL:S" + std::to_string(i) + ":1.0").c_str(), {type, type});
  expect_bounded_work<CORBA::Any>(encoded(type), false);
}

TEST(MessageCosts, what_honest_messages_take_is_allowed) {
  std::vector<CORBA::Any> anys(2000);
  for (std::size_t i = 0; i < anys.size(); ++i) anys[i] <<= static_cast<std::uint8_t>(i);
  expect_bounded_work<std::vector<CORBA::Any>>(encoded(anys), true);
  for (CORBA::Any& any : anys)
    any = CORBA::Any(struct_of("IDL:Nothing:1.0", {}), std::make_shared<AnyContent>());
  expect_bounded_work<std::vector<CORBA::Any>>(encoded(anys), true);
  std::vector<CORBA::typecode_reference> types(3000, struct_of("IDL:Nothing:1.0", {}));
  expect_bounded_work<std::vector<CORBA::typecode_reference>>(encoded(types), true);
  Words bytes;
  bytes.append(encoded(sequence_of(struct_of("IDL:B:1.0", {basic_typecode(CORBA::TCKind::tk_octet)}))));
  bytes.put(100'000).append(Octets(100'000));
  expect_bounded_work<CORBA::Any>(bytes.octets(), true);
}

TEST(MessageCosts, a_list_of_ids_that_is_referred_to_again_costs_steps) {
  Words words;
  const std::uint32_t ids = 4000, values = 4000;
  words.put(values);
  words.put(0x7fffff0e);
  const std::size_t list = words.position();
  words.put(ids);
  words.put_text("IDL:x:1.0");
  const std::size_t id = words.position() - 16;
  for (std::uint32_t i = 2; i < ids; ++i) words.put_indirection(id);
  words.put_text("IDL:Node:1.0");
  const auto state = [&] { words.put(16).put(0).put(0).put(0).put(0).put(0xffffffff); };
  state();
  for (std::uint32_t i = 1; i < values; ++i) {
    words.put(0x7fffff0e).put_indirection(list);
    state();
  }
  expect_bounded_work<std::vector<NodeRef>>(words.octets(), false);
}

// A union with as many labels as the sequence has elements.
TEST(MessageCosts, labels_of_a_union_are_found_by_a_table) {
  TypeCodeParts parts;
  parts.kind = CORBA::TCKind::tk_union;
  parts.id = "IDL:U:1.0";
  parts.discriminator = basic_typecode(CORBA::TCKind::tk_long);
  const std::int32_t labels = 1000;
  for (std::int32_t i = 0; i < labels; ++i)
    parts.members.push_back(
        {.name = "m", .type = basic_typecode(CORBA::TCKind::tk_octet), .label = 7 * i - 3000});
  parts.default_index = 500;
  const auto type = make_typecode(parts);
  for (std::int32_t i = 0; i < labels; ++i) {
    const auto* const found = type->_member_with_label(7 * i - 3000);
    ASSERT_TRUE(found);
    EXPECT_EQ(found - type->_parts().members.data(), i);
  }
  EXPECT_EQ(type->_member_with_label(1), &type->_parts().members[500]);
  EXPECT_EQ(type->_member_with_label(1 << 30), &type->_parts().members[500]);
}

// A type that a TypeCode repeats by indirection is written out again, up to a size limit.
TEST(MessageCosts, a_typecode_grows_little_on_its_way_through_an_any) {
  auto type = struct_of(std::string(20'000, 'x').c_str(), {});
  for (int i = 0; i < 4; ++i)
    type = struct_of(("IDL:S" + std::to_string(i) + ":1.0").c_str(), {type, type, type, type});
  EXPECT_LT(encoded(type).size(), std::size_t{200} << 10);
}

TEST(MessageCosts, types_in_deep_recursion_are_compared_on_a_small_stack) {
  std::vector<CORBA::typecode_reference> types;
  for (const std::string name : {"a", "b"}) {
    auto type = basic_typecode(CORBA::TCKind::tk_long);
    for (int i = 0; i < 990; ++i) type = sequence_of(type);
    types.push_back(type);
  }
  run_on_stack(64 << 10, [&] { EXPECT_TRUE(types[0]->equal(types[1])); });
}

// ---- the stack

ThreadStack this_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* lowest = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  return {reinterpret_cast<std::uintptr_t>(lowest), bytes};
}

Octets nested_trees(std::uint32_t depth) {
  Words words;
  for (std::uint32_t i = 1; i < depth; ++i) words.put(1);
  return words.put(0).octets();
}
Octets nested_nodes(std::uint32_t depth) {
  Words words;
  for (std::uint32_t i = 0; i < depth; ++i) words.put(0x7fffff00).put(i).put(0);
  words.put(0);
  for (std::uint32_t i = 0; i < depth; ++i) words.put(0);
  return words.octets();
}
Octets nested_anys(std::uint32_t depth) {
  Words words;
  for (std::uint32_t i = 1; i < depth; ++i) words.put(11);  // tk_any
  return words.put(0).octets();
}

template <class T>
void expect_nesting_fits(const Octets& wire) {
  for (const std::size_t stack_bytes : {std::size_t{64} << 10, std::size_t{256} << 10, std::size_t{8} << 20})
    run_on_stack(stack_bytes, [&] {
      const auto back = decoded<T>(wire);
      EXPECT_TRUE(back.whole || back.error == Error::nesting) << to_text(back.error);
      if (stack_bytes > 1 << 20) {
        EXPECT_TRUE(back.whole);
      }
    });
}

TEST(MessageCosts, nesting_fits_the_stack_of_the_thread) {
  set_stack_finder(this_stack);
  expect_nesting_fits<Tree>(nested_trees(490));
  expect_nesting_fits<NodeRef>(nested_nodes(490));
  expect_nesting_fits<CORBA::Any>(nested_anys(490));
  set_stack_finder(nullptr);
}

TEST(MessageCosts, nesting_of_foreign_stacks_is_limited_by_number_only) {
  set_stack_finder([]() -> ThreadStack { return {1 << 20, 1 << 20}; });
  run_on_stack(8 << 20, [] {
    EXPECT_TRUE(decoded<Tree>(nested_trees(400)).whole);
    EXPECT_EQ(decoded<Tree>(nested_trees(600)).error, Error::nesting);
  });
  set_stack_finder(nullptr);
}

}  // namespace
}  // namespace takt::cdr::test
