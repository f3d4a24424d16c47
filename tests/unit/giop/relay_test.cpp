// Relayed messages with another head before the same body: numbers stay aligned, and contexts are kept.
#include "giop/relay.h"

#include "giop/contexts/quality.h"
#include "messages.h"

namespace takt::giop::test {
namespace {

using Contexts = std::vector<ServiceContext>;

struct Written {
  explicit Written(cdr::ByteOrder order) : encoder(buffer, {.order = order}) { encoder.set_borrowing(false); }
  Heard heard(Connection::Role role, std::string_view body) {
    encoder.put_octets(octets(body));
    finish_message(buffer);
    Connection connection(role, limits);
    auto all = hear(connection, flatten(buffer));
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? Heard(Event{}) : all.front();
  }
  GatherBuffer buffer;
  cdr::Encoder encoder;
};

TEST(PassedOn, RequestsKeepTheirBodiesAligned) {
  const Octets data = octets("some data");
  for (const MessageMaker& maker : all_makers())
    for (std::size_t length = 0; length < 9; ++length)
      for (std::size_t index = 64; index < 72; ++index) {
        const std::string key(length, 'k'), operation(length + 1, 'o');
        Written written(maker.order);
        const Contexts contexts{{7, data}, {0x54410005, data}};
        write_relayed_request(written.encoder, maker.version,
                              {.request_id = 77, .operation = operation, .contexts = contexts}, octets(key),
                              {index, false});
        const Heard heard = written.heard(Connection::Role::server, "the body");
        SCOPED_TRACE(testing::Message() << int(maker.version.minor) << " " << length << " " << index);
        EXPECT_EQ(heard.what.kind, EventKind::request);
        EXPECT_EQ(heard.what.version, maker.version);
        EXPECT_EQ(heard.what.order, maker.order);
        EXPECT_EQ(heard.what.request_id, 77u);
        EXPECT_TRUE(heard.what.response_expected);
        EXPECT_EQ(heard.key, key);
        EXPECT_EQ(heard.operation, operation);
        EXPECT_EQ(heard.body, "the body");
        EXPECT_EQ(heard.contexts.size(), 2u);
        if (maker.version.minor < 2) {
          EXPECT_EQ(heard.what.body_index % 8, index % 8);
        } else {
          EXPECT_EQ(heard.what.body_index % 8, 0u);  // as before
        }
      }
}

TEST(PassedOn, RepliesKeepTheirBodiesAligned) {
  for (const MessageMaker& maker : all_makers())
    for (std::size_t length = 0; length < 9; ++length)
      for (const std::size_t index : {64, 68}) {
        if (maker.version.minor == 2 && index % 8 != 0) continue;
        const Octets data(length);
        Written written(maker.order);
        const Contexts contexts{{10, data}};
        write_relayed_reply(written.encoder, maker.version,
                            {.request_id = 5, .status = ReplyStatus::user_exception, .contexts = contexts},
                            {index, false});
        const Heard heard = written.heard(Connection::Role::client, "body");
        SCOPED_TRACE(testing::Message() << int(maker.version.minor) << " " << length << " " << index);
        EXPECT_EQ(heard.what.kind, EventKind::reply);
        EXPECT_EQ(heard.what.order, maker.order);
        EXPECT_EQ(heard.what.request_id, 5u);
        EXPECT_EQ(heard.what.reply_status, ReplyStatus::user_exception);
        EXPECT_EQ(heard.body, "body");
        EXPECT_EQ(heard.what.body_index % 8, index % 8);
        ASSERT_FALSE(heard.contexts.empty());
        EXPECT_EQ(heard.contexts.front(), std::make_pair(10u, text(data)));
        if (heard.contexts.size() > 1) {
          EXPECT_EQ(heard.contexts.back().first, padding_context);
        }
      }
}

TEST(PassedOn, WithoutABodyNothingIsAdded) {
  for (const MessageMaker& maker : all_makers()) {
    Written request(maker.order);
    write_relayed_request(request.encoder, maker.version,
                          {.request_id = 7, .response_flags = no_response, .operation = "nothing"},
                          octets("the key"), {61, true});
    const Heard heard = request.heard(Connection::Role::server, "");
    EXPECT_FALSE(heard.what.response_expected);
    EXPECT_EQ(heard.body, "");
    Written reply(maker.order);
    write_relayed_reply(reply.encoder, maker.version, {.request_id = 7}, {61, true});
    EXPECT_EQ(flatten(reply.buffer).size(), maker.reply(7, ReplyStatus::no_exception, "").size());
  }
}

TEST(PassedOn, ContextsOfTheConnectionStayBehind) {
  const Octets data = octets("data");
  const MessageMaker maker({1, 2}, cdr::ByteOrder::big);
  Connection connection(Connection::Role::server, limits);
  const Octets message = maker.request(1, "operation", "",
                                       {{code_sets_context, data},
                                        {transaction_context, data},
                                        {bidirectional_context, data},
                                        {quality_context, data},
                                        {sending_runtime_context, data},
                                        {0x54410005, data}});
  std::ranges::copy(message, connection.read_space().begin());
  connection.bytes_read(message.size());
  std::vector<std::uint32_t> ids;
  for (const ServiceContext& context : contexts_to_relay(connection.next_event().contexts)) {
    ids.push_back(context.id);
    EXPECT_EQ(text(context.data), "data");
  }
  EXPECT_EQ(ids, (std::vector<std::uint32_t>{transaction_context, 0x54410005}));
}

}  // namespace
}  // namespace takt::giop::test
