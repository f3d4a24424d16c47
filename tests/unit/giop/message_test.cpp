// Each kind of message, from Takt or from other ORBs, is read correctly.
#include "messages.h"

#include <array>
#include <set>
#include <utility>

#include <takt/cdr/decoder.h>

#include "giop/heads/head_parser.h"
#include "giop/message/system_exception.h"
#include "giop/message_form.h"
#include "giop/references/profile.h"

namespace takt::giop::test {
namespace {

Heard only(Connection::Role role, const Octets& message) {
  Connection connection(role, limits);
  auto heard = hear(connection, message);
  EXPECT_EQ(heard.size(), 1u);
  return heard.empty() ? Heard(Event{}) : heard.front();
}

TEST(Message, RequestsOfAllVersionsAndOrders) {
  const Octets data = octets("some data");
  for (const MessageMaker& maker : all_makers()) {
    SCOPED_TRACE(testing::Message() << int(maker.version.minor) << " " << int(maker.order));
    const Heard heard = only(Connection::Role::server,
                             maker.request(77, "cube_octet", "the body", {{7, data}, {0x54410005, data}}));
    EXPECT_EQ(heard.what.kind, EventKind::request);
    EXPECT_EQ(heard.what.version, maker.version);
    EXPECT_EQ(heard.what.order, maker.order);
    EXPECT_EQ(heard.what.request_id, 77u);
    EXPECT_TRUE(heard.what.response_expected);
    EXPECT_EQ(heard.what.response_flags, response_from_target);
    EXPECT_EQ(heard.key, "the key");
    EXPECT_EQ(heard.operation, "cube_octet");
    EXPECT_EQ(heard.body, "the body");
    EXPECT_TRUE(heard.aligned);
    ASSERT_EQ(heard.contexts.size(), 2u);
    EXPECT_EQ(heard.contexts[1], std::make_pair(0x54410005u, std::string("some data")));
    if (maker.version.minor == 2) {
      EXPECT_EQ(heard.what.body_index % 8, 0u);
    }
  }
}

TEST(Message, RepliesOfAllVersionsAndOrders) {
  for (const MessageMaker& maker : all_makers()) {
    const Octets data = octets("x");
    const Heard heard =
        only(Connection::Role::client, maker.reply(5, ReplyStatus::location_forward, "body", {{10, data}}));
    EXPECT_EQ(heard.what.kind, EventKind::reply);
    EXPECT_EQ(heard.what.request_id, 5u);
    EXPECT_EQ(heard.what.reply_status, ReplyStatus::location_forward);
    EXPECT_EQ(heard.body, "body");
    ASSERT_EQ(heard.contexts.size(), 1u);
    EXPECT_EQ(heard.contexts[0].second, "x");
  }
}

TEST(Message, TheOthersOfAllVersionsAndOrders) {
  for (const MessageMaker& maker : all_makers()) {
    const Heard locate = only(Connection::Role::server, maker.locate_request(3));
    EXPECT_EQ(locate.what.kind, EventKind::locate_request);
    EXPECT_EQ(locate.what.request_id, 3u);
    EXPECT_EQ(locate.key, "the key");
    const Heard located = only(Connection::Role::client, maker.locate_reply(3, LocateStatus::object_forward));
    EXPECT_EQ(located.what.kind, EventKind::locate_reply);
    EXPECT_EQ(located.what.locate_status, LocateStatus::object_forward);
    const Heard cancel = only(Connection::Role::server, maker.cancel(9));
    EXPECT_EQ(cancel.what.kind, EventKind::cancel);
    EXPECT_EQ(cancel.what.request_id, 9u);
    EXPECT_EQ(only(Connection::Role::client, maker.close()).what.kind, EventKind::close);
    EXPECT_EQ(only(Connection::Role::server, maker.error()).what.kind, EventKind::message_error);
  }
}

TEST(Message, OurRequestsAreThoseOfTheTables) {
  const Octets data = octets("0123");
  for (std::uint8_t minor = 0; minor <= highest_minor; ++minor)
    for (const bool with_contexts : {false, true})
      for (const std::string body : {"", "12345678"})
        for (const char* operation : {"a", "abc", "abcd", "longer_than_sixteen_octets"}) {
          const MessageMaker maker({1, minor}, cdr::native_order);
          std::vector<ServiceContext> contexts;
          if (with_contexts) contexts.push_back({1, data});
          const auto target = PreparedTarget::for_key({1, minor}, octets(maker.key));
          GatherBuffer buffer(16);
          cdr::Encoder out(buffer);
          write_request(
              out, target,
              {.request_id = 42, .operation = operation, .contexts = contexts, .has_body = !body.empty()});
          out.put_octets(octets(body));
          finish_message(buffer);
          EXPECT_EQ(flatten(buffer), maker.request(42, operation, body, contexts))
              << int(minor) << with_contexts << operation << body;
        }
}

TEST(Message, OurRepliesAreThoseOfTheTables) {
  const Octets data = octets("0123");
  for (const MessageMaker& maker : all_makers())
    for (const bool with_contexts : {false, true}) {
      std::vector<ServiceContext> contexts;
      if (with_contexts) contexts.push_back({1, data});
      GatherBuffer buffer(16);
      cdr::Format format;
      format.order = maker.order;
      cdr::Encoder out(buffer, format);
      write_reply(
          out, maker.version,
          {.request_id = 42, .status = ReplyStatus::user_exception, .contexts = contexts, .has_body = true});
      out.put_octets(octets("body"));
      finish_message(buffer);
      EXPECT_EQ(flatten(buffer), maker.reply(42, ReplyStatus::user_exception, "body", contexts));
    }
}

TEST(Message, OurSmallMessagesAreThoseOfTheTables) {
  for (std::uint8_t minor = 0; minor <= highest_minor; ++minor) {
    const MessageMaker maker({1, minor}, cdr::native_order);
    const auto same = [](const auto& array, const Octets& expected) {
      EXPECT_EQ(Octets(array.begin(), array.end()), expected);
    };
    same(close_connection({1, minor}), maker.close());
    same(message_error(minor), maker.error());
    same(cancel_request({1, minor}, 8), maker.cancel(8));
    GatherBuffer request;
    cdr::Encoder out(request);
    write_locate_request(out, PreparedTarget::for_key({1, minor}, octets(maker.key)), 4);
    finish_message(request);
    EXPECT_EQ(flatten(request), maker.locate_request(4));  // nothing follows the key: omniORB refuses that
    GatherBuffer reply;
    cdr::Encoder reply_out(reply);
    write_locate_reply(reply_out, {1, minor}, 4, LocateStatus::object_here);
    finish_message(reply);
    EXPECT_EQ(flatten(reply), maker.locate_reply(4, LocateStatus::object_here));
  }
}

TEST(Message, ACancelIsOfTheVersionOfItsRequest) {
  for (const MessageMaker& maker : all_makers()) {
    const auto cancel = cancel_request(maker.request(8, "op", "").data(), 8);
    EXPECT_EQ(Octets(cancel.begin(), cancel.end()), MessageMaker(maker.version, cdr::native_order).cancel(8));
  }
  const Octets short_head = octets("L\x01\x03");  // from GIOPlite, whose other messages are those of GIOP 1.2
  Octets request(16);
  std::ranges::copy(short_head, request.begin());
  const auto cancel = cancel_request(request.data(), 9);
  EXPECT_EQ(Octets(cancel.begin(), cancel.end()), MessageMaker({1, 2}, cdr::native_order).cancel(9));
}

TEST(Message, EachRefusalHasWordsOfItsOwn) {
  std::set<std::string> texts;
  for (const HeaderError error :
       {HeaderError::not_giop, HeaderError::version, HeaderError::flags, HeaderError::type})
    EXPECT_TRUE(texts.insert(to_text(error)).second) << to_text(error);
  for (const ParseResult result : {ParseResult::truncated, ParseResult::malformed,
                                   ParseResult::too_many_contexts, ParseResult::unknown_number})
    EXPECT_TRUE(texts.insert(to_text(result)).second) << to_text(result);
  EXPECT_FALSE(texts.contains(""));
  EXPECT_STREQ(to_text(HeaderError::none), "");
  EXPECT_STREQ(to_text(ParseResult::done), "");
}

// Fragments are reassembled before the head is parsed.
TEST(Message, AFragmentHasNoHead) {
  MessageHeader header;
  header.type = MessageType::fragment;
  header.body_bytes = 20;
  const Octets message(header.message_bytes());
  Event event;
  EXPECT_EQ(parse_head(header, message.data(), message.size(), limits, event), ParseResult::malformed);
}

TEST(Message, ATargetMayBeAProfileOrAReference) {
  IiopProfile profile;
  profile.host = "host";
  profile.port = 1;
  profile.object_key = octets("inner key");
  cdr::Ior ior{"IDL:X:1.0", {{99, octets("unknown")}, write_iiop_profile(profile)}};
  const auto heard_of = [](const PreparedTarget& target) {
    GatherBuffer buffer;
    cdr::Encoder out(buffer);
    write_request(out, target, {.request_id = 1, .operation = "op"});
    finish_message(buffer);
    return only(Connection::Role::server, flatten(buffer));
  };
  const Heard by_profile = heard_of(PreparedTarget::for_profile(ior.profiles[1]));
  EXPECT_EQ(by_profile.what.addressing, Addressing::profile);
  EXPECT_EQ(by_profile.key, "inner key");
  const Heard by_reference = heard_of(PreparedTarget::for_reference(ior, 1));
  EXPECT_EQ(by_reference.what.addressing, Addressing::reference);
  EXPECT_EQ(by_reference.key, "inner key");
  EXPECT_FALSE(by_reference.what.key_unknown);
  const Heard unknown = heard_of(PreparedTarget::for_reference(ior, 0));
  EXPECT_TRUE(unknown.what.key_unknown);
  EXPECT_EQ(unknown.operation, "op");
  EXPECT_EQ(heard_of(PreparedTarget::for_reference(ior, 2)).what.kind, EventKind::protocol_error);
}

TEST(Message, OnewaysExpectNoResponse) {
  for (std::uint8_t minor = 0; minor <= highest_minor; ++minor) {
    const auto target = PreparedTarget::for_key({1, minor}, octets("k"));
    GatherBuffer buffer;
    cdr::Encoder out(buffer);
    write_request(out, target, {.request_id = 1, .response_flags = no_response, .operation = "op"});
    finish_message(buffer);
    const Heard heard = only(Connection::Role::server, flatten(buffer));
    EXPECT_FALSE(heard.what.response_expected);
    EXPECT_EQ(heard.what.response_flags, no_response);
  }
}

TEST(Message, AnEmptyBodyMayBePaddedOrNot) {
  MessageMaker maker({1, 2}, cdr::ByteOrder::big);
  Octets message = maker.request(1, "opera", "");
  ASSERT_NE(message.size() % 8, 0u);
  EXPECT_EQ(only(Connection::Role::server, message).body, "");
  while (message.size() % 8 != 0) message.push_back(0);
  store_message_size(message.data(), static_cast<std::uint32_t>(message.size() - header_size));
  const Heard heard = only(Connection::Role::server, message);
  EXPECT_EQ(heard.what.kind, EventKind::request);
  EXPECT_EQ(heard.body, "");
}

TEST(Message, SystemExceptionsGoAndComeBack) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer);
  write_system_exception(out, CORBA::OBJECT_NOT_EXIST(CORBA::omg_minor(2), CORBA::COMPLETED_NO));
  const Octets body = flatten(buffer);
  cdr::Decoder in(body);
  SystemExceptionBody read;
  ASSERT_TRUE(read_system_exception(in, read));
  EXPECT_EQ(read.id, "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0");
  EXPECT_EQ(read.minor, 0x4f4d0002u);
  EXPECT_EQ(read.completed, CORBA::COMPLETED_NO);
  cdr::Decoder cut(ByteView(body).first(body.size() - 1));
  EXPECT_FALSE(read_system_exception(cut, read));
}

