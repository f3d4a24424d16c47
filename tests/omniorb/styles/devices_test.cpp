// As control systems do it: each failure of a call becomes a text, by the exception's type and minor code.
// Calls without a waiting caller are dynamic requests.
#include "../port.h"

#include <cstring>
#include <sstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "styles.hh"

#if __cplusplus < 201703L  // which has no exception specifications
#define THROWS(...) throw(__VA_ARGS__)
#else
#define THROWS(...)
#endif

namespace {

class Device_i : public virtual POA_Plant::Device, public virtual PortableServer::RefCountServantBase {
 public:
  explicit Device_i(const char* name) : name_(CORBA::string_dup(name)) {}
  char* name() THROWS(CORBA::SystemException) { return CORBA::string_dup(name_); }
  char* status() THROWS(CORBA::SystemException, Plant::Failed) {
    CORBA::String_var text = CORBA::string_alloc(20);
    std::strcpy(text.inout(), "the device is ");
    std::strcat(text.inout(), "on");
    return text._retn();
  }
  CORBA::Double value(const char* attribute_name) THROWS(CORBA::SystemException, Plant::Failed) {
    if (std::strcmp(attribute_name, "current") == 0) return 0.5;
    Plant::Failed failure;
    failure.reason = CORBA::string_dup("unknown attribute");
    failure.origin = name_;
    throw failure;
  }

 private:
  CORBA::String_var name_;
};

std::string text_of(const CORBA::SystemException& failure) {
  std::ostringstream text;
  text << failure._name() << ", ";
  if (const char* const minor = failure.NP_minorString())
    text << minor;
  else
    text << "minor code " << std::hex << failure.minor();
  text << ", "
       << (failure.completed() == CORBA::COMPLETED_NO      ? "not completed"
           : failure.completed() == CORBA::COMPLETED_MAYBE ? "perhaps completed"
                                                           : "completed");
  return text.str();
}

// The text that a user gets for a call.
std::string told_about(Plant::Device_ptr device, const char* attribute_name) {
  try {
    std::ostringstream text;
    text << device->value(attribute_name);
    return text.str();
  } catch (Plant::Failed& failure) {
    return std::string(failure.reason) + " of " + failure.origin.in();
  } catch (CORBA::TRANSIENT& failure) {
    if (failure.minor() == omni::TRANSIENT_CallTimedout) return "timed out: " + text_of(failure);
    if (failure.minor() == omni::TRANSIENT_ConnectFailed) return "not running: " + text_of(failure);
    return "unreachable: " + text_of(failure);
  } catch (CORBA::TIMEOUT& failure) {
    return (failure.minor() == omni::TIMEOUT_CallTimedOutOnClient ? "timed out: " : "timed out elsewhere: ") +
           text_of(failure);
  } catch (CORBA::OBJECT_NOT_EXIST& failure) {
    return failure.minor() == omni::OBJECT_NOT_EXIST_NoMatch ? "unknown device: " + text_of(failure)
                                                             : text_of(failure);
  } catch (CORBA::COMM_FAILURE& failure) {
    if (failure.minor() == omni::COMM_FAILURE_WaitingForReply) return "lost: " + text_of(failure);
    return "lost before: " + text_of(failure);
  } catch (CORBA::SystemException& failure) {
    return text_of(failure);
  } catch (CORBA::Exception& failure) {
    return failure._name();
  }
}

// As commands read their arguments, in each way that the elements of a const sequence have.
std::string joined(const CORBA::StringSeq& names, CORBA::StringSeq& copies) {
  std::string all;
  copies.length(names.length());
  for (CORBA::ULong i = 0; i < names.length(); ++i) {
    const char* const name = names[i];
    CORBA::String_var copied = names[i], assigned;
    assigned = names[i];
    copies[i] = names[i];
    all += std::string(names[i]) + names[i].in() + name + copied.in() + assigned.in();
    if (std::strcmp(names[i], names[i].in()) == 0 && names[i][0] == *name) all += ';';
  }
  return all;
}

TEST(Arguments, AreSequencesOfStrings) {
  CORBA::StringSeq names, copies;
  names.length(2);
  names[0] = CORBA::string_dup("a");
  names[1] = CORBA::string_dup("b");
  EXPECT_EQ(joined(names, copies), "aaaaa;bbbbb;");
  EXPECT_STREQ(copies[1].in(), "b");
}

class Devices : public testing::Test {
 protected:
  void SetUp() {
    int count = 1;
    static char name[] = "test";
    char* arguments[] = {name, nullptr};
    orb_ = CORBA::ORB_init(count, arguments);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root_->the_POAManager();
    manager->activate();
  }
  void TearDown() { orb_->destroy(); }
  Plant::Device_var at(const std::string& url) {
    CORBA::Object_var object = orb_->string_to_object(url.c_str());
    return Plant::Device::_unchecked_narrow(object);
  }

