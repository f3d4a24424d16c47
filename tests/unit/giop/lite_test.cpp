// GIOPlite: numbers for names, short heads, and attacks by hostile peers.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

#include "giop/known_contexts.h"
#include "giop/lite/client_names.h"
#include "giop/lite/messages.h"
#include "giop/relay.h"
#include "messages.h"

namespace takt::giop::test::lite_tests {

using lite::ClientNames;
using Role = Connection::Role;

const Octets key = octets("an object of some length");
const std::string long_operation = "an_operation_with_a_long_name";

// A request with a body by a client that uses GIOPlite.
Octets request(ClientNames& names, const PreparedTarget& target, std::uint32_t id, std::string_view operation,
               std::vector<ServiceContext> contexts = {}, ClientNames::Name** offered = nullptr) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer);
  ClientNames::Name* name = names.find(target, operation);
  std::array<std::uint8_t, number_data_bytes> offer{};
  if (name && name->known()) {
    lite::write_request(out, name->number(), {.request_id = id, .contexts = contexts, .has_body = true});
  } else {
    if (name) contexts.push_back({lite::offer_context, offer = write_number_data(name->number())});
    write_request(out, target,
                  {.request_id = id, .operation = operation, .contexts = contexts, .has_body = true});
  }
  if (offered) *offered = name;
  out.put(std::uint64_t{0x0102030405060708});
  EXPECT_TRUE(finish_message(buffer));
  return flatten(buffer);
}

Octets short_reply(std::uint32_t id, cdr::ByteOrder order = cdr::native_order,
                   std::span<const ServiceContext> contexts = {}) {
  GatherBuffer buffer;
  cdr::Format format;
  format.order = order;
  cdr::Encoder out(buffer, format);
  lite::write_reply(
      out, {.request_id = id, .status = ReplyStatus::user_exception, .contexts = contexts, .has_body = true});
  out.put(std::uint64_t{0x0102030405060708});
  EXPECT_TRUE(finish_message(buffer));
  return flatten(buffer);
}

// Handles a message as a server's channel does.
Event serve(Connection& server, const Octets& message) {
  Event event = feed(server, message);
  const auto known = known_contexts(event.contexts);
  if (known.offered_number) server.learn(*known.offered_number);
  event = server.last_event();
  return event;
}

std::uint64_t body_of(const Event& event) {
  cdr::Format format;
  format.order = event.order;
  cdr::Decoder in(event.body, event.body_index, format);
  return in.take<std::uint64_t>();
}

struct Lite : testing::Test {
  ClientNames names;
  PreparedTarget target = PreparedTarget::for_key({1, 2}, key);
  Connection server{Role::server, limits, Messaging::lite};

  // After this, the server knows the operation's number, and the client knows that it does.
  void agree(std::string_view operation = "cube_octet") {
    ClientNames::Name* offered = nullptr;
    const Event event = serve(server, request(names, target, 2, operation, {}, &offered));
    ASSERT_TRUE(event.short_head);
    names.answered(*offered, true);
  }
};

TEST_F(Lite, ARequestSaysItsNamesByNumberOnceTheServerHasLearntIt) {
  agree();
  const Octets message = request(names, target, 4, "cube_octet");
  EXPECT_EQ(message.size(), lite::head_bytes + 8);
  const Event event = serve(server, message);
  ASSERT_EQ(event.kind, EventKind::request) << event.reason;
  EXPECT_TRUE(event.short_head);
  EXPECT_EQ(text(event.object_key), text(key));
  EXPECT_EQ(event.operation, "cube_octet");
  EXPECT_EQ(event.request_id, 4u);
  EXPECT_EQ(event.response_flags, response_from_target);
  EXPECT_TRUE(event.response_expected);
  EXPECT_TRUE(event.contexts.empty());
  EXPECT_EQ(event.body_index, 16u);
  EXPECT_EQ(body_of(event), 0x0102030405060708u);
}

