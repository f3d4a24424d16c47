// Valuetypes in chunks as TAO sends them. tests/wire has messages of a TAO.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "body_forms.h"
#include "drawn.h"

namespace takt::cdr::test {
namespace {

using CORBA::make_reference;
using LongRef = CORBA::valuetype_reference<Long>;
using DerivedRef = CORBA::valuetype_reference<Derived>;

// valuetype Third : truncatable Long { public Base kept; public Text label; public long long more; };
class Third : public virtual Long {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Third:1.0", "IDL:Long:1.0", "IDL:Base:1.0"};
  static constexpr ValueDescription _value_description{_value_ids};

  BaseRef kept;
  CORBA::valuetype_reference<Text> label;
  std::int64_t more = 0;

  const ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(Encoder& to) const override {
    Long::_write_state(to);
    end_base_state(to);
    write_members(to, kept, label, more);
  }
  bool _read_state(Decoder& from) override {
    return Long::_read_state(from) && read_members(from, kept, label, more);
  }
};

// valuetype Nothing { }; valuetype Something : truncatable Nothing { public octet s; };
// valuetype NothingMore : truncatable Something { };
class Nothing : public virtual CORBA::ValueBase {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Nothing:1.0"};
  static constexpr ValueDescription _value_description{_value_ids};
  const ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(Encoder&) const override {}
  bool _read_state(Decoder& from) override { return from.ok(); }
};
class Something : public virtual Nothing {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Something:1.0", "IDL:Nothing:1.0"};
  static constexpr ValueDescription _value_description{_value_ids};
  std::uint8_t s = 0;
  const ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(Encoder& to) const override {
    Nothing::_write_state(to);
    end_base_state(to);
    write_members(to, s);
  }
  bool _read_state(Decoder& from) override { return Nothing::_read_state(from) && read_members(from, s); }
};
class NothingMore : public virtual Something {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:NothingMore:1.0", "IDL:Something:1.0",
                                                    "IDL:Nothing:1.0"};
  static constexpr ValueDescription _value_description{_value_ids};
  const ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(Encoder& to) const override {
    Something::_write_state(to);
    end_base_state(to);
  }
  bool _read_state(Decoder& from) override { return Something::_read_state(from); }
};

Environment& factories() {
  static Factories all = [] {
    Factories made;
    made.add<Node>();
    made.add<Base>();
    made.add<Derived>();
    made.add<Long>();
    made.add<Third>();
    made.add<Nothing>();
    made.add<Something>();
    made.add<NothingMore>();
    made.add<Text>();
    return made;
  }();
  return all;
}

Format how(ValueForm form, ByteOrder order = ByteOrder::big, Environment* environment = &factories()) {
  Format made = format(order);
  made.values = form;
  made.environment = environment;
  return made;
}
Format tao(ByteOrder order = ByteOrder::big) { return how(ValueForm::tao, order); }

LongRef a_long(std::uint8_t a, std::string after) {
  auto made = make_reference<Long>();
  made->a = a;
  made->octets = {1, 2, 3};
  made->after = std::move(after);
  return made;
}

const std::string base_id = "0000000d 49444c3a 42617365 3a312e30 00 000000";
const std::string long_id = "0000000d 49444c3a 4c6f6e67 3a312e30 00 000000";
const std::string long_header = "7fffff0e 00000002" + long_id + base_id;
// 3 octets 1 2 3, padding, a text "x".
const std::string long_members = "00000003 010203 00 00000002 7800";

TEST(TaoValues, have_the_state_of_their_base_a_level_below) {
  const std::string wire =
      long_header + "00000001 07 000000 fffffffe 0000000e" + long_members + "0000 fffffffe ffffffff";
  EXPECT_EQ(hex(encoded(BaseRef(a_long(7, "x")), tao())), hex(wire));
  const auto back = decoded<BaseRef>(octets(wire), how(ValueForm::standard));
  ASSERT_TRUE(back.whole) << to_text(back.error);
  const auto read = IDL::traits<Long>::narrow(back.value);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->a, 7);
  EXPECT_EQ(read->after, "x");
}

TEST(TaoValues, of_one_class_look_like_the_standards) {
  const auto value = make_reference<Base>();
  EXPECT_EQ(hex(encoded(value, tao())), hex(encoded(value)));
  const auto text = make_reference<Text>("boxed");
  EXPECT_EQ(hex(encoded(text, tao())), hex(encoded(text)));
}