  CORBA::ORB_var orb_;
  PortableServer::POA_var root_;
};

TEST_F(Devices, AnswerAndFailAsTheyDeclare) {
  Device_i* const servant = new Device_i("lab/ps/1");
  PortableServer::ServantBase_var owner = servant;
  Plant::Device_var device = servant->_this();
  EXPECT_EQ(told_about(device, "current"), "0.5");
  EXPECT_EQ(told_about(device, "colour"), "unknown attribute of lab/ps/1");
}

TEST_F(Devices, ThatDoNotAnswerTimeOut) {
  Port silent("");
  silent.listen();
  Plant::Device_var device = at(silent.url);
  omniORB::setClientCallTimeout(device, 100);
  EXPECT_EQ(told_about(device, "current"),
            "timed out: TIMEOUT, TIMEOUT_CallTimedOutOnClient, perhaps completed");
}

TEST_F(Devices, ThatDoNotRunAreNotConnected) {
  Port closed("");
  EXPECT_EQ(told_about(at(closed.url), "current"),
            "not running: TRANSIENT, TRANSIENT_ConnectFailed, not completed");
}

TEST_F(Devices, ThatEndDuringACallAreLost) {
  Port port("");
  port.listen();
  std::thread server([&port] {
    const int connection = accept(port.socket_number(), nullptr, nullptr);
    char octets[512];
    EXPECT_GT(recv(connection, octets, sizeof octets, 0), 0);
    close(connection);
  });
  const std::string told = told_about(at(port.url), "current");
  server.join();
  EXPECT_EQ(told, "lost: COMM_FAILURE, COMM_FAILURE_WaitingForReply, perhaps completed");
}

TEST_F(Devices, ThatWereTakenAwayAreUnknown) {
  Device_i* const servant = new Device_i("lab/ps/2");
  PortableServer::ObjectId_var id = root_->activate_object(servant);
  Plant::Device_var device = servant->_this();
  servant->_remove_ref();
  root_->deactivate_object(id);
  EXPECT_EQ(told_about(device, "current"),
            "unknown device: OBJECT_NOT_EXIST, OBJECT_NOT_EXIST_NoMatch, not completed");
}

TEST_F(Devices, AreAskedWithoutWaiting) {
  Device_i* const servant = new Device_i("lab/ps/3");
  PortableServer::ServantBase_var owner = servant;
  Plant::Device_var device = servant->_this();
  CORBA::Request_var request = device->_request("value");
  request->add_in_arg("attribute_name") <<= "current";
  request->set_return_type(CORBA::_tc_double);
  request->exceptions()->add(Plant::_tc_Failed);
  request->send_deferred();
  while (!request->poll_response()) std::this_thread::yield();
  request->get_response();
  CORBA::Double value = 0;
  ASSERT_TRUE(request->return_value() >>= value);
  EXPECT_EQ(value, 0.5);

  CORBA::Request_var failing = device->_request("value");
  failing->add_in_arg("attribute_name") <<= "colour";
  failing->set_return_type(CORBA::_tc_double);
  failing->exceptions()->add(Plant::_tc_Failed);
  failing->send_deferred();
  failing->get_response();
  CORBA::Exception* const raised = failing->env()->exception();
  ASSERT_NE(raised, nullptr);
  CORBA::UnknownUserException* const unknown = CORBA::UnknownUserException::_downcast(raised);
  ASSERT_NE(unknown, nullptr);
  const Plant::Failed* failure = nullptr;
  ASSERT_TRUE(unknown->exception() >>= failure);
  EXPECT_STREQ(failure->reason.in(), "unknown attribute");
}

}  // namespace
