// Handlers of system exceptions by omniORB's functions. omniORB itself passes the same test.
#include "port.h"
#include "with_orb.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <echo.hh>

namespace {

// Records the questions to a handler, which says yes the first times.
struct Asked {
  int yes = 0;
  std::vector<CORBA::ULong> retries;
  std::vector<std::string> names, operations;
  CORBA::Object_var object;

  CORBA::Boolean answer(CORBA::ULong n_retries, const CORBA::SystemException& ex) {
    retries.push_back(n_retries);
    names.push_back(ex._name());
    return static_cast<int>(retries.size()) <= yes;
  }
};

template <class Failure>
CORBA::Boolean handle(void* cookie, CORBA::ULong n_retries, const Failure& ex) {
  return static_cast<Asked*>(cookie)->answer(n_retries, ex);
}
template <class Failure>
CORBA::Boolean handle_ext(void* cookie, CORBA::ULong n_retries, const Failure& ex, CORBA::Object_ptr obj,
                          const char* op) {
  Asked& asked = *static_cast<Asked*>(cookie);
  asked.object = CORBA::Object::_duplicate(obj);
  asked.operations.push_back(op);
  return asked.answer(n_retries, ex);
}
template <class Failure>
CORBA::Boolean refuse(void*, CORBA::ULong, const Failure&) {
  return false;
}
CORBA::Boolean throw_no_resources(void*, CORBA::ULong, const CORBA::TRANSIENT&) {
  throw CORBA::NO_RESOURCES(7, CORBA::COMPLETED_NO);
}

// A servant in this process that fails as often as it is told.
class Failing : public POA_Echo {
 public:
  char* echoString(const char* text) override {
    if (failures-- > 0) {
      if (kind == 't') throw CORBA::TRANSIENT(1, CORBA::COMPLETED_NO);
      if (kind == 'o') throw CORBA::TIMEOUT(1, CORBA::COMPLETED_NO);
      if (kind == 'c') throw CORBA::COMM_FAILURE(1, CORBA::COMPLETED_NO);
      throw CORBA::NO_RESOURCES(1, CORBA::COMPLETED_NO);
    }
    return CORBA::string_dup(text);
  }
  int failures = 0;
  char kind = 't';
};

class Handlers : public WithOrb {
 protected:
  void SetUp() override {
    WithOrb::SetUp();
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    servant_ = new Failing;
    echo_ = servant_->_this();
  }
  void TearDown() override {
    omniORB::installTransientExceptionHandler(nullptr, &refuse<CORBA::TRANSIENT>);
    omniORB::installTimeoutExceptionHandler(nullptr, &refuse<CORBA::TIMEOUT>);
    omniORB::installCommFailureExceptionHandler(nullptr, &refuse<CORBA::COMM_FAILURE>);
    omniORB::installSystemExceptionHandler(nullptr, &refuse<CORBA::SystemException>);
    servant_->_remove_ref();
    WithOrb::TearDown();
  }
  std::string say(Echo_ptr echo) {
    CORBA::String_var said = echo->echoString("yes");
    return std::string(said);
  }
  // By stubs, to an object whose server cannot be reached or does not answer.
  Echo_var elsewhere(const Port& port) {
    CORBA::Object_var object = orb_->string_to_object(port.url.c_str());
    return Echo::_unchecked_narrow(object);
  }

