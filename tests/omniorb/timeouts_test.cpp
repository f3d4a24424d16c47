// Timeouts by omniORB's functions. omniORB itself, with -ORBsupportPerThreadTimeOut 1, passes the same test.
#include "port.h"

#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <omniORB4/CORBA.h>

namespace {

using std::chrono::milliseconds;

// How long a call took to throw TIMEOUT.
milliseconds time_of_call(CORBA::Object_ptr object) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(object->_non_existent(), CORBA::TIMEOUT);
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - start);
}
// Busy machines make calls late, but not early, so that the limits lie far apart.
void expect_about(milliseconds took, int limit) {
  EXPECT_GE(took.count(), limit - 5);
  EXPECT_LT(took.count(), limit + 400);
}

class Timeouts : public testing::Test {
 protected:
  void SetUp() override {
    omniORB::setClientCallTimeout(100);  // before the ORB
    static char name[] = "test", option[] = "-ORBsupportPerThreadTimeOut", one[] = "1";
    char* arguments[] = {name, option, one, nullptr};
#ifdef TIMEOUTS_BY_OMNIORB
    int count = 3;
#else
    int count = 1;
    arguments[1] = nullptr;
#endif
    orb_ = CORBA::ORB_init(count, arguments);
    object_ = orb_->string_to_object(silent_.url.c_str());
  }
  void TearDown() override {
    omniORB::setClientThreadCallTimeout(0);
    omniORB::setClientCallTimeout(0);
    orb_->destroy();
  }

  Silent silent_;
  CORBA::ORB_var orb_;
  CORBA::Object_var object_;
};

TEST_F(Timeouts, set_before_the_orb_hold) { expect_about(time_of_call(object_), 100); }

TEST_F(Timeouts, of_an_object_prevail_over_the_threads_and_these_over_all) {
  omniORB::setClientThreadCallTimeout(700);
  expect_about(time_of_call(object_), 700);
  omniORB::setClientCallTimeout(object_, 1300);
  expect_about(time_of_call(object_), 1300);
  omniORB::setClientCallTimeout(object_, 0);
  expect_about(time_of_call(object_), 700);
  omniORB::setClientThreadCallTimeout(0);
  expect_about(time_of_call(object_), 100);
  omniORB::setClientCallTimeout(600);
  expect_about(time_of_call(object_), 600);
}

TEST_F(Timeouts, of_a_thread_are_not_those_of_another) {
  omniORB::setClientThreadCallTimeout(1300);
  std::thread([&] {
    omni_thread::ensure_self self;
    expect_about(time_of_call(object_), 100);
  }).join();
}

TEST_F(Timeouts, of_an_object_are_those_of_its_copies) {
  CORBA::Object_var copy = CORBA::Object::_duplicate(object_);
  omniORB::setClientCallTimeout(copy, 700);
  expect_about(time_of_call(object_), 700);
  CORBA::Object_var other = orb_->string_to_object(silent_.url.c_str());
  expect_about(time_of_call(other), 100);
}

#ifndef TIMEOUTS_BY_OMNIORB
TEST_F(Timeouts, of_nil_are_refused) {
  EXPECT_THROW(omniORB::setClientCallTimeout(CORBA::Object::_nil(), 100), CORBA::INV_OBJREF);
}

TEST_F(Timeouts, of_other_policies_are_kept) {
  CORBA::Any none;
  none <<= Messaging::NO_RECONNECT;
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = orb_->create_policy(Messaging::REBIND_POLICY_TYPE, none);
  CORBA::Object_var bound = object_->_set_policy_overrides(policies, CORBA::SET_OVERRIDE);
  omniORB::setClientCallTimeout(bound, 500);
  omniORB::setClientCallTimeout(bound, 0);
  CORBA::PolicyList_var left = bound->_get_policy_overrides(CORBA::PolicyTypeSeq());
  ASSERT_EQ(left->length(), 1u);
  EXPECT_EQ(left[0u]->policy_type(), Messaging::REBIND_POLICY_TYPE);
}

TEST(TimeoutsWithoutOrb, of_a_thread_need_one) {
  EXPECT_THROW(omniORB::setClientThreadCallTimeout(100), CORBA::INITIALIZE);
}

TEST_F(Timeouts, of_connecting_are_an_option) {
  omniORB::setClientCallTimeout(0);
  omniORB::setClientConnectTimeout(150);
  // 192.0.2.1 is for documents (RFC 5737): no host answers there.
  CORBA::Object_var nowhere = orb_->string_to_object("corbaloc:iiop:192.0.2.1:9/object");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(nowhere->_non_existent(), CORBA::SystemException);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}
#endif

}  // namespace
