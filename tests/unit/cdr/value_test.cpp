#include <algorithm>

#include <gtest/gtest.h>

#include <takt/cdr/counted_elsewhere.h>
#include <takt/cdr/data_streams.h>

#include "cdr/values/collected_state.h"
#include "cdr/values/opaque_value.h"
#include "octets.h"
#include "values.h"

namespace takt::cdr::test {
namespace {

using CORBA::make_reference;
using AnyValue = CORBA::valuetype_reference<CORBA::ValueBase>;

NodeRef node(std::int32_t number, NodeRef next = {}) {
  auto made = make_reference<Node>();
  made->number = number;
  made->text = "n" + std::to_string(number);
  made->next = std::move(next);
  return made;
}

TEST(Value, null) {
  EXPECT_EQ(hex(encoded(NodeRef())), hex("00000000"));
  EXPECT_TRUE(decoded<NodeRef>(octets("00000000")).whole);
}

TEST(Value, header_and_state) {
  auto text = make_reference<Text>("hi");
  const char* wire = "7fffff02 0000000d 49444c3a 54657874 3a312e30 00000000 00000003 686900";
  EXPECT_EQ(hex(encoded(text)), hex(wire));
  const auto back = decoded<CORBA::valuetype_reference<Text>>(octets(wire));
  ASSERT_TRUE(back.whole);
  EXPECT_EQ(back.value->_value(), "hi");
}

TEST(Value, what_is_shared_stays_shared) {
  const auto shared = node(7);
  const std::vector<NodeRef> both{shared, shared, node(1, shared)};
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    const auto back = decoded<std::vector<NodeRef>>(encoded(both, format(order)), format(order));
    ASSERT_TRUE(back.whole) << to_text(back.error);
    EXPECT_EQ(back.value[0].get(), back.value[1].get());
    EXPECT_EQ(back.value[2]->next.get(), back.value[0].get());
    EXPECT_EQ(back.value[2]->text, "n1");
  }
}

TEST(Value, cycles_are_cycles) {
  const auto first = node(1, node(2));
  first->next->next = first;
  first->more = {first, nullptr, first->next};
  const auto back = decoded<NodeRef>(encoded(first));
  ASSERT_TRUE(back.whole) << to_text(back.error);
  EXPECT_EQ(back.value->next->next.get(), back.value.get());
  EXPECT_EQ(back.value->more[2].get(), back.value->next.get());
  dissolve(first);
  dissolve(back.value);
}

TEST(Value, cycles_that_nobody_keeps_end_with_the_message) {
  const auto first = node(1, node(2));
  first->next->next = first;
  first->more = {node(3, first), first};
  const auto wire = encoded(first);
  dissolve(first);
  std::weak_ptr<Node> left, kept_inner;
  NodeRef kept;
  {
    Decoder decoder(wire, 0, format());
    NodeRef read;
    ASSERT_TRUE(cdr::read(decoder, read));
    left = read.shared();
  }
  EXPECT_TRUE(left.expired());
  {
    Decoder decoder(wire, 0, format());
    NodeRef read;
    ASSERT_TRUE(cdr::read(decoder, read));
    kept = read->more[0];  // all others can be reached from it
    kept_inner = read->next.shared();
  }
  EXPECT_FALSE(kept_inner.expired());
  EXPECT_EQ(kept->next->next->number, 2);
  EXPECT_EQ(kept->next->next->next.get(), kept->next.get());
  dissolve(kept->next);
  {
    Decoder decoder({wire.data(), wire.size() - 4}, 0, format());  // fails after the first cycle
    NodeRef read;
    EXPECT_FALSE(cdr::read(decoder, read));
    left = read.shared();
  }
  EXPECT_TRUE(left.expired());
}

// A value of another mapping, which counts references itself, and what stands for it while a message has it.
class StandIn;
struct Elsewhere {
  std::shared_ptr<Elsewhere> next;
  std::weak_ptr<StandIn> host;
};
class StandIn final : public CORBA::ValueBase, public CountedElsewhere {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Elsewhere:1.0"};
  static constexpr ValueDescription _value_description{_value_ids};
  static std::shared_ptr<StandIn> of(const std::shared_ptr<Elsewhere>& value) {
    auto host = value->host.lock();
    if (!host) {
      host = std::make_shared<StandIn>();
      host->value = value;
      value->host = host;
    }
    return host;
  }
  static std::shared_ptr<Elsewhere> read(Decoder& from) {
    const auto make = []() -> std::shared_ptr<CORBA::ValueBase> { return of(std::make_shared<Elsewhere>()); };
    const auto read =
        std::dynamic_pointer_cast<StandIn>(read_value(from, FormalValue{.id = _value_ids[0], .make = make}));
    return read ? read->value : nullptr;
  }
  const ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(Encoder& to) const override { write_value(to, value->next ? of(value->next) : nullptr); }
  bool _read_state(Decoder& from) override {
    value->next = read(from);
    return from.ok();
  }
  long references() const override { return value.use_count() - 1; }
  std::shared_ptr<Elsewhere> value;
};

TEST(Value, those_that_another_mapping_counts_are_kept_and_freed_as_others_are) {
  const auto ring = std::make_shared<Elsewhere>(), before = std::make_shared<Elsewhere>();
  ring->next = ring;
  before->next = ring;
  const Octets wire = written(format(), [&](Encoder& encoder) { write_value(encoder, StandIn::of(before)); });
  ring->next = nullptr;
  std::shared_ptr<Elsewhere> kept;
  {
    Decoder decoder(wire, 0, format());
    kept = StandIn::read(decoder);
  }
  ASSERT_TRUE(kept && kept->next);
  EXPECT_EQ(kept->next->next, kept->next);
  kept->next->next = nullptr;
  std::weak_ptr<Elsewhere> left;
  {
    Decoder decoder(wire, 0, format());
    left = StandIn::read(decoder)->next;
  }
  EXPECT_TRUE(left.expired());
}

// A cycle of such values can therefore be broken.
TEST(Value, one_known_by_its_type_alone_keeps_nothing_of_a_state_that_it_had) {
  TypeCodeParts ring;
  ring.kind = CORBA::TCKind::tk_value;
  ring.id = "IDL:Ring:1.0";
  ring.members.push_back({.name = "next", .type = make_recursion("IDL:Ring:1.0")});
  OpaqueValue value(make_typecode(std::move(ring)));
  const auto read = [&](const char* state) {
    const auto wire = octets(state);
    Decoder decoder(wire, 0, format());
    return value._read_state(decoder);
  };
  ASSERT_TRUE(read("7fffff02 0000000d 49444c3a 52696e67 3a312e30 00000000 00000000"));
  const std::weak_ptr<CORBA::ValueBase> next =
      CollectedState(value, CollectedState::Anys::whole).values.at(0);
  EXPECT_FALSE(next.expired());
  ASSERT_TRUE(read("00000000"));
  EXPECT_TRUE(next.expired());
}

TEST(Value, nobody_to_make_it_is_no_factory) {
  const auto wire = encoded(node(1));
  EXPECT_EQ(decoded<AnyValue>(wire).error, Error::no_factory);
  Factories factories;
  factories.add<Node>();
  Format how = format();
  how.environment = &factories;
  const auto back = decoded<AnyValue>(wire, how);
  ASSERT_TRUE(back.whole);
  EXPECT_EQ(IDL::traits<Node>::narrow(back.value)->number, 1);
}

TEST(Value, another_type_is_not_taken) {
  Factories factories;
  factories.add<Node>();
  Format how = format();
  how.environment = &factories;
  EXPECT_EQ(decoded<BaseRef>(encoded(node(1)), how).error, Error::bad_value);
}

CORBA::valuetype_reference<Derived> derived() {
  auto made = make_reference<Derived>();
  made->a = 1;
  auto inner = make_reference<Derived>();
  inner->a = 2;
  inner->d = 2.5;
  made->inner = inner;
  made->d = 1.5;
  made->node = node(3, node(4));
  inner->node = made->node;
  return made;
}

TEST(Value, chunks) {
  // Two levels; the inner one ends in the middle of the outer one.
  EXPECT_EQ(hex(encoded(derived())).substr(0, 8), "7fffff0e");
  Factories factories;
  factories.add<Derived>();
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    Format how = format(order);
    how.environment = &factories;
    const auto wire = encoded(std::vector<BaseRef>{derived(), BaseRef(make_reference<Base>())}, how);
    const auto back = decoded<std::vector<BaseRef>>(wire, how);
    ASSERT_TRUE(back.whole) << to_text(back.error);
    const auto outer = IDL::traits<Derived>::narrow(back.value[0]);
    ASSERT_TRUE(outer);
    EXPECT_EQ(outer->a, 1);
    EXPECT_EQ(outer->d, 1.5);
    EXPECT_EQ(outer->inner->a, 2);
    EXPECT_EQ(outer->node->next->number, 4);
    EXPECT_EQ(IDL::traits<Derived>::narrow(outer->inner)->node.get(), outer->node.get());
  }
}