TEST_F(Lite, TheHeadsOfASmallCallHaveAtMostTwoFifthsOfTheOctetsOfGiops) {
  const auto bytes = [](auto write) {
    GatherBuffer buffer;
    cdr::Encoder out(buffer);
    write(out);
    return buffer.size();
  };
  const std::size_t full =
      bytes([&](auto& out) {
        write_request(out, target, {.request_id = 2, .operation = "cube_octet", .has_body = true});
      }) +
      bytes([](auto& out) { write_reply(out, {1, 2}, {.request_id = 2, .has_body = true}); });
  const std::size_t shortened =
      bytes([](auto& out) { lite::write_request(out, 7, {.request_id = 2, .has_body = true}); }) +
      bytes([](auto& out) { lite::write_reply(out, {.request_id = 2, .has_body = true}); });
  EXPECT_EQ(shortened, 32u);
  EXPECT_LE(shortened * 10, full * 4);
}

TEST_F(Lite, ServiceContextsFollowTheShortHead) {
  agree();
  const Octets data = octets("\1abc");
  const Event event = serve(server, request(names, target, 4, "cube_octet", {{77, data}}));
  ASSERT_EQ(event.kind, EventKind::request) << event.reason;
  ASSERT_EQ(event.contexts.size(), 1u);
  EXPECT_EQ(text(*event.contexts.find(77)), text(data));
  EXPECT_EQ(body_of(event), 0x0102030405060708u);
}

TEST_F(Lite, RequestsWithAndWithoutShortHeadsFollowEachOther) {
  agree();
  const Octets full = request(names, target, 4, "other");
  EXPECT_EQ(serve(server, full).operation, "other");
  EXPECT_EQ(serve(server, request(names, target, 6, "cube_octet")).operation, "cube_octet");
  const Event plain = serve(server, MessageMaker({1, 2}, cdr::native_order).request(8, "third", ""));
  EXPECT_EQ(plain.operation, "third");
  EXPECT_FALSE(plain.short_head);
}

TEST_F(Lite, LongNamesOfOperationsAreToldApart) {
  agree(long_operation);
  std::string other = long_operation;
  other[12] = 'X';
  EXPECT_TRUE(names.find(target, long_operation)->known());
  EXPECT_FALSE(names.find(target, other)->known());
  EXPECT_EQ(serve(server, request(names, target, 4, long_operation)).operation, long_operation);
}

TEST_F(Lite, ARepliesHeadIsReadInEitherOrder) {
  Connection client(Role::client, limits, Messaging::lite);
  for (const auto order : {cdr::ByteOrder::little, cdr::ByteOrder::big}) {
    const Octets data = octets("\0tell");
    const ServiceContext context{99, data};
    for (const bool told : {false, true}) {
      const Event event = feed(client, short_reply(10, order, std::span(&context, told ? 1 : 0)));
      ASSERT_EQ(event.kind, EventKind::reply) << event.reason;
      EXPECT_TRUE(event.short_head);
      EXPECT_EQ(event.request_id, 10u);
      EXPECT_EQ(event.reply_status, ReplyStatus::user_exception);
      EXPECT_EQ(event.contexts.size(), told ? 1u : 0u);
      EXPECT_EQ(body_of(event), 0x0102030405060708u);
    }
  }
}

TEST_F(Lite, AMessageMayComeOctetByOctet) {
  agree();
  for (const std::uint8_t octet : request(names, target, 4, "cube_octet")) {
    ASSERT_EQ(server.next_event().kind, EventKind::none);
    server.read_space()[0] = octet;
    server.bytes_read(1);
  }
  EXPECT_EQ(server.next_event().operation, "cube_octet");
}

TEST_F(Lite, ALongBodyMayBeStreamed) {
  agree();
  server.stream_bodies(256);
  Octets message = request(names, target, 4, "cube_octet");
  message.resize(message.size() + 4096);
  store_message_size(message.data(), static_cast<std::uint32_t>(message.size() - header_size));
  const MutableBytes space = server.read_space();
  std::copy_n(message.begin(), 100, space.begin());
  server.bytes_read(100);
  const Event& event = server.next_event();
  ASSERT_EQ(event.kind, EventKind::request) << event.reason;
  EXPECT_EQ(event.operation, "cube_octet");
  EXPECT_EQ(event.body_missing, message.size() - 100);
}