TEST(TaoValues, are_data_of_the_chunk_of_the_outer_value) {
  auto outer = make_reference<Third>();
  outer->a = 7;
  outer->kept = a_long(8, "x");
  outer->label = make_reference<Text>("hi");
  outer->more = 2;
  const Octets wire = encoded(BaseRef(outer), tao());
  const std::string third_id = "0000000e 49444c3a 54686972 643a312e 3000 0000";
  const std::string outer_head =
      "7fffff0e 00000003" + third_id + long_id + base_id + "00000001 07 000000 fffffffd";
  const std::string outer_long = "00000009 00000000 00000001 00 000000 fffffffd fffffffe";
  // From here on ids are indirections.
  const std::string kept =
      "7fffff0e 00000002 ffffffff ffffffa4 ffffffff ffffffb0 00000001 08 000000 fffffffe"
      "0000000e" +
      long_members + "0000 fffffffe ffffffff";
  const std::string label = "7fffff02 0000000d 49444c3a 54657874 3a312e30 00 000000 00000003 686900 00";
  const std::string outer_third = "0000006c" + kept + label + "00000000 00000000 00000002 fffffffe ffffffff";
  EXPECT_EQ(hex(wire), hex(outer_head + outer_long + outer_third));
  const auto back = decoded<BaseRef>(wire, how(ValueForm::standard));
  ASSERT_TRUE(back.whole) << to_text(back.error);
  const auto read = IDL::traits<Third>::narrow(back.value);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->more, 2);
  EXPECT_EQ(read->label->_value(), "hi");
  EXPECT_EQ(IDL::traits<Long>::narrow(read->kept)->after, "x");
  EXPECT_EQ(hex(encoded(back.value)), hex(encoded(BaseRef(outer))));
}

// As TAO's generated code has it: a class without members has no tag for them.
TEST(TaoValues, of_classes_without_members_have_no_tag_for_them) {
  auto something = make_reference<Something>();
  something->s = 5;
  auto more = make_reference<NothingMore>();
  more->s = 6;
  for (const auto& [value, ends] : {std::pair<CORBA::valuetype_reference<Nothing>, std::string>(
                                        something, "00000001 05 000000 fffffffe ffffffff"),
                                    std::pair<CORBA::valuetype_reference<Nothing>, std::string>(
                                        more, "00000001 06 000000 fffffffd fffffffe ffffffff")}) {
    const Octets wire = encoded(value, tao());
    EXPECT_EQ(hex(wire).substr(hex(wire).size() - hex(ends).size()), hex(ends));
    const auto back = decoded<CORBA::valuetype_reference<Nothing>>(wire, how(ValueForm::standard));
    ASSERT_TRUE(back.whole) << to_text(back.error);
    EXPECT_EQ(hex(encoded(back.value)), hex(encoded(value)));
  }
}

TEST(TaoValues, are_truncated) {
  auto outer = make_reference<Third>();
  outer->a = 7;
  outer->octets = {9};
  outer->after = "after";
  outer->kept = a_long(8, "lost");
  const Octets wire = encoded(std::vector<BaseRef>{outer, a_long(1, "next")}, tao());
  Factories only_long, only_base;
  only_long.add<Long>();
  only_long.add<Base>();
  only_base.add<Base>();
  const auto as_long =
      decoded<std::vector<BaseRef>>(wire, how(ValueForm::standard, ByteOrder::big, &only_long));
  ASSERT_TRUE(as_long.whole) << to_text(as_long.error);
  const auto read = IDL::traits<Long>::narrow(as_long.value[0]);
  ASSERT_TRUE(read && !IDL::traits<Third>::narrow(as_long.value[0]));
  EXPECT_EQ(read->after, "after");
  EXPECT_EQ(IDL::traits<Long>::narrow(as_long.value[1])->after, "next");
  const auto as_base =
      decoded<std::vector<BaseRef>>(wire, how(ValueForm::standard, ByteOrder::big, &only_base));
  ASSERT_TRUE(as_base.whole) << to_text(as_base.error);
  EXPECT_EQ(as_base.value[0]->a, 7);
  EXPECT_EQ(as_base.value[1]->a, 1);
}

TEST(TaoValues, stay_shared_and_null) {
  auto outer = make_reference<Third>();
  const auto shared = a_long(3, "shared");
  outer->kept = shared;
  auto other = make_reference<Third>();
  const std::vector<BaseRef> all{outer, shared, nullptr, outer, other};
  const auto back = decoded<std::vector<BaseRef>>(encoded(all, tao()), how(ValueForm::standard));
  ASSERT_TRUE(back.whole) << to_text(back.error);
  EXPECT_EQ(IDL::traits<Third>::narrow(back.value[0])->kept.get(), back.value[1].get());
  EXPECT_EQ(back.value[0].get(), back.value[3].get());
  EXPECT_FALSE(back.value[2]);
  EXPECT_FALSE(IDL::traits<Third>::narrow(back.value[4])->kept);
}

