#include "client/strategy/shared_connection.h"

#include <gtest/gtest.h>

#include "../rooms/rooms.h"

#include "../rooms/memory_stream.h"
#include "giop/message/reply.h"
#include "giop/message/request.h"

namespace takt::client {
namespace {

using rooms::MemoryStream;
using rooms::Wire;

GatherBuffer request_to_anybody(std::uint32_t id) {
  GatherBuffer buffer;
  cdr::Encoder encoder(buffer);
  const std::uint8_t key[] = {1, 2, 3};
  giop::write_request(encoder, giop::PreparedTarget::for_key({1, 2}, key),
                      {.request_id = id, .operation = "op"});
  giop::finish_message(buffer);
  return buffer;
}

// The receive buffer is shared, so a waiting thread gets a copy of its reply's contexts.
TEST(SharedConnection, AReplyKeepsItsServiceContexts) {
  rooms::Rooms rooms;
  rooms::Wire wire;
  SharedConnection connection(std::make_unique<rooms::MemoryStream>(wire), rooms.client,
                              giop::Messaging::giop, std::make_shared<ChannelRegistry>());
  const std::vector<std::uint8_t> first(40, 0x11), second(7, 0x22);
  const giop::ServiceContext contexts[] = {{0x54414b54, first}, {giop::exception_detail_context, second}};
  GatherBuffer reply;
  cdr::Encoder encoder(reply);
  encoder.set_borrowing(false);
  const std::uint32_t id = connection.next_request_id();
  giop::write_reply(encoder, {1, 2}, {.request_id = id, .contexts = contexts, .has_body = true});
  encoder.put(1.5);
  giop::finish_message(reply);
  wire.incoming.assign(reply.owned(), reply.owned() + reply.owned_size());

  Waiter waiter;
  const GatherBuffer request = request_to_anybody(id);
  const Exchange exchange = connection.exchange({request, id, true, false, std::chrono::seconds(1)}, waiter);
  ASSERT_EQ(exchange.status, Exchange::Status::reply) << exchange.reason;
  EXPECT_FALSE(waiter.wake.acquire_within({}));  // or it would not sleep when it waits for another thread
  const ByteView storage = waiter.storage;
  const auto kept = waiter.reply.contexts.list();
  ASSERT_EQ(kept.size(), 2u);
  for (const giop::ServiceContext& context : kept) {
    EXPECT_GE(context.data.data(), storage.data());
    EXPECT_LE(context.data.data() + context.data.size(), storage.data() + storage.size());
  }
  EXPECT_TRUE(std::ranges::equal(kept[0].data, first));
  EXPECT_TRUE(std::ranges::equal(kept[1].data, second));
  EXPECT_EQ(cdr::Decoder(waiter.reply.body, waiter.reply.body_index).take<double>(), 1.5);
}

}  // namespace
}  // namespace takt::client
