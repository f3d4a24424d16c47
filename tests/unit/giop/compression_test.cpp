// Compressed messages: their exact octets, both directions, and false claims in their headers.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "giop/compression/compressor.h"
#include "giop/compression/zlib_method.h"
#include "giop/known_contexts.h"
#include "giop/lite/messages.h"
#include "giop/relay.h"
#include "messages.h"

namespace takt::giop::test::compression_tests {

using namespace compression;
using Role = Connection::Role;

constexpr Messaging compressed{.compression = true};
const MethodList zlib = default_methods();
constexpr std::uint16_t expansion = 100;

std::string text_of(std::size_t bytes) {
  std::string all;
  for (int i = 0; all.size() < bytes; ++i) all += "sensor " + std::to_string(i * i % 977) + " reads well; ";
  return all.substr(0, bytes);
}

// Octets that deflate cannot compress.
std::string noise_of(std::size_t bytes) {
  std::uint32_t state = 1;
  std::string all;
  while (all.size() < bytes) all += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  return all;
}

// A complete request as in a client's buffer, with a borrowed body.
void write_request_to(GatherBuffer& buffer, std::uint32_t id, const std::string& body) {
  static const PreparedTarget target = PreparedTarget::for_key({1, 2}, octets("the key"));
  buffer.clear();
  cdr::Encoder out(buffer);
  write_request(out, target, {.request_id = id, .operation = "op", .has_body = !body.empty()});
  buffer.borrow({reinterpret_cast<const std::uint8_t*>(body.data()), body.size()});
  finish_message(buffer);
}
void write_request_to(GatherBuffer& buffer, std::uint32_t id, std::string&& body) = delete;

struct Compression : testing::Test {
  Connection server{Role::server, limits, compressed, zlib};
  Connection client{Role::client, limits, compressed, zlib};
  GatherBuffer request;