TEST(TaoValues, of_types_that_the_program_lacks_pass_in_anys) {
  const auto octet = TypeCodeMember{.name = "a", .type = basic_typecode(CORBA::TCKind::tk_octet)};
  const auto number = TypeCodeMember{.name = "d", .type = basic_typecode(CORBA::TCKind::tk_double)};
  const auto base =
      make_typecode({.kind = CORBA::TCKind::tk_value, .id = "IDL:Base:1.0", .members = {octet}});
  const auto type = make_typecode({.kind = CORBA::TCKind::tk_value,
                                   .id = "IDL:Unknown:1.0",
                                   .members = {number},
                                   .content = base,
                                   .modifier = CORBA::VM_TRUNCATABLE});
  const Octets head = encoded(type);
  const std::string state = "7fffff0e 00000002 00000010 49444c3a 556e6b6e 6f776e3a 312e3000" + base_id +
                            "00000001 07 000000 fffffffe";
  Octets wire = head;
  while (wire.size() % 4 != 0) wire.push_back(0);
  const Octets begin = octets(state);
  wire.insert(wire.end(), begin.begin(), begin.end());
  const std::size_t padding = (wire.size() + 4) % 8;
  const Octets rest = octets((padding != 0 ? std::string("0000000c 00000000") : std::string("00000008")) +
                             "3ff80000 00000000 fffffffe ffffffff");
  wire.insert(wire.end(), rest.begin(), rest.end());
  const auto any = decoded<CORBA::Any>(wire, how(ValueForm::standard, ByteOrder::big, nullptr));
  ASSERT_TRUE(any.whole) << to_text(any.error);
  const auto again = decoded<CORBA::Any>(encoded(any.value, tao()), how(ValueForm::standard));
  ASSERT_TRUE(again.whole) << to_text(again.error);
  EXPECT_EQ(hex(encoded(again.value)), hex(encoded(any.value)));
  EXPECT_NE(hex(encoded(any.value, tao())), hex(encoded(any.value)));
}

// Only what has no other meaning shows the form.
TEST(TaoValues, are_recognised_and_remembered) {
  const auto learned_from = [](const Octets& wire, ValueForm form) {
    Format connection = how(form);
    PeerValueForm peer(connection.values);
    const PeerCodeSets sets{unicode, &peer};
    connection.code_sets = &sets;
    Decoder decoder(wire, 0, connection);
    BaseRef value;
    EXPECT_TRUE(cdr::read(decoder, value)) << to_text(decoder.error());
    const bool is_tao = decoder.format().values == ValueForm::tao;
    EXPECT_EQ(peer.is_tao(), form == ValueForm::learned && is_tao);
    EXPECT_EQ(connection.values == ValueForm::tao, peer.is_tao());
    return is_tao;
  };
  const BaseRef flat = make_reference<Base>(), derived = a_long(1, "x");
  EXPECT_TRUE(learned_from(encoded(derived, tao()), ValueForm::learned));
  EXPECT_TRUE(learned_from(encoded(derived, tao()), ValueForm::noticed));
  EXPECT_FALSE(learned_from(encoded(derived, tao()), ValueForm::standard));
  EXPECT_FALSE(learned_from(encoded(derived), ValueForm::learned));
  EXPECT_FALSE(learned_from(encoded(flat, tao()), ValueForm::learned));
}

TEST(TaoValues, may_follow_the_standards_in_one_message) {
  const BaseRef first = a_long(1, "x"), second = a_long(2, "y");
  const Octets one = encoded(first), other = encoded(second, tao());
  Octets wire = octets("00000000 00000002");
  wire.insert(wire.end(), one.begin(), one.end());
  wire.insert(wire.end(), other.begin(), other.end());
  wire.erase(wire.begin(), wire.begin() + 4);
  const auto back = decoded<std::vector<BaseRef>>(wire, how(ValueForm::noticed));
  ASSERT_TRUE(back.whole) << to_text(back.error);
  EXPECT_EQ(back.value[1]->a, 2);
}

struct Bad {
  const char* what;
  std::string state;  // after the header of a Long
  Error error = Error::bad_chunks;
};

