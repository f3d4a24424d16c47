// The minor codes of calls that no server answers, in a program of TAO's.
#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <tao/Messaging/Messaging.h>
#include <tao/ORB.h>
#include <tao/corba.h>

#include "../omniorb/port.h"

namespace {

class TaoCodes : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "test", option[] = "-ORBIgnoreDefaultSvcConfFile";
    char* arguments[] = {name, option, nullptr};
    int count = 2;
    orb_ = CORBA::ORB_init(count, arguments);
    object_ = orb_->string_to_object(port_.url.c_str());
  }
  void TearDown() override { orb_->destroy(); }

  template <class Exception>
  void expect(CORBA::ULong minor, CORBA::CompletionStatus completed) {
    try {
      object_->_non_existent();
      ADD_FAILURE() << "nothing thrown";
    } catch (const Exception& failure) {
      EXPECT_EQ(failure.minor(), minor);
      EXPECT_EQ(failure.completed(), completed);
    }
  }

  Port port_;
  CORBA::ORB_var orb_;
  CORBA::Object_var object_;
};

TEST_F(TaoCodes, of_refused_connections) { expect<CORBA::TRANSIENT>(0x4f4d0002, CORBA::COMPLETED_NO); }

TEST_F(TaoCodes, of_calls_that_take_too_long) {
  port_.listen();
  CORBA::Any time;
  time <<= static_cast<TimeBase::TimeT>(500000);  // 50 ms
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = orb_->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, time);
  object_ = object_->_set_policy_overrides(policies, CORBA::SET_OVERRIDE);
  expect<CORBA::TIMEOUT>(0x54410580, CORBA::COMPLETED_MAYBE);
}

// As ACE_Time_Value.
class Time {
 public:
  Time(long seconds, long microseconds) : seconds_(seconds), microseconds_(microseconds) {}
  long sec() const { return seconds_; }
  long usec() const { return microseconds_; }
  void set(long long seconds, long long microseconds) {
    seconds_ = seconds;
    microseconds_ = microseconds;
  }

 private:
  long long seconds_, microseconds_;
};

TEST_F(TaoCodes, are_none_of_serving_for_a_time) {
  Time time(0, 20000);
  orb_->run(time);
  EXPECT_EQ(time.sec() + time.usec(), 0);
  time.set(0, 10000);
  orb_->perform_work(&time);
  EXPECT_EQ(time.usec(), 0);
  time.set(3600, 5);
  orb_->shutdown(false);
  orb_->run(&time);
  EXPECT_GT(time.sec(), 3500) << "returns at once after shutdown()";
  EXPECT_THROW(CORBA::ORB::_nil()->run(time), CORBA::INV_OBJREF);
}

TEST_F(TaoCodes, of_dynamic_requests_are_thrown) {
  CORBA::Request_var request = object_->_request("stop");
  try {
    request->invoke();
    ADD_FAILURE() << "nothing thrown";
  } catch (const CORBA::TRANSIENT& failure) {
    EXPECT_EQ(failure.minor(), 0x4f4d0002u);
    EXPECT_TRUE(request->env()->exception());
  }
  request = object_->_request("stop");
  EXPECT_THROW(request->send_oneway(), CORBA::TRANSIENT);
  request = object_->_request("stop");
  request->send_deferred();
  while (!request->poll_response()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_THROW(request->get_response(), CORBA::TRANSIENT);
}

TEST_F(TaoCodes, of_connections_that_break_during_a_call) {
  port_.listen();
  std::thread server([&] {
    char octet;
    const int peer = accept(port_.socket_number(), nullptr, nullptr);
    (void)!read(peer, &octet, 1);
    close(peer);
  });
  expect<CORBA::COMM_FAILURE>(0x54410300, CORBA::COMPLETED_MAYBE);
  server.join();
}

}  // namespace
