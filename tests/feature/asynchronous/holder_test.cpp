// Exception holders as values in messages.
#include <takt/async/messaging.h>
#include <takt/base/gather_buffer.h>

#include "greeter.h"

namespace feature {
namespace {

using takt::cdr::ByteOrder;
using Octets = std::vector<std::uint8_t>;

takt::cdr::Format in_order(ByteOrder order) {
  takt::cdr::Format format;
  format.order = order;
  return format;
}

Octets written(const Holder& holder, ByteOrder order) {
  takt::GatherBuffer buffer;
  takt::cdr::Encoder encoder(buffer, in_order(order));
  encoder.set_borrowing(false);
  takt::cdr::write(encoder, holder);
  EXPECT_TRUE(encoder.ok());
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}

Holder read(const Octets& octets, ByteOrder order) {
  takt::cdr::Decoder decoder(octets, 0, in_order(order));
  Holder holder;
  EXPECT_TRUE(takt::cdr::read(decoder, holder));
  return holder;
}

class ExceptionHolders : public testing::TestWithParam<ByteOrder> {};

TEST_P(ExceptionHolders, C14_BringUserExceptionsInMessagesOfEitherOrder) {
  const Holder holder =
      takt::async::hold_exception(std::make_exception_ptr(Async::Refused("why", L"wit", -1)));
  const Holder arrived = read(written(holder, GetParam()), GetParam());
  try {
    arrived->raise_exception();
  } catch (const Async::Refused& refused) {
    EXPECT_EQ(refused.why(), "why");
    EXPECT_EQ(refused.wide(), L"wit");
    EXPECT_EQ(refused.code(), -1);
  }
  EXPECT_THROW(arrived->raise_exception(), Async::Refused);
  // A holder that has arrived can be sent on.
  EXPECT_THROW(read(written(arrived, GetParam()), GetParam())->raise_exception(), Async::Refused);
}

TEST_P(ExceptionHolders, BringSystemExceptions) {
  const Holder holder = takt::async::hold_exception(
      std::make_exception_ptr(CORBA::TIMEOUT(CORBA::omg_minor(3), CORBA::COMPLETED_MAYBE)));
  EXPECT_EQ(raised_by(read(written(holder, GetParam()), GetParam())), "TIMEOUT 3 MAYBE");
}

// The octets of an exception, as another ORB may write them: an id, then the members.
Octets holder_octets(bool is_system, bool little, const Octets& exception) {
  takt::GatherBuffer buffer;
  takt::cdr::Encoder encoder(buffer, in_order(ByteOrder::big));
  encoder.set_borrowing(false);
  encoder.put(std::uint32_t{0x7fffff02});
  encoder.put_raw_string("IDL:omg.org/Messaging/ExceptionHolder:1.0");
  takt::cdr::write(encoder, is_system);
  takt::cdr::write(encoder, little);
  takt::cdr::write(encoder, exception);
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}
Octets exception_octets(const std::string& id, const std::vector<std::uint32_t>& numbers, ByteOrder order) {
  takt::GatherBuffer buffer;
  takt::cdr::Encoder encoder(buffer, in_order(order));
  encoder.put_raw_string(id);
  for (const std::uint32_t number : numbers) encoder.put(number);
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}

TEST_P(ExceptionHolders, AreReadByTheirOwnByteOrderNotTheMessages) {
  const bool little = GetParam() == ByteOrder::little;
  const auto exception = exception_octets("IDL:omg.org/CORBA/COMM_FAILURE:1.0", {5, 2}, GetParam());
  EXPECT_EQ(raised_by(read(holder_octets(true, little, exception), ByteOrder::big)), "COMM_FAILURE 5 MAYBE");
}

TEST_P(ExceptionHolders, OfUnknownExceptionsRaiseUnknown) {
  const bool little = GetParam() == ByteOrder::little;
  const auto user = exception_octets("IDL:Elsewhere/Thing:1.0", {}, GetParam());
  EXPECT_EQ(raised_by(read(holder_octets(false, little, user), ByteOrder::big)), "UNKNOWN 1 YES");
  const auto system = exception_octets("IDL:omg.org/CORBA/NOT_ONE:1.0", {0, 1}, GetParam());
  EXPECT_EQ(raised_by(read(holder_octets(true, little, system), ByteOrder::big)), "UNKNOWN 2 NO");
}

TEST_P(ExceptionHolders, WithOctetsThatCannotBeReadRaiseMarshal) {
  const bool little = GetParam() == ByteOrder::little;
  const auto whole = exception_octets("IDL:omg.org/CORBA/COMM_FAILURE:1.0", {5, 2}, GetParam());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Octets cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(raised_by(read(holder_octets(true, little, cut), ByteOrder::big)), "MARSHAL 0 YES") << size;
  }
  const auto bad = exception_octets("IDL:omg.org/CORBA/COMM_FAILURE:1.0", {5, 3}, GetParam());
  EXPECT_EQ(raised_by(read(holder_octets(true, little, bad), ByteOrder::big)), "MARSHAL 0 YES");
  const auto no_members = exception_octets("IDL:Async/Refused:1.0", {}, GetParam());
  EXPECT_EQ(raised_by(read(holder_octets(false, little, no_members), ByteOrder::big)), "MARSHAL 0 YES");
}

INSTANTIATE_TEST_SUITE_P(Orders, ExceptionHolders, testing::Values(ByteOrder::big, ByteOrder::little),
                         [](const auto& order) { return order.param == ByteOrder::big ? "big" : "little"; });

}  // namespace
}  // namespace feature
