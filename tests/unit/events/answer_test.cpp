#include "events/delivery/answer.h"

#include <gtest/gtest.h>

#include <new>

namespace takt::events {
namespace {

template <class Exception>
Answer answer_to(Exception exception) {
  return answer_of([&] { throw exception; });
}

// Nothing tells whether the call has left, or whether an event is too long for the client.
TEST(Answers, WithoutMemoryAreExceptions) {
  EXPECT_EQ(answer_to(std::bad_alloc()), Answer::exception);
  EXPECT_EQ(answer_to(CORBA::NO_MEMORY(0, CORBA::COMPLETED_NO)), Answer::exception);
  EXPECT_EQ(answer_to(CORBA::NO_MEMORY(0, CORBA::COMPLETED_YES)), Answer::exception);
}

TEST(Answers, AreLostIfTheClientMayHaveHadTheEvent) {
  EXPECT_EQ(answer_to(CORBA::TIMEOUT(0, CORBA::COMPLETED_MAYBE)), Answer::lost);
  EXPECT_EQ(answer_to(CORBA::COMM_FAILURE(0, CORBA::COMPLETED_NO)), Answer::not_reached);
}

TEST(Answers, OfClientsThatHaveGoneOrRaiseAnotherException) {
  EXPECT_EQ(answer_to(CosEventComm::Disconnected()), Answer::gone);
  EXPECT_EQ(answer_to(CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO)), Answer::gone);
  EXPECT_EQ(answer_to(CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO)), Answer::exception);
}

}  // namespace
}  // namespace takt::events
