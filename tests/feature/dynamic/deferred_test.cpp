// Requests whose callers do not wait, one by one and several at once.
#include <takt/reference/quality.h>

#include "../../eventually.h"
#include "requests.h"

namespace feature {
namespace {

using namespace std::chrono_literals;
using takt::test::eventually;

struct DeferredRequests : testing::Test {
  ServerAndClient orbs;
  RequestRef sleep(std::uint32_t ms) {
    auto request = orbs.echo->_request("sleep_ms");
    request->add_in_arg() <<= ms;
    return request;
  }
};

TEST_F(DeferredRequests, GiveTheirResultOnce) {
  const auto request = cube_request(orbs.echo, 3);
  request->send_deferred();
  EXPECT_EQ(order_minor_of([&] { request->invoke(); }), 10);
  request->get_response();
  EXPECT_EQ(octet_result(request), 27);
  EXPECT_EQ(order_minor_of([&] { request->get_response(); }), 12);
  EXPECT_EQ(order_minor_of([&] { request->poll_response(); }), 12);
  request->_reset();
  request->send_deferred();
  EXPECT_TRUE(eventually([&] { return request->poll_response(); }));
  request->get_response();
  EXPECT_EQ(octet_result(request), 27);
}

TEST_F(DeferredRequests, ThrowWhenTheirResultIsTaken) {
  const auto request = orbs.echo->_request("fail_with_system_exception");
  request->send_deferred();
  EXPECT_EQ(order_minor_of([&] { request->_reset(); }), 10);
  EXPECT_THROW(request->get_response(), CORBA::NO_RESOURCES);
  const auto refused = orbs.echo->_request("refuse");
  refused->add_in_arg() <<= "because";
  refused->exceptions().push_back(type_of<Calls::Refused>());
  refused->send_deferred();
  EXPECT_THROW(refused->get_response(), CORBA::UnknownUserException);
}

TEST_F(DeferredRequests, CarryWhatTheCallersCallsCarry) {
  const auto request = cube_request(orbs.echo, 3);
  {
    const takt::DeadlineScope passed(-1ms);
    request->send_deferred();
  }
  EXPECT_THROW(request->get_response(), CORBA::TIMEOUT);
  request->_reset();
  request->send_deferred();
  request->get_response();
  EXPECT_EQ(octet_result(request), 27);
}

TEST_F(DeferredRequests, AreOnTheirWayTogether) {
  std::vector<RequestRef> all;
  for (std::uint8_t x = 0; x < 100; ++x) {
    all.push_back(cube_request(orbs.echo, x % 6));
    all.back()->send_deferred();
  }
  for (std::uint8_t x = 0; x < 100; ++x) {
    all[x]->get_response();
    EXPECT_EQ(octet_result(all[x]), (x % 6) * (x % 6) * (x % 6));
  }
}

TEST_F(DeferredRequests, MayBeForgotten) {
  for (int i = 0; i < 5; ++i) cube_request(orbs.echo, 2)->send_deferred();
  EXPECT_EQ(orbs.echo->cube(3), 27);
}

TEST_F(DeferredRequests, AreTakenAsTheyCome) {
  EXPECT_EQ(order_minor_of([&] { orbs.client->poll_next_response(); }), 11);
  RequestRef next;
  EXPECT_EQ(order_minor_of([&] { orbs.client->get_next_response(next); }), 11);
  const auto slow = sleep(200), quick = cube_request(orbs.echo, 4),
             failing = orbs.echo->_request("fail_with_system_exception");
  orbs.client->send_multiple_requests_deferred({slow, quick, failing});
  std::vector<CORBA::Request*> order;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(eventually([&] { return orbs.client->poll_next_response(); }));
    orbs.client->get_next_response(next);
    order.push_back(next.get());
  }
  EXPECT_EQ(order.back(), slow.get());
  EXPECT_EQ(octet_result(quick), 64);
  EXPECT_FALSE(quick->_failure());
  EXPECT_THROW(std::rethrow_exception(failing->_failure()), CORBA::NO_RESOURCES);
  EXPECT_EQ(order_minor_of([&] { orbs.client->get_next_response(next); }), 11);
  EXPECT_EQ(order_minor_of([&] { slow->get_response(); }), 12);
}

TEST_F(DeferredRequests, ALaterOneThatIsOverFirstIsNotHeldUpByTheOldest) {
  const auto slow = sleep(2000), quick = sleep(50);
  orbs.client->send_multiple_requests_deferred({slow, quick});
  RequestRef next;
  orbs.client->get_next_response(next);
  EXPECT_EQ(next, quick);
  orbs.client->get_next_response(next);
  EXPECT_EQ(next, slow);
}

TEST_F(DeferredRequests, ThoseThatTheProgramHasTakenAreNotNext) {
  const auto first = cube_request(orbs.echo, 2), second = cube_request(orbs.echo, 3);
  orbs.client->send_multiple_requests_deferred({first, second});
  first->get_response();
  RequestRef next;
  orbs.client->get_next_response(next);
  EXPECT_EQ(next, second);
  orbs.client->send_multiple_requests_deferred({cube_request(orbs.echo, 2)});
  orbs.client->get_next_response(next);
  EXPECT_EQ(octet_result(next), 8);
  const auto last = cube_request(orbs.echo, 4);
  orbs.client->send_multiple_requests_deferred({last});
  last->get_response();
  EXPECT_EQ(order_minor_of([&] { orbs.client->poll_next_response(); }), 11);
  EXPECT_EQ(order_minor_of([&] { orbs.client->get_next_response(next); }), 11);
}

TEST_F(DeferredRequests, TheOldestIsWaitedFor) {
  const auto slow = sleep(20);
  orbs.client->send_multiple_requests_deferred({slow});
  RequestRef next;
  orbs.client->get_next_response(next);
  EXPECT_EQ(next, slow);
}

TEST_F(DeferredRequests, SeveralOnewaysGoOnWhereOneFails) {
  const auto note = [&](std::int32_t value) {
    auto request = orbs.echo->_request("note");
    request->add_in_arg() <<= value;
    return request;
  };
  const auto nowhere = orbs.client->string_to_object("corbaloc::127.0.0.1:1/nobody")->_request("note");
  const auto first = note(1), last = note(3);
  orbs.client->send_multiple_requests_oneway({first, nowhere, last});
  EXPECT_EQ(orbs.echo->noted(), 3);
  EXPECT_FALSE(first->_failure());
  EXPECT_TRUE(nowhere->_failure());
  EXPECT_FALSE(last->_failure());
}

}  // namespace
}  // namespace feature