TEST(TaoValues, whose_tags_do_not_fit_are_malformed) {
  const std::string base = "00000001 07 000000", members = "0000000e" + long_members + "0000";
  const Bad all[] = {
      {"the members' tag is missing", base + "fffffffe" + members + "ffffffff"},
      {"a tag ends what has ended", base + "fffffffe" + members + "fffffffe fffffffe"},
      {"a tag is too deep", base + "fffffffe" + members + "fffffffd ffffffff"},
      {"a tag ends nothing", base + "fffffffd" + members + "fffffffe ffffffff"},
      {"the levels end in another order", base + "fffffffe" + members + "ffffffff fffffffe"},
      {"no end", base + "fffffffe" + members, Error::underflow},
      {"a level beyond all limits", base + "80000000" + members + "fffffffe ffffffff", Error::nesting},
      {"a level beyond the limit", base + "fffffe0b" + members + "fffffffe ffffffff", Error::nesting},
      {"a size of nothing", base + "fffffffe 00000000" + members + "fffffffe ffffffff", Error::underflow},
      {"a header after the base's state", base + "fffffffe" + long_header + base, Error::underflow},
      {"a size beyond the message", base + "fffffffe 00000100" + long_members, Error::underflow},
      {"a chunk ends in its tag", base + "fffffffe 00000006 00000003 0102", Error::underflow},
  };
  for (const Bad& bad : all) {
    const Octets wire = octets(long_header + bad.state);
    const auto back = decoded<BaseRef>(wire, how(ValueForm::noticed));
    EXPECT_EQ(back.error, bad.error) << bad.what;
    // Where reading ended is the place that the exception names.
    EXPECT_GT(back.ended_at, octets(long_header).size()) << bad.what;
    EXPECT_LE(back.ended_at, wire.size()) << bad.what;
  }
  const Octets good = octets(long_header + base + "fffffffe" + members + "fffffffe ffffffff");
  EXPECT_TRUE(decoded<BaseRef>(good, how(ValueForm::noticed)).whole);
}

// The state of a Derived: the octet, a Base, a double, a Node.
TEST(TaoValues, that_change_their_form_in_the_middle_are_malformed) {
  const std::string id = "00000010 49444c3a 44657269 7665643a 312e3000";
  const std::string head = "7fffff0e 00000002" + id + base_id;
  const std::string inner = "7fffff0a" + base_id, chunk_of_inner = "00000001 09 000000";
  const Bad all[] = {
      {"the standard's, then a tag of TAO's", "00000001 07 000000" + inner + chunk_of_inner +
                                                  "fffffffe 0000000c 00000000 00000000 00000000 fffffffd"},
      {"the standard's, then a value in a chunk", "00000001 07 000000" + inner + chunk_of_inner +
                                                      "fffffffe 00000030 00000000 00000000 7fffff0a" +
                                                      std::string(96, '0')},
      {"TAO's, then a value between chunks",
       "00000001 07 000000 fffffffe" + inner + chunk_of_inner + "ffffffff"},
      {"TAO's by a value in a chunk, then a value between chunks",
       "0000001c 07 000000" + inner + "09 000000 00000000 ffffffff"},
  };
  for (const Bad& bad : all) {
    const Error error = decoded<BaseRef>(octets(head + bad.state), how(ValueForm::noticed)).error;
    EXPECT_NE(error, Error::none) << bad.what;
  }
  EXPECT_EQ(decoded<BaseRef>(octets(head + all[0].state), how(ValueForm::noticed)).error, Error::bad_chunks);
  EXPECT_EQ(decoded<BaseRef>(octets(head + all[1].state), how(ValueForm::noticed)).error, Error::bad_chunks);
  EXPECT_EQ(decoded<BaseRef>(octets(head + all[2].state), how(ValueForm::noticed)).error, Error::bad_chunks);
}

TEST(TaoValues, inside_a_chunk_cannot_reach_beyond_it) {
  auto outer = make_reference<Third>();
  outer->kept = a_long(8, "x");
  const Octets good = encoded(BaseRef(outer), tao());
  // Each size, made larger or smaller by 1 to 64, or the whole message cut: an error, and never a crash.
  for (std::size_t at = 60; at + 4 <= good.size(); at += 4)
    for (const int by : {-64, -8, -4, -1, 1, 4, 8, 64}) {
      Octets bad = good;
      bad[at + 3] = static_cast<std::uint8_t>(bad[at + 3] + by);
      const auto back = decoded<BaseRef>(bad, how(ValueForm::noticed));
      if (back.whole) {
        EXPECT_EQ(encoded(back.value, tao()).size(), good.size());
      }
    }
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(
        decoded<BaseRef>({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}, tao()).whole);
}

