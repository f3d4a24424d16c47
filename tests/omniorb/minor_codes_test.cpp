// The names of minor codes, and those of calls that no server answers. omniORB itself passes the same test.
#include "minor_codes.h"
#include "port.h"
#include "with_orb.h"

#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <omniORB4/CORBA.h>
#include <omniORB4/minorCode.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

TEST(MinorCodes, have_the_names_and_values_of_omniorb){
#define EXPECT_CODE(EXCEPTION, NAME, VALUE)                                 \
  EXPECT_EQ(static_cast<CORBA::ULong>(omni::EXCEPTION##_##NAME), VALUE##u); \
  EXPECT_STREQ(CORBA::EXCEPTION(VALUE).NP_minorString(), #EXCEPTION "_" #NAME);
    OMNIORB_MINOR_CODES(EXPECT_CODE)
#undef EXPECT_CODE
}

TEST(MinorCodes, without_a_name_have_none) {
  EXPECT_EQ(CORBA::TRANSIENT(1234).NP_minorString(), nullptr);
  EXPECT_EQ(CORBA::COMM_FAILURE(0).NP_minorString(), nullptr);
  EXPECT_EQ(CORBA::TIMEOUT(omni::TRANSIENT_ConnectFailed).NP_minorString(), nullptr)
      << "that of another exception";
}

class AnsweringPort : public Port {
 public:
  // Takes connections, and closes each when a request has come and `answer` was sent.
  void close_each(std::string answer = "") {
    for (;;) {
      const int peer = accept(socket_number(), nullptr, nullptr);
      if (peer < 0) return;
      char octets[1000];
      const ssize_t count = read(peer, octets, sizeof octets);
      if (count >= 16 && !answer.empty()) {
        answer.replace(12, 4, octets + 12, 4);  // the request's number
        (void)!write(peer, answer.data(), answer.size());
      }
      close(peer);
    }
  }
};

// Connections that fill a port's queue, so that the system lets no other in.
class Crowd {
 public:
  explicit Crowd(Port& port) {
    port.listen(0);
    const sockaddr_in where = port.address();
    for (int& one : sockets_) {
      one = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
      (void)!connect(one, reinterpret_cast<const sockaddr*>(&where), sizeof where);
    }
  }
  ~Crowd() {
    for (const int one : sockets_) close(one);
  }

 private:
  int sockets_[4];
};

class FailureCodes : public WithOrb {
 protected:
  void TearDown() override {
    omniORB::setClientCallTimeout(0);
    WithOrb::TearDown();
  }
  template <class Exception>
  void expect(const std::string& url, CORBA::ULong minor, CORBA::CompletionStatus completed,
              const char* name) {
    CORBA::Object_var object = orb_->string_to_object(url.c_str());
    try {
      object->_non_existent();
      ADD_FAILURE() << "nothing thrown";
    } catch (const Exception& failure) {
      EXPECT_EQ(failure.minor(), minor);
      EXPECT_EQ(failure.completed(), completed);
      EXPECT_STREQ(failure.NP_minorString(), name);
    }
  }
  AnsweringPort port_;
};

TEST_F(FailureCodes, of_refused_connections) {
  expect<CORBA::TRANSIENT>(port_.url, omni::TRANSIENT_ConnectFailed, CORBA::COMPLETED_NO,
                           "TRANSIENT_ConnectFailed");
}

TEST_F(FailureCodes, of_calls_that_take_too_long) {
  port_.listen();
  omniORB::setClientCallTimeout(100);
  expect<CORBA::TIMEOUT>(port_.url, omni::TIMEOUT_CallTimedOutOnClient, CORBA::COMPLETED_MAYBE,
                         "TIMEOUT_CallTimedOutOnClient");
}

TEST_F(FailureCodes, of_connections_that_break_during_a_call) {
  port_.listen();
  std::thread server([&] { port_.close_each(); });
  expect<CORBA::COMM_FAILURE>(port_.url, omni::COMM_FAILURE_WaitingForReply, CORBA::COMPLETED_MAYBE,
                              "COMM_FAILURE_WaitingForReply");
  port_.stop();
  server.join();
}

// A reply of GIOP 1.2 with the system exception TIMEOUT, minor 0, COMPLETED_NO. Both sides are little-endian.
TEST_F(FailureCodes, of_exceptions_that_a_server_has_raised_are_the_servers) {
  const std::string id("IDL:omg.org/CORBA/TIMEOUT:1.0", 30);  // with its null
  const std::string body =
      std::string("\0\0\0\0\2\0\0\0\0\0\0\0\x1e\0\0\0", 16) + id + std::string("\0\0\0\0\0\0\1\0\0\0", 10);
  const std::string reply =
      std::string("GIOP\1\2\1\1", 8) + static_cast<char>(body.size()) + std::string(3, '\0') + body;
  port_.listen();
  std::thread server([&] { port_.close_each(reply); });
  expect<CORBA::TIMEOUT>(port_.url, 0, CORBA::COMPLETED_NO, nullptr);
  port_.stop();
  server.join();
}

TEST_F(FailureCodes, of_connections_that_take_too_long_to_open) {
  const Crowd crowd(port_);
  omniORB::setClientConnectTimeout(100);
  expect<CORBA::TIMEOUT>(port_.url, omni::TIMEOUT_CallTimedOutOnClient, CORBA::COMPLETED_NO,
                         "TIMEOUT_CallTimedOutOnClient");
}

}  // namespace