  Asked asked_;
  Failing* servant_ = nullptr;
  Echo_var echo_;
};

TEST_F(Handlers, repeat_calls_until_they_succeed) {
  asked_.yes = 5;
  omniORB::installTransientExceptionHandler(&asked_, &handle<CORBA::TRANSIENT>);
  servant_->failures = 3;
  EXPECT_EQ(say(echo_), "yes");
  EXPECT_EQ(asked_.retries, (std::vector<CORBA::ULong>{0, 1, 2}));
}

TEST_F(Handlers, that_want_no_more_give_the_caller_the_exception) {
  asked_.yes = 1;
  omniORB::installTransientExceptionHandler(&asked_, &handle<CORBA::TRANSIENT>);
  servant_->failures = 9;
  EXPECT_THROW(say(echo_), CORBA::TRANSIENT);
  EXPECT_EQ(asked_.retries.size(), 2u);
  EXPECT_EQ(servant_->failures, 7);
}

TEST_F(Handlers, are_asked_about_their_own_kind) {
  Asked others[3];
  for (Asked& one : others) one.yes = 1;
  asked_.yes = 1;
  omniORB::installTransientExceptionHandler(&asked_, &handle<CORBA::TRANSIENT>);
  omniORB::installTimeoutExceptionHandler(&others[0], &handle<CORBA::TIMEOUT>);
  omniORB::installCommFailureExceptionHandler(&others[1], &handle<CORBA::COMM_FAILURE>);
  omniORB::installSystemExceptionHandler(&others[2], &handle<CORBA::SystemException>);
  for (const char kind : {'o', 'c', 's'}) {
    servant_->kind = kind;
    servant_->failures = 1;
    EXPECT_EQ(say(echo_), "yes") << kind;
  }
  EXPECT_TRUE(asked_.names.empty());
  EXPECT_EQ(others[0].names, std::vector<std::string>{"TIMEOUT"});
  EXPECT_EQ(others[1].names, std::vector<std::string>{"COMM_FAILURE"});
  EXPECT_EQ(others[2].names, std::vector<std::string>{"NO_RESOURCES"});
}

TEST_F(Handlers, of_a_reference_prevail) {
  Asked own;
  own.yes = 1;
  omniORB::installTransientExceptionHandler(&asked_, &handle<CORBA::TRANSIENT>);
  omniORB::installTransientExceptionHandler(echo_, &own, &handle<CORBA::TRANSIENT>);
  servant_->failures = 1;
  EXPECT_EQ(say(echo_), "yes");
  Echo_var same = Echo::_duplicate(echo_);
  servant_->failures = 1;
  EXPECT_THROW(say(same), CORBA::TRANSIENT);
  EXPECT_EQ(own.names.size(), 2u);
  EXPECT_TRUE(asked_.names.empty());
}

TEST_F(Handlers, learn_the_reference_and_the_operation) {
  asked_.yes = 1;
  omniORB::installTransientExceptionHandlerExt(&asked_, &handle_ext<CORBA::TRANSIENT>);
  servant_->failures = 1;
  EXPECT_EQ(say(echo_), "yes");
  EXPECT_EQ(asked_.operations, std::vector<std::string>{"echoString"});
  EXPECT_TRUE(asked_.object->_is_equivalent(echo_));
  Asked own;
  own.yes = 1;
  omniORB::installTransientExceptionHandlerExt(echo_, &own, &handle_ext<CORBA::TRANSIENT>);
  servant_->failures = 1;
  EXPECT_EQ(say(echo_), "yes");
  EXPECT_EQ(own.operations.size(), 1u);
}

TEST_F(Handlers, may_throw) {
  omniORB::installTransientExceptionHandler(nullptr, &throw_no_resources);
  servant_->failures = 1;
  try {
    say(echo_);
    FAIL();
  } catch (const CORBA::NO_RESOURCES& failure) {
    EXPECT_EQ(failure.minor(), 7u);
  }
  EXPECT_EQ(say(echo_), "yes");
}

TEST_F(Handlers, are_asked_where_there_is_no_server) {
  const Port closed("");
  const Echo_var nobody = elsewhere(closed);
  asked_.yes = 2;
  omniORB::installTransientExceptionHandler(&asked_, &handle<CORBA::TRANSIENT>);
  EXPECT_THROW(say(nobody), CORBA::TRANSIENT);
  EXPECT_EQ(asked_.retries, (std::vector<CORBA::ULong>{0, 1, 2}));
  asked_.retries.clear();
  EXPECT_THROW(nobody->_non_existent(), CORBA::TRANSIENT);
  EXPECT_EQ(asked_.retries.size(), 3u);
}

TEST_F(Handlers, are_asked_where_a_server_does_not_answer) {
  const Silent silent;
  const Echo_var nobody = elsewhere(silent);
  omniORB::setClientCallTimeout(nobody, 50);
  asked_.yes = 2;
  omniORB::installTimeoutExceptionHandler(nobody, &asked_, &handle<CORBA::TIMEOUT>);
  EXPECT_THROW(say(nobody), CORBA::TIMEOUT);
  EXPECT_EQ(asked_.retries, (std::vector<CORBA::ULong>{0, 1, 2}));
}

}  // namespace