TEST(TaoValues, nested_deeply_are_refused_within_the_limits) {
  BaseRef deep = make_reference<Base>();
  for (int i = 0; i < 200; ++i) {
    auto outer = make_reference<Third>();
    outer->kept = deep;
    deep = outer;
  }
  const Octets wire = encoded(deep, tao());
  EXPECT_TRUE(decoded<BaseRef>(wire, how(ValueForm::standard)).whole);
  DecoderLimits limits;
  limits.nesting = 100;
  Format with = how(ValueForm::standard);
  with.limits = &limits;
  EXPECT_EQ(decoded<BaseRef>(wire, with).error, Error::nesting);
  limits = {.values = 50};
  EXPECT_EQ(decoded<BaseRef>(wire, with).error, Error::too_many_values);
}

// Draws a value that refers to `made` and to new ones.
BaseRef drawn_value(std::vector<BaseRef>& made, int depth) {
  const auto inner = [&]() -> BaseRef {
    if (depth == 0 || drawn_up_to(3) == 0) return nullptr;
    if (!made.empty() && drawn_up_to(3) == 0) return made[drawn_up_to(made.size() - 1)];
    return drawn_value(made, depth - 1);
  };
  BaseRef value;
  switch (drawn_up_to(3)) {
    case 0:
      value = make_reference<Base>();
      break;
    case 1:
      value = a_long(0, drawn_text());
      break;
    case 2: {
      const auto derived = make_reference<Derived>();
      derived->inner = inner();
      derived->d = drawn_number<double>();
      if (drawn_up_to(1) == 0) {
        derived->node = make_reference<Node>();
        derived->node->text = drawn_text();
        derived->node->more = {nullptr, make_reference<Node>(), derived->node->next};
      }
      value = derived;
      break;
    }
    default: {
      const auto third = make_reference<Third>();
      third->octets = drawn_numbers<std::uint8_t>();
      third->after = drawn_text();
      third->kept = inner();
      if (drawn_up_to(1) == 0) third->label = make_reference<Text>(drawn_text());
      third->more = drawn_number<std::int64_t>();
      value = third;
    }
  }
  value->a = drawn_number<std::uint8_t>();
  made.push_back(value);
  return value;
}

RC_GTEST_PROP(TaoValues, come_back_from_any_start_index_in_both_byte_orders, ()) {
  std::vector<BaseRef> made;
  std::vector<BaseRef> values;
  for (std::size_t i = drawn_up_to(3); i > 0; --i) values.push_back(drawn_value(made, 3));
  const std::size_t before = drawn_up_to(8);
  const ByteOrder order = drawn_order();
  const Octets wire = written(tao(order), [&](Encoder& encoder) {
    for (std::size_t i = 0; i < before; ++i) encoder.put(std::uint8_t{1});
    cdr::write(encoder, values);
    encoder.put(std::uint8_t{0x55});
  });
  Decoder decoder(ByteView(wire).subspan(before), before, how(ValueForm::noticed, order));
  std::vector<BaseRef> back;
  RC_ASSERT(cdr::read(decoder, back));
  RC_ASSERT(decoder.get_u8() == 0x55);
  RC_ASSERT(decoder.remaining() == 0u);
  RC_ASSERT(encoded(back) == encoded(values));
}

constexpr std::uint8_t bases_op = 22;

RC_GTEST_PROP(TaoValues, come_back_in_every_form_of_a_body, ()) {
  std::vector<BaseRef> made;
  Octets body = encoded(std::vector<BaseRef>{drawn_value(made, 3), drawn_value(made, 3)}, tao());
  // Sometimes malformed, which must give the same error.
  for (std::size_t i = drawn_up_to(2); i > 0; --i)
    body[drawn_up_to(body.size() - 1)] = drawn_number<std::uint8_t>();
  const Octets tail = drawn_numbers<std::uint8_t>();
  body.insert(body.end(), tail.begin(), tail.end());
  const Script script{{bases_op, 0}, {2, 0}};
  const Cuts cuts = in_order(drawn_vector([&] { return drawn_up_to(body.size()); }), body.size());
  const Format with = how(ValueForm::noticed);
  const Transcript expected = run_in_one(body, 0, with, script);
  StreamOf stream(body, cuts);
  RC_ASSERT(run_from(stream, 0, with, script) == expected);
  RC_ASSERT(!stream.asked_too_much);
  FragmentsOf fragments(body, aligned_alike(cuts, 0, body.size()), 0);
  RC_ASSERT(run_from(fragments, 0, with, script) == expected);
  FragmentsOf askew(body, cuts, 0);
  (void)run_from(askew, 0, with, script);
}

}  // namespace
}  // namespace takt::cdr::test
