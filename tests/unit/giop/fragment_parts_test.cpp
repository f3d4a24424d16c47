// Bodies of GIOP 1.1 messages in fragments, as a connection passes them to a decoder.
#include "giop/fragments/fragment_parts.h"

#include <gtest/gtest.h>

#include "giop/message/body_copy.h"
#include "messages.h"

namespace takt::giop::test {
namespace {

Octets counted(std::size_t size) {
  Octets octets(size);
  for (std::size_t i = 0; i < size; ++i) octets[i] = static_cast<std::uint8_t>(i);
  return octets;
}

TEST(FragmentParts, each_has_indices_from_the_head_of_its_fragment) {
  const Octets whole = counted(50);
  const FragmentParts parts(whole, {20, 30, 31});
  EXPECT_EQ(parts.first_bytes(), 20u);
  EXPECT_EQ(parts.octets().data(), whole.data());
  struct Expected {
    std::size_t missing, first, size, index;
  };
  for (const Expected& e :
       {Expected{50, 0, 20, 0}, Expected{35, 15, 5, 15}, Expected{30, 20, 10, 12}, Expected{25, 25, 5, 17},
        Expected{20, 30, 1, 12}, Expected{19, 31, 19, 12}, Expected{1, 49, 1, 30}}) {
    const auto part = parts.part(e.missing);
    ASSERT_EQ(part.octets.size(), e.size) << e.missing;
    EXPECT_EQ(part.octets.front(), e.first) << e.missing;
    EXPECT_EQ(part.first_index, e.index) << e.missing;
  }
  Octets copy = whole;
  EXPECT_EQ(parts.moved_to(copy).part(30).octets.data(), copy.data() + 20);
}

TEST(FragmentParts, are_no_stream) {
  const Octets whole = counted(20);
  FragmentParts parts(whole, {16});
  Octets some(1);
  EXPECT_FALSE(parts.read_exact(some));
}

// The fragments of a message that is cut at these positions. `data` is the data of each fragment but the
// first.
std::vector<Octets> cut_at(const MessageMaker& maker, const Octets& whole, std::vector<std::size_t> cuts) {
  Octets first(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cuts.front()));
  first[6] |= more_fragments_flag;
  store_message_size(first.data(), static_cast<std::uint32_t>(first.size() - header_size));
  std::vector<Octets> messages{first};
  cuts.push_back(whole.size());
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const ByteView data = ByteView(whole).subspan(cuts[i], cuts[i + 1] - cuts[i]);
    messages.push_back(maker.make(MessageType::fragment, [&](cdr::Encoder& out) { out.put_octets(data); }));
    if (i + 2 < cuts.size()) messages.back()[6] |= more_fragments_flag;
  }
  return messages;
}

// Reads what the connection delivers, from the event and from a copy of it.
template <class Read>
void expect_read(const MessageMaker& maker, const Octets& whole, const std::vector<std::size_t>& cuts,
                 Read read) {
  Connection connection(Connection::Role::server, limits);
  Event event;
  for (const Octets& message : cut_at(maker, whole, cuts)) event = feed(connection, message);
  ASSERT_EQ(event.kind, EventKind::request);
  ASSERT_NE(event.parts, nullptr);
  cdr::Format format;
  format.order = event.order;
  format.giop_minor = 1;
  cdr::Decoder in(event.body, event.body_index, format);
  in.set_source(event.parts, event.body_missing);
  read(in);
  std::vector<std::uint8_t> storage;
  FragmentParts parts;
  const BodyCopy copied = copy_body(event, 5, storage, parts);
  EXPECT_EQ(copied.rest.size(), 5u);
  cdr::Decoder from_copy(copied.body, event.body_index, format);
  from_copy.set_source(&parts, event.body_missing);
  read(from_copy);
}

TEST(FragmentParts, of_a_connection_are_read_wherever_they_begin) {
  for (const auto order : {cdr::ByteOrder::big, cdr::ByteOrder::little}) {
    const MessageMaker maker({1, 1}, order);
    const std::string body = "0123456789abcdefghijklmnopqrstuvwxyz";
    const Octets whole = maker.request(2, "op", body);
    const std::size_t begins = whole.size() - body.size();
    for (std::size_t cut = begins - 2; cut < whole.size(); ++cut)
      for (std::size_t second = cut + 1; second < whole.size(); ++second)
        expect_read(maker, whole, {cut, second}, [&](cdr::Decoder& in) {
          ASSERT_EQ(in.remaining(), body.size());
          ASSERT_EQ(text(in.get_octets_view(20)), body.substr(0, 20));
          Octets rest(16);
          ASSERT_TRUE(in.get_octets(rest));
          ASSERT_EQ(text(rest), body.substr(20));
          ASSERT_EQ(in.remaining(), 0u);
          ASSERT_TRUE(in.get_octets_view(1).empty());
          ASSERT_EQ(in.error(), cdr::Error::underflow);
        });
  }
}

TEST(FragmentParts, of_a_connection_align_numbers_by_their_fragment) {
  const MessageMaker maker({1, 1}, cdr::native_order);
  Octets whole = maker.request(2, "op", std::string());
  const std::size_t begins = whole.size();
  whole.resize(begins + 3 + 4 + 8 + 2);
  whole[begins] = 1;              // an octet, followed by two octets of padding in its fragment
  whole[begins + 3 + 4] = 2;      // in the second fragment, after 4 octets of padding: an octet of a double
  whole[begins + 3 + 4 + 8] = 3;  // in the third
  store_message_size(whole.data(), static_cast<std::uint32_t>(whole.size() - header_size));
  expect_read(maker, whole, {begins + 3, begins + 3 + 4 + 8}, [&](cdr::Decoder& in) {
    EXPECT_EQ(in.get_u8(), 1u);
    EXPECT_EQ(in.take<std::uint64_t>(), cdr::native_order == cdr::ByteOrder::little ? 2u : 2ull << 56);
    EXPECT_EQ(in.get_u16(), cdr::native_order == cdr::ByteOrder::little ? 3u : 3u << 8);
    EXPECT_TRUE(in.ok());
    EXPECT_EQ(in.remaining(), 0u);
  });
}

}  // namespace
}  // namespace takt::giop::test
