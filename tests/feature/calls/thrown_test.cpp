// Callers get the same exceptions from servants over a connection and within the ORB.
#include <gtest/gtest.h>

#include <stdexcept>

#include "orbs.h"

namespace feature {
namespace {

class Rude final : public EchoServant {
 public:
  void refuse(const std::string& why) override {
    if (why == "listed") throw ::Calls::Refused(why, 42);
    if (why == "not listed") throw ::Calls::Unlisted();
    if (why == "of the library") throw std::runtime_error("disk full");
    throw 42;
  }
  void note(int32_t) override { throw std::runtime_error("nobody hears that"); }
};

// true: over a connection; false: within the server's ORB.
class Thrown : public testing::TestWithParam<bool> {
 protected:
  EchoRef rude() {
    const auto remote = both_.publish<::Calls::Echo>(CORBA::make_reference<Rude>());
    if (GetParam()) return remote;
    return IDL::traits<::Calls::Echo>::narrow(
        both_.server->string_to_object(both_.client->object_to_string(remote)));
  }

  ServerAndClient both_;
};

}  // namespace

TEST_P(Thrown, WhatTheOperationRaisesComesAsItIs) {
  EXPECT_THROW(rude()->refuse("listed"), ::Calls::Refused);
  EXPECT_THROW(rude()->fail_with_system_exception(), CORBA::NO_RESOURCES);
}

TEST_P(Thrown, AnythingElseIsUnknown) {
  const EchoRef echo = rude();
  const auto minor_of = [&](const char* why) -> std::uint32_t {
    try {
      echo->refuse(why);
    } catch (const CORBA::UNKNOWN& unknown) {
      EXPECT_EQ(unknown.completed(), CORBA::COMPLETED_MAYBE);
      return unknown.minor();
    }
    ADD_FAILURE() << why << ": nothing was thrown";
    return 0;
  };
  EXPECT_EQ(minor_of("not listed"), CORBA::omg_minor(1));
  EXPECT_EQ(minor_of("of the library"), 0u);
  EXPECT_EQ(minor_of("anything"), 0u);
}

TEST_P(Thrown, NobodyHearsAOnewayFail) {
  const EchoRef echo = rude();
  EXPECT_NO_THROW(echo->note(1));
  EXPECT_EQ(echo->cube(3), 27) << "the server goes on";
}

INSTANTIATE_TEST_SUITE_P(Over, Thrown, testing::Bool(),
                         [](const auto& info) { return info.param ? "a_connection" : "no_connection"; });

}  // namespace feature