struct Two {
  BaseRef first;
  std::int32_t after = 0;
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) {
    return visit(self.first, self.after);
  }
};

TEST(Value, is_truncated_to_what_is_known) {
  const auto wire = encoded(Two{derived(), 42});
  const auto back = decoded<Two>(wire);
  ASSERT_TRUE(back.whole) << to_text(back.error);
  EXPECT_FALSE(IDL::traits<Derived>::narrow(back.value.first));
  EXPECT_EQ(back.value.first->a, 1);
  EXPECT_EQ(back.value.after, 42);
}

TEST(Value, one_tag_may_end_several_levels) {
  const std::string header = "7fffff0a 0000000d 49444c3a 4e6f6465 3a312e30 00000000 00000014";
  const std::string outer = header + "00000001 00000001 00000000 00000000 00000001";
  const std::string inner = header + "00000002 00000001 00000000 00000000 00000000";
  for (const char* ends : {"ffffffff", "fffffffe ffffffff"}) {
    const auto back = decoded<NodeRef>(octets(outer + inner + ends));
    ASSERT_TRUE(back.whole) << to_text(back.error);
    EXPECT_EQ(back.value->more.at(0)->number, 2);
  }
  EXPECT_FALSE(decoded<NodeRef>(octets(outer + inner + "fffffffe")).whole);
  EXPECT_FALSE(decoded<NodeRef>(octets(outer + inner + "fffffffd")).whole);
}

