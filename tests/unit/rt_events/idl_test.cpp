// The types as TAO's clients know them.
#include <gtest/gtest.h>

#include <takt/corba.h>

#include "RtecEventChannelAdminC.h"

namespace {

template <class T>
CORBA::Any any_of(const T& value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

TEST(RtecIdl, HasNamesWithoutAPrefix) {
  EXPECT_EQ(any_of(RtecEventComm::Event()).type()->id(), "IDL:RtecEventComm/Event:1.0");
  EXPECT_EQ(any_of(RtecEventData()).type()->id(), "IDL:RtecEventData:1.0");
  EXPECT_EQ(any_of(RtecEventChannelAdmin::ConsumerQOS()).type()->id(),
            "IDL:RtecEventChannelAdmin/ConsumerQOS:1.0");
  EXPECT_EQ(any_of(RtecBase::Dependency_Info()).type()->id(), "IDL:RtecBase/Dependency_Info:1.0");
}

// type, source, ttl, padding, three times; pad1, the payload's length and three octets, padding; a null any.
TEST(RtecIdl, EncodesAnEvent) {
  RtecEventComm::Event event;
  event.header().creation_time(1);
  event.data().payload({7, 8, 9});
  const auto any = any_of(event);
  const auto& octets = any._content().octets;
  ASSERT_EQ(octets.size(), 56u);
  EXPECT_EQ(octets[48], 7);
  EXPECT_EQ(octets[50], 9);
  EXPECT_EQ(octets[16] + octets[23], 1);  // in either byte order
}

TEST(RtecIdl, NumbersOneWayCallsFirst) {
  EXPECT_EQ(static_cast<int>(RtecBase::Dependency_Type_t::ONE_WAY_CALL), 0);
  EXPECT_EQ(static_cast<int>(RtecBase::Dependency_Type_t::TWO_WAY_CALL), 1);
}

}  // namespace
