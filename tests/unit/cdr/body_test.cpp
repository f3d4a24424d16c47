// Bodies in one piece, in fragments of GIOP 1.1 and arriving in pieces give the same values.
#include <cstring>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "body_forms.h"
#include "drawn.h"

namespace takt::cdr::test {
namespace {

Octets counted(std::size_t size) {
  Octets octets(size);
  for (std::size_t i = 0; i < size; ++i) octets[i] = static_cast<std::uint8_t>(i);
  return octets;
}

BodyRead gather(BodyWindow& window, std::size_t count) {
  MessageCosts costs;
  return window.gather(count, {costs, nullptr});
}

// A window over octets 0, 1, 2, ..., whose rest arrives in one of two ways.
class Window : public testing::Test {
 protected:
  static constexpr std::size_t size = 40;
  Octets body = counted(size);
  StreamOf stream{body, {10, 20}};
  FragmentsOf fragments{body, {10, 20}, 0};
  BodyWindow whole{body, 0};
  BodyWindow arriving{stream.first(), 0};
  BodyWindow in_parts{fragments.first(), 0};

  void SetUp() override {
    arriving.set_source(&stream, size - 10);
    in_parts.set_source(&fragments, size - 10);
  }
  // Checks that these octets come next.
  static void expect_next(BodyWindow& window, std::size_t first, std::size_t count) {
    ASSERT_EQ(gather(window, count), BodyRead::ok);
    ASSERT_GE(window.present(), count);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(window.cursor()[i], first + i);
    window.advance(count);
  }
  std::array<BodyWindow*, 3> all() { return {&whole, &arriving, &in_parts}; }
};

TEST_F(Window, has_all_of_the_body_before_it_in_every_form) {
  for (const BodyWindow* window : all()) {
    EXPECT_EQ(window->remaining(), size);
    EXPECT_EQ(window->readable(), size);
  }
  EXPECT_TRUE(whole.is_whole());
  EXPECT_FALSE(arriving.is_whole());
  EXPECT_FALSE(in_parts.is_whole());
  EXPECT_EQ(whole.arrived(), size);
  EXPECT_EQ(arriving.arrived(), 10u);
  EXPECT_EQ(in_parts.arrived(), size) << "fragments are in memory";
}

TEST_F(Window, joins_octets_from_both_sides_of_a_border) {
  for (BodyWindow* window : all()) {
    expect_next(*window, 0, 8);
    expect_next(*window, 8, 15);  // across both boundaries
    EXPECT_EQ(window->remaining(), size - 23);
    expect_next(*window, 23, 17);
    EXPECT_EQ(window->remaining(), 0u);
    EXPECT_EQ(gather(*window, 1), BodyRead::ends);
  }
}

TEST_F(Window, a_fragment_is_read_where_it_is) {
  expect_next(in_parts, 0, 10);
  ASSERT_EQ(gather(in_parts, 10), BodyRead::ok);
  EXPECT_EQ(in_parts.cursor(), fragments.pieces()[1].data());
  EXPECT_EQ(in_parts.position(), 12u);
}

TEST_F(Window, indices_begin_anew_after_joined_octets) {
  expect_next(in_parts, 0, 13);
  EXPECT_EQ(in_parts.position(), 12u + 3);
  expect_next(arriving, 0, 13);
  EXPECT_EQ(arriving.position(), 13u);
}

TEST_F(Window, padding_is_never_divided_between_fragments) {
  expect_next(in_parts, 0, 9);
  // Aligning to 8 needs 7 octets of padding: none in this fragment and 4 in the next.
  ASSERT_EQ(in_parts.align(8), BodyRead::ok);
  EXPECT_EQ(in_parts.position(), 16u);
  expect_next(in_parts, 14, 1);
  expect_next(arriving, 0, 9);
  ASSERT_EQ(arriving.align(8), BodyRead::ok);
  expect_next(arriving, 16, 1);
}

TEST_F(Window, a_number_stands_in_the_next_fragment_where_one_is_at_its_end) {
  expect_next(in_parts, 0, 10);
  ASSERT_EQ(in_parts.gather_number(4), BodyRead::ok);
  expect_next(in_parts, 10, 4);
}

TEST_F(Window, copies_and_skips_across_borders) {
  for (BodyWindow* window : all()) {
    expect_next(*window, 0, 5);
    Octets copy(10);
    ASSERT_EQ(window->copy(copy), BodyRead::ok);
    EXPECT_EQ(copy[0], 5);
    EXPECT_EQ(copy[9], 14);
    ASSERT_EQ(window->skip(10), BodyRead::ok);
    expect_next(*window, 25, 1);
    Octets too_long(size);
    EXPECT_EQ(window->copy(too_long), BodyRead::ends);
    EXPECT_EQ(window->skip(size), BodyRead::ends);
    EXPECT_EQ(window->remaining(), size - 26) << "what cannot be read takes nothing";
  }
}

TEST_F(Window, a_limit_hides_what_is_behind_it_wherever_that_is) {
  for (BodyWindow* window : all()) {
    window->set_limit(25);
    EXPECT_EQ(window->readable(), 25u);
    EXPECT_EQ(window->remaining(), size);
    expect_next(*window, 0, 6);
    EXPECT_EQ(gather(*window, 20), BodyRead::ends);
    expect_next(*window, 6, 19);
    EXPECT_EQ(window->readable(), 0u);
    EXPECT_EQ(window->present(), 0u);
    EXPECT_EQ(gather(*window, 1), BodyRead::ends);
    EXPECT_EQ(window->skip(1), BodyRead::ends);
    EXPECT_TRUE(window->take_in_place(2).empty());
    window->set_limit(3);
    expect_next(*window, 25, 3);
    window->lift_limit();
    expect_next(*window, 28, 12);
  }
  EXPECT_FALSE(stream.asked_too_much);
}

TEST_F(Window, a_copy_ends_where_memory_does) {
  for (BodyWindow* window : all()) window->set_limit(15);
  BodyWindow whole_copy(whole), arriving_copy(arriving), parts_copy(in_parts);
  expect_next(whole_copy, 0, 15);
  expect_next(parts_copy, 0, 15);
  expect_next(arriving_copy, 0, 10);
  for (BodyWindow* copy : {&whole_copy, &arriving_copy, &parts_copy})
    EXPECT_EQ(gather(*copy, 1), BodyRead::ends);
  for (BodyWindow* window : all()) expect_next(*window, 0, 15);
}

TEST_F(Window, what_is_dropped_is_not_there) {
  for (BodyWindow* window : all()) {
    expect_next(*window, 0, 15);
    window->set_limit(12);
    window->drop_rest();
    EXPECT_EQ(window->remaining(), 0u);
    EXPECT_EQ(window->readable(), 0u);
    EXPECT_EQ(gather(*window, 1), BodyRead::ends);
  }
}

TEST(Arriving, long_octets_are_joined_in_steps) {
  const Octets body = counted(1 << 20);
  StreamOf stream(body, {100});
  BodyWindow window(stream.first(), 0);
  window.set_source(&stream, body.size() - 100);
  ASSERT_EQ(gather(window, 700'000), BodyRead::ok);
  EXPECT_EQ(std::memcmp(window.cursor(), body.data(), 700'000), 0);
}

TEST(Arriving, memory_of_joined_octets_is_charged_before_it_is_taken) {
  constexpr std::size_t size = 1 << 20, kibibyte = 1024;
  const Octets body = counted(size);
  for (const std::size_t limit : {256 * kibibyte, 4096 * kibibyte}) {
    StreamOf stream(body, {100});
    MemoryBudget budget(limit);
    Format format;
    format.memory = &budget;
    {
      Decoder decoder(stream.first(), 0, format);
      stream.attach(decoder);
      decoder.get_octets_view(700'000);
      EXPECT_EQ(decoder.error(), limit > size ? Error::none : Error::no_memory);
      EXPECT_EQ(budget.refusals(), limit > size ? 0u : 1u);
      if (limit > size) {
        EXPECT_GE(budget.taken_bytes(), 700'000 - MessageCosts::free_bytes);
        decoder.get_octets_view(300'000);  // frees those before
        EXPECT_LT(decoder.costs().bytes(), 320'000u);
      }
    }
    EXPECT_EQ(budget.taken_bytes(), 0u);
  }
}

// Random octets, which are mostly invalid for the types read.
Octets drawn_body(const Script& script, const Format& how) {
  const Octets good = written(how, [&](Encoder& out) {
    for (const Step step : script) switch (step.operation) {
        case 0:
          out.put(step.argument);
          break;
        case 1:
          out.put(drawn_number<std::uint16_t>());
          break;
        case 2:
          out.put(drawn_number<std::uint32_t>());
          break;
        case 3:
          out.put(drawn_number<std::uint64_t>());
          break;
        case raw_string:
          out.put_raw_string(drawn_text());
          break;
        case longs:
          cdr::write(out, drawn_numbers<std::uint32_t>());
          break;
        case doubles:
          cdr::write(out, drawn_numbers<double>());
          break;
        default:
          out.put_octets(drawn_numbers<std::uint8_t>());
      }
  });
  Octets body = good;
  for (std::size_t changes = drawn_up_to(2); changes > 0 && !body.empty(); --changes)
    body[drawn_up_to(body.size() - 1)] = drawn_number<std::uint8_t>();
  return body;
}
Script drawn_script(std::size_t operation_count) {
  return drawn_vector([&] {
    return Step{static_cast<std::uint8_t>(drawn_up_to(operation_count - 1)),
                static_cast<std::uint8_t>(drawn_up_to(20))};
  });
}
Cuts drawn_cuts(std::size_t size) {
  return in_order(drawn_vector([&] { return drawn_up_to(size); }), size);
}

RC_GTEST_PROP(Body, is_read_alike_in_every_form, ()) {
  const Script script = drawn_script(std::size(operations));
  const Format how = format(drawn_order());
  const Octets body = drawn_body(script, how);
  const std::size_t first_index = drawn_up_to(7);
  const Cuts cuts = drawn_cuts(body.size());
  const Transcript expected = run_in_one(body, first_index, how, script);
  StreamOf stream(body, cuts);
  RC_ASSERT(run_from(stream, first_index, how, script) == expected);
  RC_ASSERT(!stream.asked_too_much);
  TailOf tail(body, cuts);
  RC_ASSERT(run_from(tail, first_index, how, script) == expected);
  FragmentsOf fragments(body, aligned_alike(cuts, first_index, body.size()), first_index);
  RC_ASSERT(run_from(fragments, first_index, how, script) == expected);
}

RC_GTEST_PROP(Body, in_fragments_is_read_by_the_rules_for_them, ()) {
  const Script script = drawn_script(known);
  const Format how = format(drawn_order());
  const Octets body = drawn_body(script, how);
  const std::size_t first_index = drawn_up_to(7);
  FragmentsOf fragments(body, drawn_cuts(body.size()), first_index);
  const Transcript expected = ModelBody(fragments.pieces(), first_index, how.order).run(script);
  RC_ASSERT(run_from(fragments, first_index, how, script) == expected);
}

}  // namespace
}  // namespace takt::cdr::test