TEST(Value, chunks_end_anywhere_between_members) {
  const std::string id = "0000000d 49444c3a 4261 73653a312e3000 000000";
  // Base in one chunk; then the same followed by unknown data, in two chunks and a nested value.
  EXPECT_TRUE(decoded<BaseRef>(octets("7fffff0a" + id + "00000001 07 000000 ffffffff")).whole);
  EXPECT_TRUE(decoded<BaseRef>(octets("7fffff0a" + id + "00000003 07 0809 00 00000002 0102 0000" +
                                      "7fffff0a" + id + "00000001 07 000000 ffffffff"))
                  .whole);
  EXPECT_TRUE(decoded<BaseRef>(octets("7fffff0a" + id + "00000003 07 0809 00 00000002 0102 0000" +
                                      "7fffff0a" + id + "00000001 07 000000 fffffffe ffffffff"))
                  .whole);
  EXPECT_FALSE(decoded<BaseRef>(octets("7fffff0a" + id + "00000001 07 000000 fffffffe")).whole);
  EXPECT_FALSE(decoded<BaseRef>(octets("7fffff0a" + id + "ffffffff")).whole);
}

TEST(Value, tags_that_would_follow_each_other_are_one) {
  const auto outer = make_reference<Derived>();
  outer->node = node(7, node(8, nullptr));
  Factories factories;
  factories.add<Derived>();
  Format how = format(ByteOrder::big);
  how.environment = &factories;
  const auto wire = encoded(BaseRef(outer), how);
  EXPECT_EQ(hex(wire).find("fffffffeffffffff"), std::string::npos) << hex(wire);
  const auto back = decoded<BaseRef>(wire, how);
  ASSERT_TRUE(back.whole) << to_text(back.error);
  EXPECT_EQ(IDL::traits<Derived>::narrow(back.value)->node->next->number, 8);
}

// omniORB counts the padding before a header to the chunk.
TEST(Value, padding_before_a_header_may_be_in_the_chunk) {
  const auto outer = make_reference<Derived>();
  const auto inner = make_reference<Base>();
  outer->a = 1;
  inner->a = 2;
  outer->inner = inner;
  Factories factories;
  factories.add<Derived>();
  Format how = format(ByteOrder::big);
  how.environment = &factories;
  std::string wire = hex(encoded(BaseRef(outer), how));
  const std::string chunk = "0000000101000000";
  const auto at = wire.find(chunk);
  ASSERT_NE(at, std::string::npos) << wire;
  for (const char last_digit : {'1', '4'}) {
    wire[at + 7] = last_digit;
    const auto back = decoded<BaseRef>(octets(wire), how);
    ASSERT_TRUE(back.whole) << to_text(back.error);
    EXPECT_EQ(IDL::traits<Derived>::narrow(back.value)->inner->a, 2);
  }
  for (const char last_digit : {'2', '3', '5', '8'}) {
    wire[at + 7] = last_digit;
    EXPECT_FALSE(decoded<BaseRef>(octets(wire), how).whole) << last_digit;
  }
}

TEST(Value, indirections_to_anything_else_are_refused) {
  for (const char* wire : {"ffffffff fffffffc", "ffffffff 00000000", "ffffffff 80000000", "ffffffff fffffff8",
                           "7fffff02 ffffffff fffffff8", "7fffff06 ffffffff fffffff8", "7fffff06 00000000",
                           "7fffff04", "00000005", "80000000"})
    EXPECT_FALSE(decoded<NodeRef>(octets(wire)).whole) << wire;
}

