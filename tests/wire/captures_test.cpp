// Messages of other ORBs are understood completely, and have the same meaning when Takt writes them again.
#include "captures.h"

#include <takt/base/gather_buffer.h>
#include <takt/cdr/encoder.h>

#include "giop/contexts/code_set_negotiation.h"
#include "giop/message/reply.h"
#include "giop/message/request.h"
#include "giop/message/system_exception.h"

namespace takt::giop {
namespace {

class Captures : public testing::TestWithParam<const char*> {};

TEST_P(Captures, EveryMessageIsUnderstood) {
  const auto heard = listen(GetParam());
  EXPECT_GE(heard.size(), 9u);
  const Message* text = find(heard, EventKind::request, "text");
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->what.response_expected);
  const Message* answer = find(heard, EventKind::reply, "text");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->what.reply_status, ReplyStatus::no_exception);
  const std::string sent(text->decoder().get_raw_string_view());
  EXPECT_EQ(sent, std::string(GetParam()).ends_with("omniorb-4.2.5-giop-1.2") ? "gr\xfc\xdf" : "hello");
  EXPECT_EQ(std::string(answer->decoder().get_raw_string_view()), sent);
  const Message* number = find(heard, EventKind::request, "number");
  ASSERT_TRUE(number);
  EXPECT_EQ(number->decoder().take<double>(), 1.5);
  EXPECT_EQ(find(heard, EventKind::reply, "number")->decoder().take<double>(), 1.5);
  const Message* tell = find(heard, EventKind::request, "tell");
  ASSERT_TRUE(tell);
  EXPECT_FALSE(tell->what.response_expected);
  EXPECT_EQ(tell->decoder().take<std::int32_t>(), 5);
}

TEST_P(Captures, TheSameInAnySteps) {
  const auto whole = listen(GetParam());
  for (const std::size_t step : {1, 7, 100, 5000}) {
    const auto heard = listen(GetParam(), step);
    ASSERT_EQ(heard.size(), whole.size());
    for (std::size_t i = 0; i < heard.size(); ++i) {
      EXPECT_EQ(heard[i].what.kind, whole[i].what.kind);
      EXPECT_EQ(heard[i].operation, whole[i].operation);
      EXPECT_EQ(heard[i].key, whole[i].key);
      EXPECT_EQ(heard[i].contexts, whole[i].contexts);
      EXPECT_EQ(heard[i].body, whole[i].body);
    }
  }
}

// Except for the contents of padding: Takt's message with the same content has the same length and meaning.
TEST_P(Captures, SaidAgainInOurWords) {
  static const Limits limits;
  for (const Message& message : listen(GetParam())) {
    const bool request = message.what.kind == EventKind::request;
    if (!request && message.what.kind != EventKind::reply) continue;
    GatherBuffer buffer;
    cdr::Encoder out(buffer);
    out.set_borrowing(false);
    if (request)
      write_request(out, PreparedTarget::for_key(message.what.version, message.key),
                    {.request_id = message.what.request_id,
                     .response_flags = message.what.response_flags,
                     .operation = message.operation,
                     .contexts = message.context_views(),
                     .has_body = !message.body.empty()});
    else
      write_reply(out, message.what.version,
                  {.request_id = message.what.request_id,
                   .status = message.what.reply_status,
                   .contexts = message.context_views(),
                   .has_body = !message.body.empty()});
    EXPECT_EQ(out.position(), message.what.body_index);
    out.put_octets(message.body);
    ASSERT_TRUE(finish_message(buffer));
    Connection again(request ? Connection::Role::server : Connection::Role::client, limits);
    std::vector<Message> heard;
    feed(again, {buffer.owned(), buffer.size()}, SIZE_MAX, heard);
    ASSERT_EQ(heard.size(), 1u);
    EXPECT_EQ(heard[0].what.kind, message.what.kind);
    EXPECT_EQ(heard[0].what.request_id, message.what.request_id);
    EXPECT_EQ(heard[0].what.reply_status, message.what.reply_status);
    EXPECT_EQ(heard[0].what.response_flags, message.what.response_flags);
    EXPECT_EQ(heard[0].key, message.key);
    EXPECT_EQ(heard[0].operation, message.operation);
    EXPECT_EQ(heard[0].contexts, message.contexts);
    EXPECT_EQ(heard[0].body, message.body);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Captures,
                         testing::Values("omniorb-4.2.5-giop-1.0", "omniorb-4.2.5-giop-1.1",
                                         "omniorb-4.2.5-giop-1.2", "omniorb-4.2.5-fragments-1.1",
                                         "omniorb-4.2.5-fragments-1.2", "jacorb-3.9-giop-1.2"),
                         [](const auto& given) {
                           std::string name = given.param;
                           for (char& c : name)
                             if (c == '-' || c == '.') c = '_';
                           return name;
                         });

TEST(CapturesInDetail, FragmentsComeTogether) {
  for (const char* name : {"omniorb-4.2.5-fragments-1.1", "omniorb-4.2.5-fragments-1.2"}) {
    const auto heard = listen(name);
    for (const EventKind kind : {EventKind::request, EventKind::reply}) {
      const Message* list = find(heard, kind, "list");
      ASSERT_TRUE(list);
      cdr::Decoder in = list->decoder();
      ASSERT_EQ(in.take<std::uint32_t>(), 1100u);
      std::vector<double> numbers(1100);
      ASSERT_TRUE(in.get_array(numbers.data(), numbers.size()));
      for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], static_cast<double>(i) * 0.5);
      EXPECT_EQ(in.remaining(), 0u);
    }
  }
}