// Observers of a stream find the next message also behind those that the peer refuses.
TEST(Message, FormsAreKnownByTheFirstOctets) {
  using Head = std::array<std::uint8_t, header_size>;
  const Head giop{'G', 'I', 'O', 'P', 1, 2, 1, 0, 5, 0, 0, 0};
  const auto form_of = [](Head head, std::size_t index, std::uint8_t octet) {
    head[index] = octet;
    return message_form(head.data());
  };
  EXPECT_EQ(message_form(giop.data()), MessageForm::giop);
  EXPECT_EQ(whole_message_bytes(giop.data()), 17u);
  EXPECT_EQ(form_of(giop, 5, 9), MessageForm::giop);  // any version
  EXPECT_EQ(form_of(giop, 7, 9), MessageForm::giop);  // any type
  EXPECT_EQ(form_of(giop, 3, 'p'), std::nullopt);
  for (const auto& [mark, form] : {std::pair('L', MessageForm::lite), std::pair('Z', MessageForm::packed)}) {
    const Head other{static_cast<std::uint8_t>(mark), 1, 0, 0, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff};
    EXPECT_EQ(message_form(other.data()), form);
    EXPECT_EQ(whole_message_bytes(other.data()), 0x1'0000'000bu);
    EXPECT_EQ(form_of(other, 1, 2), std::nullopt);
    EXPECT_EQ(form_of(other, 7, static_cast<std::uint8_t>(MessageType::fragment)), std::nullopt);
  }
}

}  // namespace
}  // namespace takt::giop::test