TEST(Value, lists_of_values_end_somewhere) {
  NodeRef list;
  for (int i = 0; i < 400; ++i) list = node(i, list);
  EXPECT_TRUE(decoded<NodeRef>(encoded(list)).whole);
  for (int i = 0; i < 400; ++i) list = node(i, list);
  EXPECT_TRUE(encoded(list).empty());
}

// When a list of ids is written a second time, each id is an indirection to its first place.
TEST(Value, ids_of_a_list_are_indirections_one_by_one) {
  const auto base = [](std::uint8_t a) {
    auto made = make_reference<Derived>();
    made->a = a;
    return BaseRef(made);
  };
  const std::string ids =
      "00000002 00000010 49444c3a 44657269 7665643a 312e3000 0000000d 49444c3a 42617365 3a312e30 00000000";
  const std::string wire =
      "00000002 7fffff0e" + ids + "00000014 01000000 00000000 00000000 00000000 00000000 ffffffff" +
      "7fffff0e 00000002 ffffffff ffffffb0 ffffffff ffffffbc" +
      "00000018 02000000 00000000 00000000 00000000 00000000 00000000 ffffffff";  // 4 before the double
  const std::vector<BaseRef> both{base(1), base(2)};
  EXPECT_EQ(hex(encoded(both)), hex(wire));
  Factories factories;
  factories.add<Derived>();
  Format how = format();
  how.environment = &factories;
  const auto back = decoded<std::vector<BaseRef>>(octets(wire), how);
  ASSERT_TRUE(back.whole) << to_text(back.error);
  EXPECT_TRUE(IDL::traits<Derived>::narrow(back.value[1]));
  EXPECT_EQ(back.value[1]->a, 2);
}

// An array is not divided either: 15.3.4.2.
TEST(Value, a_long_array_is_in_one_chunk) {
  const auto made = make_reference<Long>();
  made->a = 5;
  made->octets.assign(100000, 0xee);
  made->after = "last";
  const auto wire = encoded(made);
  const auto header = octets(
      "7fffff0e 00000002 0000000d 49444c3a 4c6f6e67 3a312e30 00000000 0000000d 49444c3a"
      "42617365 3a312e30 00000000 000186b1 05000000 000186a0 ee");
  const auto end = octets("ee 00000005 6c617374 00 000000 ffffffff");
  ASSERT_EQ(wire.size(), header.size() + 99998 + end.size());
  EXPECT_TRUE(std::equal(header.begin(), header.end(), wire.begin()));
  EXPECT_TRUE(std::equal(end.rbegin(), end.rend(), wire.rbegin()));
}

// custom valuetype Drawn {};
class Drawn : public virtual CORBA::ValueBase, public virtual CORBA::CustomMarshal {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Drawn:1.0"};
  static constexpr ValueDescription _value_description{_value_ids, true};

  const ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(Encoder& to) const override {
    CORBA::DataOutputStream stream(to);
    marshal(stream);
  }
  bool _read_state(Decoder& from) override { return from.ok(); }
  void marshal(CORBA::DataOutputStream& to) const override {
    std::vector<std::uint8_t> drawn(20'000, 0xee);
    to.write_octet_array(drawn);
    to.write(drawn);
    std::fill(drawn.begin(), drawn.end(), 0xdd);  // which a borrowed run would show
  }
  void unmarshal(CORBA::DataInputStream&) override {}
};

TEST(Value, that_marshals_itself_may_write_what_it_destroys_afterwards) {
  for (const ValueForm form : {ValueForm::standard, ValueForm::tao}) {
    Format how = format();
    how.values = form;
    GatherBuffer buffer(16);
    Encoder encoder(buffer, how);
    cdr::write(encoder, make_reference<Drawn>());
    EXPECT_TRUE(encoder.ok() && buffer.contiguous());
    const Octets wire = all(buffer);
    EXPECT_EQ(std::count(wire.begin(), wire.end(), 0xee), 40'000);
    const std::vector<std::uint8_t> kept(20'000);
    cdr::write(encoder, kept);
    EXPECT_FALSE(buffer.contiguous()) << "what follows the value is borrowed as ever";
  }
}

TEST(Value, codebases_are_skipped) {
  const std::string url = "00000003 7831 0000", id = "0000000d 49444c3a 4261 73653a312e3000";
  EXPECT_TRUE(decoded<BaseRef>(octets("7fffff03" + url + id + "07")).whole);
}

}  // namespace
}  // namespace takt::cdr::test