// Numbers are aligned by their position in the fragment; a divided array continues as it began.
TEST(CapturesInDetail, AlignmentIsThatOfTheFragment) {
  struct Mixed {
    std::uint8_t octet;
    double number;
  };
  const auto heard = listen("omniorb-4.2.5-alignment-1.1");
  for (const EventKind kind : {EventKind::request, EventKind::reply}) {
    const Message* mixed = find(heard, kind, "mixed");
    ASSERT_TRUE(mixed && mixed->parts);
    cdr::Decoder in = mixed->decoder();
    ASSERT_EQ(in.take<std::uint32_t>(), 520u);
    for (std::size_t i = 0; i < 520; ++i) {
      ASSERT_EQ(in.get_u8(), i % 256);
      ASSERT_EQ(in.take<double>(), static_cast<double>(i) * 0.5) << i;
    }
    EXPECT_EQ(in.remaining(), 0u);
    EXPECT_TRUE(in.ok());

    const Message* late = find(heard, kind, "late");
    ASSERT_TRUE(late && late->parts);
    cdr::Decoder lates = late->decoder();
    ASSERT_EQ(lates.take<std::uint32_t>(), 520u);
    for (std::int64_t i = 0; i < 520; ++i) {
      std::string text;
      ASSERT_TRUE(lates.get_raw_string(text));
      ASSERT_EQ(text, std::string(static_cast<std::size_t>(i % 13), static_cast<char>('a' + i % 26)));
      ASSERT_EQ(lates.take<std::int32_t>(), i);
      ASSERT_EQ(lates.take<std::int64_t>(), i * 10'000'000'000) << i;
    }
    EXPECT_EQ(lates.remaining(), 0u);
  }
}

TEST(CapturesInDetail, AnyPlaceOfTheSeamIsRead) {
  std::size_t requests = 0;
  for (const Message& message : listen("omniorb-4.2.5-alignment-1.1")) {
    if (message.operation != "sweep") continue;
    ++requests;
    cdr::Decoder in = message.decoder();
    std::vector<std::uint8_t> data(in.get_u32());
    ASSERT_LT(data.size(), 8125u);
    ASSERT_TRUE(in.get_octets(data));
    EXPECT_EQ(data, std::vector<std::uint8_t>(data.size(), 0xee));
    std::vector<double> numbers(in.get_u32());
    ASSERT_TRUE(numbers.size() == 3 || numbers.size() == 1200) << data.size();
    ASSERT_TRUE(in.get_array(numbers.data(), numbers.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      ASSERT_EQ(numbers[i], static_cast<double>(i) * 0.25) << data.size();
    EXPECT_EQ(in.take<std::int32_t>(), 77);
    EXPECT_EQ(in.take<double>(), 0.75);
    EXPECT_EQ(text_of(in.get_octets_view(in.get_u32())), std::string(20, '\xee'));
    EXPECT_EQ(in.remaining(), 0u);
    EXPECT_TRUE(in.ok());
  }
  EXPECT_EQ(requests, 8u);
}

TEST(CapturesInDetail, ExceptionsAndCodeSets) {
  const auto heard = listen("omniorb-4.2.5-giop-1.2");
  const Message* refused = find(heard, EventKind::reply, "refuse");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->what.reply_status, ReplyStatus::user_exception);
  cdr::Decoder in = refused->decoder();
  EXPECT_EQ(in.get_raw_string_view(), "IDL:Wire/Refused:1.0");
  const Message* nobody = find(heard, EventKind::reply, "_non_existent");
  ASSERT_TRUE(nobody);
  cdr::Decoder exception = nobody->decoder();
  SystemExceptionBody body;
  ASSERT_TRUE(read_system_exception(exception, body));
  EXPECT_EQ(body.id, "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0");
  EXPECT_EQ(body.completed, CORBA::COMPLETED_NO);
  const Message* first = find(heard, EventKind::request, "text");
  ASSERT_EQ(first->contexts.size(), 1u);
  const auto chosen = read_code_set_context(first->contexts[0].second);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->narrow, cdr::CodeSetId::iso_8859_1);
  EXPECT_EQ(chosen->wide, cdr::CodeSetId::utf_16);
}

TEST(CapturesInDetail, LocateAndClose) {
  for (const char* name : {"omniorb-4.2.5-giop-1.0", "omniorb-4.2.5-giop-1.1", "omniorb-4.2.5-giop-1.2"}) {
    const auto heard = listen(name);
    EXPECT_EQ(heard[0].what.kind, EventKind::locate_request) << name;
    EXPECT_FALSE(heard[0].key.empty());
    EXPECT_EQ(heard[1].what.kind, EventKind::locate_reply) << name;
    EXPECT_EQ(heard[1].what.locate_status, LocateStatus::object_here);
  }
  EXPECT_EQ(listen("omniorb-4.2.5-giop-1.2").back().what.kind, EventKind::close);
}

}  // namespace
}  // namespace takt::giop