TEST_F(Lite, WithoutTheLimitsConsentNothingIsLearntAndNoShortHeadTaken) {
  Connection plain(Role::server, limits);
  EXPECT_FALSE(serve(plain, request(names, target, 2, "cube_octet")).short_head);
  agree();
  EXPECT_EQ(serve(plain, request(names, target, 4, "cube_octet")).kind, EventKind::protocol_error);
  Connection client(Role::client, limits);
  EXPECT_EQ(feed(client, short_reply(2)).kind, EventKind::protocol_error);
}

TEST_F(Lite, ANumberThatStandsForNothingEndsTheConnection) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer);
  lite::write_request(out, 17, {.request_id = 2});
  finish_message(buffer);
  const Octets message = flatten(buffer);
  EXPECT_EQ(feed(server, message).kind, EventKind::protocol_error);
  Connection second(Role::server, limits, Messaging::lite);
  serve(second, request(names, target, 2, "cube_octet"));
  EXPECT_EQ(feed(second, message).kind, EventKind::protocol_error);
}

TEST_F(Lite, WhatNoShortHeadHasIsRefused) {
  agree();
  const Octets sound = request(names, target, 4, "cube_octet");
  const auto broken = [&](std::size_t at, std::uint8_t value) {
    Connection fresh(Role::server, limits, Messaging::lite);
    ClientNames::Name* offered = nullptr;
    ClientNames other;
    serve(fresh, request(other, target, 2, "cube_octet", {}, &offered));
    Octets message = sound;
    message[at] = value;
    return feed(fresh, message).kind;
  };
  EXPECT_EQ(broken(1, 2), EventKind::protocol_error);     // version
  EXPECT_EQ(broken(6, 0x81), EventKind::protocol_error);  // flags
  EXPECT_EQ(broken(7, 5), EventKind::protocol_error);     // a type that has no short head
  EXPECT_EQ(broken(7, 1), EventKind::protocol_error);     // a reply to a server
  EXPECT_EQ(broken(6, 0x03), EventKind::protocol_error);  // invalid contexts
  EXPECT_EQ(broken(8, 0), EventKind::protocol_error);     // no room for the head
  Octets reply = short_reply(2);
  reply[lite::answer_index] = 6;
  Connection client(Role::client, limits, Messaging::lite);
  EXPECT_EQ(feed(client, reply).kind, EventKind::protocol_error);
}

TEST_F(Lite, WhatANumberStandsForNeverChanges) {
  lite::ServerNames learnt;
  EXPECT_TRUE(learnt.learn(3, key, "one"));
  EXPECT_TRUE(learnt.learn(3, key, "one"));
  EXPECT_FALSE(learnt.learn(3, key, "two"));
  EXPECT_FALSE(learnt.learn(3, octets("another key"), "one"));
  EXPECT_EQ(learnt.find(3)->operation, "one");
  EXPECT_EQ(learnt.find(2), nullptr);
  EXPECT_EQ(learnt.find(4), nullptr);
}

TEST_F(Lite, ThereIsABoundToNumbersAndToNames) {
  lite::ServerNames learnt;
  EXPECT_TRUE(learnt.learn(lite::max_names - 1, key, "last"));
  EXPECT_FALSE(learnt.learn(lite::max_names, key, "beyond"));
  EXPECT_EQ(learnt.find(lite::max_names), nullptr);
  EXPECT_TRUE(learnt.learn(0, Octets(lite::max_name_octets - 2), "ab"));
  EXPECT_FALSE(learnt.learn(1, Octets(lite::max_name_octets - 2), "abc"));
  EXPECT_FALSE(learnt.learn(1, Octets(lite::max_name_octets + 1), ""));
}

