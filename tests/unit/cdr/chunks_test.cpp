// Chunked values in bodies of every form.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "body_forms.h"
#include "drawn.h"

namespace takt::cdr::test {
namespace {

// Octets of a chunk of a value's state; its size may claim more than there are.
struct Chunk {
  Octets data;
  std::uint32_t more = 0;  // claimed in addition
};
Octets chunked_value(std::string_view id, const std::vector<Chunk>& chunks,
                     std::uint32_t end_tag = 0xffffffff) {
  return written(format(), [&](Encoder& out) {
    out.put(std::uint32_t{0x7fffff0a});
    out.put_raw_string(id);
    for (const Chunk& chunk : chunks) {
      out.put(static_cast<std::uint32_t>(chunk.data.size()) + chunk.more);
      out.put_octets(chunk.data);
    }
    out.put(end_tag);
  });
}

const Octets number = octets("00000007"), text = octets("00000003 686900"), next = octets("00000000"),
             more = octets("00000000");

// Reads the body in one piece, cut at each position, and in very small pieces, which must give the same
// result.
Transcript read_everywhere(const Octets& body, std::uint8_t operation, const Format& how = format()) {
  const Script script{{operation, 0}, {0, 0}};  // then another octet
  const Transcript expected = run_in_one(body, 0, how, script);
  Cuts everywhere;
  for (std::size_t cut = 0; cut < body.size(); ++cut) {
    everywhere.push_back(cut);
    StreamOf stream(body, in_order({cut}, body.size()));
    EXPECT_EQ(run_from(stream, 0, how, script), expected) << "cut at " << cut;
    EXPECT_FALSE(stream.asked_too_much);
    FragmentsOf two(body, aligned_alike({cut}, 0, body.size()), 0);
    EXPECT_EQ(run_from(two, 0, how, script), expected) << "cut at " << cut;
  }
  FragmentsOf many(body, aligned_alike(everywhere, 0, body.size()), 0);
  EXPECT_EQ(run_from(many, 0, how, script), expected);
  return expected;
}

constexpr std::uint8_t any_op = 18, node_op = 20, base_op = 21;

Octets followed_by_octet(Octets body) {
  body.push_back(0x55);
  return body;
}

TEST(Chunks, end_after_any_member) {
  const std::vector<Octets> members{number, text, next, more};
  Transcript expected;
  for (unsigned ends = 0; ends < 8; ++ends) {  // which of the first three end a chunk
    std::vector<Chunk> chunks(1);
    for (std::size_t i = 0; i < members.size(); ++i) {
      while (chunks.back().data.size() % 4 != 0) chunks.back().data.push_back(0);
      chunks.back().data.insert(chunks.back().data.end(), members[i].begin(), members[i].end());
      if (i < 3 && (ends >> i & 1) != 0) chunks.emplace_back();
    }
    const Transcript read =
        read_everywhere(followed_by_octet(chunked_value("IDL:Node:1.0", chunks)), node_op);
    ASSERT_EQ(read.error, Error::none) << ends;
    EXPECT_EQ(read.remaining, 0u);
    if (ends == 0) expected = read;
    EXPECT_EQ(read, expected) << ends;
  }
}

TEST(Chunks, that_end_within_a_member_are_an_error_at_once) {
  Octets state = number;
  for (const Octets* member : {&text, &next, &more}) {
    while (state.size() % 4 != 0) state.push_back(0);
    state.insert(state.end(), member->begin(), member->end());
  }
  const std::vector<std::size_t> between_members{4, 11, 12, 16};
  const std::vector<std::size_t> before_a_text{8};  // the length was read, and the octets are in one chunk
  for (std::size_t cut = 1; cut < state.size(); ++cut) {
    const auto at = state.begin() + static_cast<std::ptrdiff_t>(cut);
    const Octets body =
        followed_by_octet(chunked_value("IDL:Node:1.0", {{{state.begin(), at}}, {{at, state.end()}}}));
    const bool good = std::ranges::find(between_members, cut) != between_members.end() ||
                      std::ranges::find(before_a_text, cut) != before_a_text.end();
    const Transcript read = read_everywhere(body, node_op);
    EXPECT_EQ(read.error == Error::none, good) << cut;
  }
}

TEST(Chunks, divide_arrays) {
  for (const std::size_t length : {1u, 10u, 100u}) {
    std::vector<Chunk> chunks{{octets("05 000000 000001f4")}};
    std::size_t left = 500;
    for (; left > length; left -= length) chunks.push_back({Octets(length, 0xab)});
    chunks.push_back({Octets(left, 0xab)});
    chunks.push_back({octets("00000002 6100")});
    Factories factories;
    factories.add<Long>();
    Format how = format();
    how.environment = &factories;
    const Transcript read =
        read_everywhere(followed_by_octet(chunked_value("IDL:Long:1.0", chunks)), base_op, how);
    ASSERT_EQ(read.error, Error::none) << length;
    EXPECT_EQ(std::ranges::count(read.said, 0xab), 500) << length;
  }
}

TEST(Chunks, of_what_nobody_knows_are_skipped) {
  const std::vector<Chunk> chunks{{octets("07 0809")}, {Octets(300, 9)}, {octets("01")}};
  Octets body = chunked_value("IDL:Base:1.0", chunks);
  const Transcript read = read_everywhere(followed_by_octet(body), base_op);
  EXPECT_EQ(read.error, Error::none);
  EXPECT_EQ(read.said.back(), 0x55);
}

TEST(Chunks, nested_values_end_in_any_form) {
  const std::string header = "7fffff0a 0000000d 49444c3a 4e6f6465 3a312e30 00000000 00000014";
  const std::string outer = header + "00000001 00000001 00000000 00000000 00000001";
  const std::string inner = header + "00000002 00000001 00000000 00000000 00000000";
  for (const char* ends : {"ffffffff", "fffffffe ffffffff"})
    EXPECT_EQ(read_everywhere(octets(outer + inner + ends + "55"), node_op).error, Error::none) << ends;
  for (const char* ends : {"fffffffe", "fffffffd", "00000003 55", "7fffff0a", ""})
    EXPECT_NE(read_everywhere(octets(outer + inner + ends), node_op).error, Error::none) << ends;
}

TEST(Chunks, longer_than_the_body_are_an_error_at_once) {
  for (const std::uint32_t claimed : {5u, 100u, 0x7ffffe00u})
    EXPECT_EQ(read_everywhere(chunked_value("IDL:Node:1.0", {{number, claimed}}), node_op).error,
              Error::underflow)
        << claimed;
}

TEST(Chunks, indirections_count_octets_of_the_body) {
  NodeRef ring = CORBA::make_reference<Node>();
  ring->text = "ring";
  for (int i = 0; i < 5; ++i) {
    auto one = CORBA::make_reference<Node>();
    one->number = i;
    one->text = std::string(static_cast<std::size_t>(i), 'x');
    one->next = ring;
    ring->more.push_back(one);
    ring->more.push_back(i > 1 ? ring->more[1] : nullptr);
  }
  const Octets body = followed_by_octet(encoded(ring));
  dissolve(ring);
  const Transcript read = read_everywhere(body, node_op);
  EXPECT_EQ(read.error, Error::none);
}

TEST(Chunks, end_in_values_that_anys_hold) {
  Octets body = octets(
      "0000001d 00000040 00000000 0000000d 49444c3a 4e6f6465 3a312e30 00000000 00000002"
      "6e000000 0000 0000 00000000 00000001 00000002 61000000 00000003 0001 0000 00000000");
  body[7] = static_cast<std::uint8_t>(body.size() - 8);
  const Octets value = chunked_value("IDL:Node:1.0", {{octets("00000007")}});
  body.insert(body.end(), value.begin(), value.end());
  EXPECT_EQ(read_everywhere(followed_by_octet(body), any_op).error, Error::none);
}

// A text that begins in a chunk and whose length reaches into later fragments.
TEST(Chunks, a_text_gives_no_octet_from_behind_its_chunk) {
  for (const char* length : {"00000005", "00000020", "00000048"}) {
    Octets state = octets(std::string("00000001 ") + length + " 6161");
    Octets body = chunked_value("IDL:Node:1.0", {{state}});
    body.insert(body.end(), 200, 0);
    EXPECT_EQ(read_everywhere(body, node_op).error, Error::underflow) << length;
  }
}

RC_GTEST_PROP(Chunks, are_read_alike_in_every_form, ()) {
  Octets state;
  const Octets members[] = {number,
                            text,
                            next,
                            more,
                            octets("00000001"),
                            Octets(12, 0),
                            octets("7fffff0a"),
                            octets("00000100"),
                            octets("ffffffff ffffffc0")};
  std::vector<Chunk> chunks(1);
  for (std::size_t i = drawn_up_to(12); i > 0; --i) {
    const Octets& member = members[drawn_up_to(std::size(members) - 1)];
    chunks.back().data.insert(chunks.back().data.end(), member.begin(), member.end());
    if (drawn_up_to(2) == 0) chunks.emplace_back();
    if (drawn_up_to(9) == 0) chunks.back().more = drawn_number<std::uint8_t>();
  }
  Octets body = chunked_value(drawn_up_to(1) == 0 ? "IDL:Node:1.0" : "IDL:Base:1.0", chunks,
                              0 - static_cast<std::uint32_t>(drawn_up_to(2)));
  const Octets tail = drawn_numbers<std::uint8_t>();
  body.insert(body.end(), tail.begin(), tail.end());
  const Script script{{static_cast<std::uint8_t>(node_op + drawn_up_to(1)), 0}, {2, 0}};
  const Cuts cuts = in_order(drawn_vector([&] { return drawn_up_to(body.size()); }), body.size());
  const Transcript expected = run_in_one(body, 0, format(), script);
  StreamOf stream(body, cuts);
  RC_ASSERT(run_from(stream, 0, format(), script) == expected);
  RC_ASSERT(!stream.asked_too_much);
  FragmentsOf fragments(body, aligned_alike(cuts, 0, body.size()), 0);
  RC_ASSERT(run_from(fragments, 0, format(), script) == expected);
  // At arbitrary cuts, any result or error is allowed.
  FragmentsOf askew(body, cuts, 0);
  (void)run_from(askew, 0, format(), script);
}

}  // namespace
}  // namespace takt::cdr::test
