#include "giop/contexts/service_context.h"

#include "giop/compression/format.h"
#include "giop/contexts/code_set_negotiation.h"
#include "giop/contexts/priorities.h"
#include "giop/contexts/quality.h"
#include "giop/header/lite_format.h"
#include "giop/known_contexts.h"
#include "messages.h"

namespace takt::giop::test {
namespace {

Octets hex(std::string_view digits) {
  Octets all;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    all.push_back(static_cast<std::uint8_t>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
  return all;
}

TEST(ServiceContexts, AreFoundByIdAndListedInOrder) {
  const Octets a = octets("first");
  const Octets b = octets("second");
  for (const cdr::ByteOrder order : {cdr::ByteOrder::big, cdr::ByteOrder::little}) {
    GatherBuffer buffer;
    cdr::Format format;
    format.order = order;
    cdr::Encoder out(buffer, format);
    write_service_contexts(out, std::vector<ServiceContext>{{1, a}, {10, b}, {1, b}});
    const Octets all = flatten(buffer);
    const ServiceContexts contexts(3, ByteView(all).subspan(4), order);
    ASSERT_TRUE(contexts.find(1));
    EXPECT_EQ(text(*contexts.find(1)), "first");
    EXPECT_EQ(text(*contexts.find(10)), "second");
    EXPECT_FALSE(contexts.find(2));
    const auto list = contexts.list();
    ASSERT_EQ(list.size(), 3u);
    EXPECT_EQ(text(list[2].data), "second");
    // Copied, so that it outlives the message, and passed on.
    const Octets copy(contexts.octets().begin(), contexts.octets().end());
    GatherBuffer again;
    cdr::Encoder out_again(again, format);
    write_service_contexts(out_again, contexts.moved_to(copy).list());
    EXPECT_EQ(flatten(again), all);
  }
}

TEST(ServiceContexts, AreCopiedHoweverLongTheyAre) {
  for (const std::size_t size : {1023u, 1024u, 8191u, 8192u, 30'001u}) {
    Octets data(size);
    for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<std::uint8_t>(i % 251);
    const Octets original = data;
    GatherBuffer buffer;
    cdr::Encoder out(buffer, {});
    out.borrow_from(cdr::Encoder::least_borrowed_bytes);
    write_service_contexts(out, std::vector<ServiceContext>{{7, data}});
    EXPECT_EQ(buffer.borrowed_size(), 0u);
    data.assign(size, 0);  // the interceptor drops it
    const Octets all = flatten(buffer);
    EXPECT_EQ(Octets(all.end() - static_cast<std::ptrdiff_t>(size), all.end()), original) << size;
  }
}

TEST(CodeSetNegotiation, TheContextGoesAndComesBack) {
  const cdr::CodeSets chosen{cdr::CodeSetId::utf_8, cdr::CodeSetId::utf_16};
  EXPECT_EQ(read_code_set_context(write_code_set_context(chosen)), chosen);
  // As sent by a big-endian ORB.
  EXPECT_EQ(read_code_set_context(hex("000000000501000100010109")), chosen);
  EXPECT_EQ(read_code_set_context(hex("0000000005010001000101")), std::nullopt);
  EXPECT_EQ(read_code_set_context(hex("0200000005010001000101")), std::nullopt);
  EXPECT_EQ(read_code_set_context({}), std::nullopt);
}

TEST(CodeSetNegotiation, TheComponentGoesAndComesBack) {
  const cdr::CodeSetComponentInfo& ours = cdr::native_code_sets();
  const auto read = read_code_sets_component(make_code_sets_component(ours));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->narrow.native, ours.narrow.native);
  EXPECT_EQ(read->narrow.conversion, ours.narrow.conversion);
  EXPECT_EQ(read->wide.native, ours.wide.native);
  EXPECT_EQ(read->wide.conversion, ours.wide.conversion);
  TaggedComponent bad = make_code_sets_component(ours);
  bad.data.pop_back();
  EXPECT_FALSE(read_code_sets_component(bad));
  bad.data = hex("00000000000100017fffffff");  // more code sets than octets
  EXPECT_FALSE(read_code_sets_component(bad));
}

TEST(CodeSetNegotiation, IsFoundAmongTheContexts) {
  const auto data = write_code_set_context({cdr::CodeSetId::utf_8, cdr::CodeSetId::none});
  GatherBuffer buffer;
  cdr::Encoder out(buffer);
  write_service_contexts(out, std::vector<ServiceContext>{{code_sets_context, data}});
  const Octets all = flatten(buffer);
  const auto found =
      known_contexts(ServiceContexts(1, ByteView(all).subspan(4), cdr::native_order)).code_sets;
  ASSERT_TRUE(found);
  EXPECT_EQ(found->narrow, cdr::CodeSetId::utf_8);
  EXPECT_FALSE(known_contexts({}).code_sets);
}

// Reads the contexts of a message that was written with these.
struct SentContexts {
  explicit SentContexts(const std::vector<ServiceContext>& all) {
    GatherBuffer buffer;
    cdr::Encoder out(buffer);
    write_service_contexts(out, all);
    octets = flatten(buffer);
    contexts = ServiceContexts(static_cast<std::uint32_t>(all.size()), ByteView(octets).subspan(4),
                               cdr::native_order);
  }
  Octets octets;
  ServiceContexts contexts;
};

TEST(KnownContexts, SayWhatAServerActsOn) {
  const auto code_sets = write_code_set_context({cdr::CodeSetId::utf_8, cdr::CodeSetId::utf_16});
  const auto priority = write_priority_context(77);
  const QualityContextData quality(WireQuality{.priority = 5, .importance = 9});
  const auto wanted = InvocationPoliciesData({.request_priority = PriorityRange{3, 8}});
  const auto number = write_number_data(12);
  const compression::OfferData offer(40, compression::default_methods());
  const Octets points = octets("whatever they are");
  const SentContexts sent({{0x12345678, points},
                           {code_sets_context, code_sets},
                           {rt_priority_context, priority},
                           {quality_context, quality.octets()},
                           {invocation_policies_context, wanted.octets()},
                           {lite::offer_context, number},
                           {compression::offer_context, offer.octets()},
                           {bidirectional_context, points}});
  const KnownContexts known = known_contexts(sent.contexts);
  EXPECT_EQ(known.code_sets, (cdr::CodeSets{cdr::CodeSetId::utf_8, cdr::CodeSetId::utf_16}));
  EXPECT_EQ(known.rt_priority, 77);
  ASSERT_TRUE(known.quality);
  EXPECT_EQ(known.quality->importance, 9U);
  ASSERT_TRUE(known.policies());
  EXPECT_EQ(known.policies()->request_priority, (PriorityRange{3, 8}));
  EXPECT_EQ(known.offered_number, 12);
  ASSERT_TRUE(known.compression);
  EXPECT_EQ(known.compression->expansion, 40);
  EXPECT_EQ(text(known.listen_points), "whatever they are");
  EXPECT_EQ(known.priority(), 77) << "RT-CORBA's before ours";
  EXPECT_EQ(known.queue_priority(), 8) << "what Messaging says before both";
}

TEST(KnownContexts, TheFirstThatCanBeReadCounts) {
  const Octets bad = octets("x");
  const auto first = write_priority_context(1), second = write_priority_context(2);
  const QualityContextData quality(WireQuality{.priority = 5});
  const SentContexts sent(
      {{rt_priority_context, bad}, {rt_priority_context, first}, {rt_priority_context, second}});
  EXPECT_EQ(known_contexts(sent.contexts).priority(), 1);
  EXPECT_EQ(known_contexts(SentContexts({{quality_context, bad}}).contexts).priority(), -1);
  EXPECT_EQ(known_contexts(SentContexts({{quality_context, quality.octets()}}).contexts).priority(), 5);
}

}  // namespace
}  // namespace takt::giop::test