TEST_F(Lite, AClientNumbersNoMoreNamesThanThereAreNumbersAndEachOnce) {
  std::vector<bool> used(lite::max_names);
  std::size_t numbered = 0;
  for (std::size_t i = 0; i < 3 * lite::max_names; ++i) {
    const ClientNames::Name* name = names.find(target, "operation_" + std::to_string(i));
    if (!name) continue;
    ++numbered;
    EXPECT_FALSE(used[name->number()]);
    used[name->number()] = true;
  }
  EXPECT_LE(numbered, lite::max_names);
  EXPECT_GE(numbered, lite::max_names / 2);
  EXPECT_EQ(names.find(target, std::string(lite::max_name_octets, 'x')), nullptr);
}

TEST_F(Lite, ReferencesToOneObjectShareItsNumbers) {
  const PreparedTarget again = PreparedTarget::for_key({1, 2}, key);
  const PreparedTarget other = PreparedTarget::for_key({1, 2}, octets("an object of some Length"));
  EXPECT_EQ(names.find(target, "op"), names.find(again, "op"));
  EXPECT_NE(names.find(target, "op"), names.find(other, "op"));
  EXPECT_NE(names.find(target, "op"), names.find(target, "po"));
  EXPECT_NE(names.find(target, ""), nullptr);
  EXPECT_NE(names.find(target, "longer"), names.find(target, "l"));
}

TEST_F(Lite, RequestsOfOtherKindsHaveNoNumber) {
  EXPECT_EQ(names.find(PreparedTarget::for_key({1, 1}, key), "op"), nullptr);
  EXPECT_EQ(names.find(PreparedTarget::for_profile({0, key}), "op"), nullptr);
  EXPECT_EQ(names.find(PreparedTarget(), "op"), nullptr);
}

TEST_F(Lite, AServerThatDoesNotSpeakItIsOfferedNothingMore) {
  ClientNames::Name* const name = names.find(target, "op");
  names.sent(*name);
  EXPECT_FALSE(name->known());
  names.answered(*name, false);
  EXPECT_EQ(names.find(target, "op"), nullptr);
  EXPECT_EQ(names.find(target, "another"), nullptr);
}

TEST_F(Lite, OnceItIsAgreedOnAOnewayThatHasLeftIsEnough) {
  agree();
  ClientNames::Name* const name = names.find(target, "note");
  EXPECT_FALSE(name->known());
  names.sent(*name);
  EXPECT_TRUE(name->known());
  names.answered(*names.find(target, "third"), false);  // a reply in another form withdraws nothing
  EXPECT_NE(names.find(target, "fourth"), nullptr);
}

TEST_F(Lite, ThreadsThatNumberTheSameNamesAgree) {
  std::vector<std::thread> threads;
  std::vector<std::vector<ClientNames::Name*>> found(4);
  for (auto& mine : found)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) mine.push_back(names.find(target, "operation_" + std::to_string(i)));
    });
  for (auto& thread : threads) thread.join();
  for (const auto& theirs : found) EXPECT_EQ(theirs, found[0]);
}

TEST_F(Lite, ABridgeDoesNotPassOffersOn) {
  const Octets offer = octets(std::string_view("\1\0\3\0", 4));
  const Octets data = octets("data");
  const auto message = MessageMaker({1, 2}, cdr::native_order)
                           .request(2, "op", "", {{lite::offer_context, offer}, {77, data}});
  const auto passed = contexts_to_relay(feed(server, message).contexts);
  ASSERT_EQ(passed.size(), 1u);
  EXPECT_EQ(passed[0].id, 77u);
}

TEST_F(Lite, AnOfferThatDoesNotHoldTogetherIsPassedOver) {
  EXPECT_EQ(read_number_data({}), std::nullopt);
  EXPECT_EQ(read_number_data(octets(std::string_view("\1\0\3", 3))), std::nullopt);
  EXPECT_EQ(read_number_data(octets(std::string_view("\2\0\3\0", 4))), std::nullopt);
  EXPECT_EQ(read_number_data(octets(std::string_view("\1\0\3\0", 4))), 3);
  EXPECT_EQ(read_number_data(octets(std::string_view("\0\0\0\3", 4))), 3);
}

}  // namespace takt::giop::test::lite_tests
