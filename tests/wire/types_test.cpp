// Values of IDL types as sent by other ORBs.
#include <takt/cdr/any.h>
#include <takt/cdr/mapping.h>

#include "captures.h"

namespace takt::giop {
namespace {

using Money = IDL::Fixed<18, 4>;

// JacORB writes the digits of the value; CDR requires those of the type.
TEST(Types, AFixedMayComeWithoutItsLeadingZeros) {
  const auto heard = listen("jacorb-3.9-types-1.2");
  const Message* swap = find(heard, EventKind::request, "swap_money");
  ASSERT_TRUE(swap);
  cdr::Decoder in = swap->decoder();
  Money low, high;
  ASSERT_TRUE(cdr::read(in, low) && cdr::read(in, high));
  EXPECT_EQ(low, Money("-99999999999999.9999"));
  EXPECT_EQ(high, Money("1234.5"));
  EXPECT_EQ(in.remaining(), 0u);

  const Message* take = find(heard, EventKind::request, "take");
  ASSERT_TRUE(take);
  cdr::Decoder arguments = take->decoder();
  EXPECT_EQ(arguments.get_raw_string_view(), "money");
  CORBA::Any any;
  ASSERT_TRUE(cdr::read(arguments, any));
  Money value;
  ASSERT_TRUE(any >>= value);
  EXPECT_EQ(value, high);
  EXPECT_EQ(arguments.remaining(), 0u);
}

}  // namespace
}  // namespace takt::giop