  Octets pack(const std::string& body, CompressionSettings settings = {},
              std::uint16_t peer_expansion = expansion) {
    write_request_to(request, 2, body);
    Compressor compressor(settings, expansion);
    compressor.agree({peer_expansion, zlib_number});
    return flatten(compressor.pack(request));
  }
  Octets pack_reply(std::uint32_t id, bool announced) {
    GatherBuffer reply;
    cdr::Encoder out(reply);
    write_reply(out, {1, 2}, {.request_id = id});
    finish_message(reply);
    Compressor compressor({}, 40);
    compressor.agree({expansion, zlib_number});
    if (announced) compressor.announce();
    return flatten(compressor.pack(reply));
  }
};

std::string refusal_of(const Octets& message, const Limits& with = limits) {
  Connection fresh(Role::server, with, compressed, zlib);
  const Event event = feed(fresh, message);
  return event.kind == EventKind::protocol_error ? event.reason : "";
}

void patch_u32(Octets& message, std::size_t index, std::uint32_t value) {
  std::memcpy(message.data() + index, &value, sizeof value);
}

TEST_F(Compression, ALongMessageGoesShorterAndComesAsItWas) {
  const std::string body = text_of(20'000);
  const Octets message = pack(body);
  EXPECT_EQ(message[0], 'Z');
  EXPECT_LT(message.size(), body.size() / 3);
  const Event event = feed(server, message);
  ASSERT_EQ(event.kind, EventKind::request) << event.reason;
  EXPECT_EQ(event.version, (Version{1, 2}));
  EXPECT_EQ(event.request_id, 2u);
  EXPECT_EQ(text(event.object_key), "the key");
  EXPECT_EQ(event.operation, "op");
  EXPECT_EQ(text(event.body), body);
  EXPECT_EQ(event.body_missing, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(event.body.data()) % 8, event.body_index % 8);
  EXPECT_EQ(server.wanted_by_peer().expansion, expansion);
  EXPECT_FALSE(server.mid_message());
  const Event next = feed(server, pack("x"));
  EXPECT_EQ(next.kind, EventKind::request) << "and then as ever";
}

// A deflate stream of stored blocks is the same with every version of zlib.
TEST_F(Compression, TheOctetsAreThoseOfTheDocument) {
  const Octets inside = MessageMaker({1, 2}, cdr::ByteOrder::little).request(2, "op", "");
  const std::size_t size = inside.size();
  ASSERT_EQ(size, 48u);
  std::uint32_t a = 1, b = 0;  // Adler-32 (RFC 1950)
  for (const std::uint8_t octet : inside) b = (b + (a = (a + octet) % 65521)) % 65521;
  Octets message = {'Z', 1, 1, 0, 100,  0,    1,    0,  63, 0,    0,   0,
                    48,  0, 0, 0, 0x78, 0x01, 0x01, 48, 0,  0xcf, 0xff};
  message.insert(message.end(), inside.begin(), inside.end());
  for (const std::uint32_t half : {b, a}) {
    message.push_back(static_cast<std::uint8_t>(half >> 8));
    message.push_back(static_cast<std::uint8_t>(half));
  }
  ASSERT_EQ(message.size(), 12u + 63);
  const Event event = feed(server, message);
  ASSERT_EQ(event.kind, EventKind::request) << event.reason;
  EXPECT_EQ(event.operation, "op");

  Octets as_it_is = {'Z', 1, 0, 0, 0, 100, 0, 0, 0, 0, 0, 52, 0, 0, 0, 48};  // uncompressed, and big-endian
  as_it_is.insert(as_it_is.end(), inside.begin(), inside.end());
  Connection other(Role::server, limits, compressed, zlib);
  EXPECT_EQ(feed(other, as_it_is).operation, "op");
  EXPECT_EQ(other.wanted_by_peer().expansion, 100);
  EXPECT_EQ(other.wanted_by_peer().method, zlib_number) << "where it names none";
}

TEST_F(Compression, WhatIsShortOrWouldNotBecomeShorterGoesAsItIs) {
  EXPECT_EQ(pack(text_of(1000 - 48), {.threshold_bytes = 1000})[0], 'G');
  EXPECT_EQ(pack(text_of(1001 - 48), {.threshold_bytes = 1000})[0], 'Z');
  EXPECT_EQ(pack(noise_of(20'000))[0], 'G');
  for (const std::uint16_t takes : {0, 1}) EXPECT_EQ(pack(text_of(20'000), {}, takes)[0], 'G') << takes;
  EXPECT_EQ(pack("", {.threshold_bytes = 0})[0], 'G');
}

TEST_F(Compression, ReplyAndRequestAloneAreCompressed) {
  Compressor compressor({.threshold_bytes = 0}, expansion);
  compressor.agree({expansion, zlib_number});
  compressor.announce();
  const auto stays = [&](Version version, auto write) {
    GatherBuffer buffer;
    cdr::Encoder out(buffer);
    write(out);
    finish_message(buffer);
    return &compressor.pack(buffer) == &buffer && rules_of(version).fragments;
  };
  EXPECT_TRUE(
      stays({1, 2}, [](auto& out) { write_locate_reply(out, {1, 2}, 2, LocateStatus::object_here); }));
  EXPECT_TRUE(stays({1, 1}, [](auto& out) { write_reply(out, {1, 1}, {.request_id = 2}); }));
}

TEST_F(Compression, WhatExpandsMoreThanThePeerInflatesIsPadded) {
  const std::string body(100'000, '\0');
  for (const std::uint16_t takes : {std::uint16_t{2}, std::uint16_t{10}, max_expansion}) {
    const Octets message = pack(body, {}, takes);
    EXPECT_EQ(message[0], 'Z');
    EXPECT_GE(message.size() * takes, body.size());
    Limits peer;
    peer.expansion = takes;
    Connection reader(Role::server, peer, compressed, zlib);
    EXPECT_EQ(text(feed(reader, message).body), body) << takes;
  }
  EXPECT_LT(pack(body, {}, max_expansion).size(), 1000u) << "where nothing is padded";
}

TEST_F(Compression, TheFirstReplyTellsTheClientHoweverShortItIs) {
  EXPECT_EQ(pack_reply(2, false)[0], 'G');
  const Octets announced = pack_reply(2, true);
  EXPECT_EQ(announced[0], 'Z');
  EXPECT_EQ(announced.size(), 16u + 24);
  EXPECT_EQ(client.wanted_by_peer().expansion, 0);
  const Event event = feed(client, announced);
  ASSERT_EQ(event.kind, EventKind::reply) << event.reason;
  EXPECT_EQ(event.request_id, 2u);
  EXPECT_EQ(client.wanted_by_peer().expansion, 40);
}

TEST_F(Compression, ShortHeadsMayBeInside) {
  const std::string body = text_of(5000);
  GatherBuffer buffer;
  cdr::Encoder out(buffer);
  lite::write_reply(out, {.request_id = 2, .has_body = true});
  out.put_octets(octets(body));
  finish_message(buffer);
  Compressor compressor({}, expansion);
  compressor.agree({expansion, zlib_number});
  const Octets message = flatten(compressor.pack(buffer));
  EXPECT_EQ(message[0], 'Z');
  Connection both(Role::client, limits, {.short_heads = true, .compression = true}, zlib);
  const Event event = feed(both, message);
  ASSERT_EQ(event.kind, EventKind::reply) << event.reason;
  EXPECT_TRUE(event.short_head);
  EXPECT_EQ(text(event.body), body);
  EXPECT_EQ(feed(client, message).kind, EventKind::protocol_error) << "no short heads were agreed on";
}

TEST_F(Compression, ALongOneIsNotStreamed) {
  const std::string body = noise_of(40'000) + std::string(40'000, 'x');
  const Octets message = pack(body);
  ASSERT_EQ(message[0], 'Z');
  server.stream_bodies(1024);
  const Event event = feed(server, message);
  ASSERT_EQ(event.kind, EventKind::request);
  EXPECT_EQ(event.body_missing, 0u);
  EXPECT_EQ(text(event.body), body);
}

TEST_F(Compression, AConnectionWithoutItRefusesThem) {
  Connection plain(Role::server, limits);
  EXPECT_EQ(feed(plain, pack(text_of(5000))).kind, EventKind::protocol_error);
}

// The first three are refused without inflating anything.
TEST_F(Compression, BombsAreRefusedAtTheirHeads) {
  Limits narrow;
  narrow.message_bytes = 50'000;
  EXPECT_EQ(refusal_of(pack(text_of(60'000)), narrow), "a compressed message longer inside than the limit");
  EXPECT_EQ(refusal_of(pack(std::string(100'000, 'x'), {}, max_expansion)),
            "a compressed message that expands more than the limit");
  Octets lie = pack(text_of(20'000));
  patch_u32(lie, 12, 0xffffffff);
  EXPECT_EQ(refusal_of(lie), "a compressed message longer inside than the limit");
  for (const std::uint32_t claimed : {20'047u, 20'049u, 30'000u, 12u}) {
    patch_u32(lie, 12, claimed);
    EXPECT_EQ(refusal_of(lie), "a compressed message that is not what it says") << claimed;
  }
}

TEST_F(Compression, WhatDoesNotHoldTogetherIsMalformed) {
  const Octets whole = pack(text_of(5000));
  const auto broken = [&](std::size_t index, std::uint8_t octet) {
    Octets message = whole;
    message[index] = octet;
    return refusal_of(message);
  };
  EXPECT_NE(broken(1, 2), "");                                // version
  EXPECT_NE(broken(2, 2), "");                                // method
  EXPECT_NE(broken(6, 3), "");                                // flags
  EXPECT_NE(broken(7, 1), "");                                // a reply to a server
  EXPECT_NE(broken(7, 3), "");                                // a type that is never compressed
  EXPECT_NE(broken(16, 0x79), "");                            // invalid for zlib
  EXPECT_NE(broken(whole.size() - 1, whole.back() ^ 1), "");  // the checksum
  EXPECT_NE(broken(whole.size() / 2, whole[whole.size() / 2] ^ 0x40), "");
  Octets empty(whole.begin(), whole.begin() + 12);
  patch_u32(empty, 8, 0);
  EXPECT_EQ(refusal_of(empty), "a compressed message shorter than its own head");
  Octets cut(whole.begin(), whole.end() - 4);
  patch_u32(cut, 8, static_cast<std::uint32_t>(cut.size() - 12));
  EXPECT_NE(refusal_of(cut), "");
}

TEST_F(Compression, WhatIsInsideIsAWholeMessageOfItsKind) {
  const auto wrapped = [](const Octets& inside, std::uint8_t type = 0) {
    Octets message = {'Z', 1, 0, 0, 100, 0, 1, type, 0, 0, 0, 0, 0, 0, 0, 0};
    patch_u32(message, 8, static_cast<std::uint32_t>(inside.size() + 4));
    patch_u32(message, 12, static_cast<std::uint32_t>(inside.size()));
    message.insert(message.end(), inside.begin(), inside.end());
    return message;
  };
  const MessageMaker now({1, 2}, cdr::ByteOrder::little);
  const Octets whole = now.request(2, "op", "body");
  EXPECT_EQ(refusal_of(wrapped(whole)), "");
  EXPECT_NE(refusal_of(wrapped(wrapped(whole))), "") << "one inside one inside";
  EXPECT_NE(refusal_of(wrapped(MessageMaker({1, 1}, cdr::ByteOrder::little).request(2, "op", ""))), "");
  EXPECT_NE(refusal_of(wrapped(now.cancel(2))), "");
  EXPECT_NE(refusal_of(wrapped(now.reply(2, ReplyStatus::no_exception, ""))), "");
  Octets longer = whole;
  longer.push_back(0);
  EXPECT_NE(refusal_of(wrapped(longer)), "");
  Octets part = whole;
  part[6] |= more_fragments_flag;
  EXPECT_NE(refusal_of(wrapped(part)), "");
  EXPECT_NE(refusal_of(wrapped(octets("GIOP"))), "");
}

// Claims success without decompressing anything.
class Liar final : public CompressionMethod {
 public:
  explicit Liar(std::uint8_t number, std::size_t written = SIZE_MAX) : number_(number), written_(written) {}
  std::string_view name() const override { return "liar"; }
  std::uint8_t number() const override { return number_; }
  std::size_t compress(std::span<const ByteView>, MutableBytes room, int) const noexcept override {
    std::ranges::fill(room, std::uint8_t{7});
    return written_;
  }
  bool expand(ByteView, MutableBytes) const noexcept override { return true; }

 private:
  const std::uint8_t number_;
  const std::size_t written_;
};
const Liar liar(200), other_liar(201);

MethodList list_of(std::initializer_list<const CompressionMethod*> methods) {
  MethodList list;
  for (const CompressionMethod* const method : methods) list.add(*method);
  return list;
}

std::optional<Wanted> accepted(const OfferData& offer, const MethodList& ours) {
  const auto read = read_offer(offer.octets());
  return read ? read->accepted_by(ours) : std::nullopt;
}

TEST_F(Compression, TheFirstMethodOfTheClientThatTheServerHasIsUsed) {
  const ZlibMethod usual;
  const MethodList both = list_of({&liar, &usual}), otherwise = list_of({&usual, &liar}), another(other_liar);
  EXPECT_EQ(accepted({expansion, both}, otherwise)->method, 200);
  EXPECT_EQ(accepted({expansion, otherwise}, both)->method, zlib_number);
  EXPECT_EQ(accepted({expansion, both}, zlib)->method, zlib_number);
  EXPECT_EQ(accepted({expansion, zlib}, both)->expansion, expansion);
  EXPECT_FALSE(accepted({expansion, another}, both));
  EXPECT_FALSE(accepted({expansion, zlib}, {})) << "it does not compress";
}

TEST_F(Compression, AnOfferOfZlibAloneIsWhatItWasBeforeThereWereOthers) {
  const auto number = write_number_data(expansion);
  EXPECT_TRUE(std::ranges::equal(OfferData(expansion, zlib).octets(), number));
  EXPECT_EQ(read_offer(number)->accepted_by(zlib)->expansion, expansion);
}

TEST_F(Compression, AnOfferThatDoesNotHoldTogetherIsNone) {
  const OfferData offer(expansion, list_of({&liar, &other_liar}));
  const ByteView whole = offer.octets();
  ASSERT_EQ(whole.size(), 10u);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(read_offer(whole.first(size)).has_value(), size == number_data_bytes) << size;
  const std::uint8_t big_endian[] = {0, 0, 0, expansion, 0, 0, 0, 1, 200};
  EXPECT_EQ(read_offer(big_endian)->accepted_by(MethodList(liar))->expansion, expansion);
}

TEST_F(Compression, OfAnOfferOfManyMethodsTheFirstAreLookedAt) {
  Octets data = {0, 0, 0, expansion, 0, 0, 0, most_methods + 1};
  data.resize(data.size() + most_methods, 201);
  data.push_back(200);
  EXPECT_EQ(read_offer(data)->methods.size(), most_methods);
  EXPECT_FALSE(read_offer(data)->accepted_by(MethodList(liar)));
}

TEST_F(Compression, TheReplyTellsTheMethodThatWasChosen) {
  const MethodList both = list_of({&liar, &other_liar});
  Connection reader(Role::client, limits, compressed, both);
  GatherBuffer reply;
  cdr::Encoder out(reply);
  write_reply(out, {1, 2}, {.request_id = 2});
  finish_message(reply);
  Compressor compressor({}, expansion, both);
  compressor.agree({expansion, 200});
  compressor.announce();
  EXPECT_EQ(feed(reader, flatten(compressor.pack(reply))).kind, EventKind::reply);
  EXPECT_EQ(reader.wanted_by_peer().method, 200);
}

TEST_F(Compression, AMethodThatWasNotAgreedOnIsRefusedAtTheHead) {
  Octets message = pack(text_of(5000));
  message[2] = 200;
  message.resize(12);
  EXPECT_NE(refusal_of(message), "");
  Compressor compressor({}, expansion, zlib);
  compressor.agree({expansion, 200});
  const std::string body = text_of(5000);
  write_request_to(request, 2, body);
  EXPECT_EQ(flatten(compressor.pack(request))[0], 'G') << "the peer asks for what we do not have";
}

TEST_F(Compression, AMethodThatLiesHarmsNobody) {
  const std::string body = text_of(4000);
  for (const std::size_t written : {std::size_t{0}, std::size_t{5000}, SIZE_MAX}) {
    const Liar one(200, written);
    Compressor compressor({}, expansion, MethodList(one));
    compressor.agree({expansion, 200});
    write_request_to(request, 2, body);
    EXPECT_EQ(flatten(compressor.pack(request))[0], 'G') << written;
  }
  const Liar short_one(200, 100);
  Compressor compressor({}, expansion, MethodList(short_one));
  compressor.agree({expansion, 200});
  write_request_to(request, 2, body);
  const Octets message = flatten(compressor.pack(request));
  Connection reader(Role::server, limits, compressed, MethodList(liar));
  EXPECT_EQ(feed(reader, message).kind, EventKind::protocol_error) << "zeros are no message";
}

TEST(CompressionMethods, AreFoundByTheirNames) {
  Methods methods;
  EXPECT_EQ(methods.named("zlib")->all().size(), 1u);
  methods.add(std::make_unique<Liar>(200));
  const auto both = methods.named("liar, zlib");
  ASSERT_TRUE(both);
  EXPECT_EQ(both->all()[0]->number(), 200);
  EXPECT_EQ(methods.named("zip").error(),
            "there is no method 'zip' of compression; this ORB has zlib, liar, and plug-ins bring others");
  EXPECT_EQ(methods.named("zlib,zlib").error(), "method 'zlib' of compression comes twice");
  EXPECT_FALSE(methods.named(" ,"));
}

TEST_F(Compression, ABridgeDoesNotPassOffersOn) {
  const auto data = write_number_data(expansion);
  const auto message = MessageMaker({1, 2}, cdr::native_order).request(2, "op", "", {{offer_context, data}});
  const Event event = feed(server, message);
  EXPECT_EQ(known_contexts(event.contexts).compression->expansion, expansion);
  EXPECT_TRUE(contexts_to_relay(event.contexts).empty());
}

}  // namespace takt::giop::test::compression_tests
