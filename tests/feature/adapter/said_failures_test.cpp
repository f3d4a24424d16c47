// The messages to users of the server and of its client when a call fails in the server.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include <takt/corba.h>

#include "../caught.h"
#include "../make_orb.h"
#include "bankS.h"

namespace {

using feature::make_orb;
using AccountRef = IDL::traits<Bank::Account>::ref_type;

class Broken final : public virtual CORBA::servant_traits<Bank::Account>::base_type {
 public:
  std::string owner() override { throw std::runtime_error("disk full"); }
  std::int32_t deposit(std::int32_t) override { return 0; }
};

class SaidFailures : public testing::Test {
 protected:
  SaidFailures() {
    id_ = root_->activate_object(CORBA::make_reference<Broken>());
    account_ = IDL::traits<Bank::Account>::narrow(
        client_->string_to_object(server_->object_to_string(root_->id_to_reference(id_))));
  }
  ~SaidFailures() override {
    client_->destroy();
    server_->destroy();
  }

  // The exception's text at the client.
  template <class Failure, class Call>
  static std::string text_of(Call call) {
    try {
      call();
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "no such exception";
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  feature::Caught said_;
  feature::Orb server_ =
      make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBHoldTimeout", "1ms"}, "broken-");
  feature::Orb client_ = make_orb({}, "caller-");
  IDL::traits<PortableServer::POA>::ref_type root_ =
      IDL::traits<PortableServer::POA>::narrow(server_->resolve_initial_references("RootPOA"));
  PortableServer::ObjectId id_;
  AccountRef account_;
};

}  // namespace

TEST_F(SaidFailures, WhatAServantHasThrownIsSaidByItsServer) {
  root_->the_POAManager()->activate();
  const auto text = text_of<CORBA::UNKNOWN>([&] { account_->owner(); });
  EXPECT_TRUE(has(text, "raised by the server of tcp 127.0.0.1:")) << text;
  EXPECT_TRUE(has(text, "the server's log may say")) << text;
  server_->shutdown(true);
  EXPECT_TRUE(has(said_.text(), " fails with CORBA::UNKNOWN (minor 0x0, COMPLETED_MAYBE): ")) << said_.text();
  EXPECT_TRUE(has(said_.text(), "disk full\n")) << said_.text();
}

TEST_F(SaidFailures, ThatNobodyHasActivatedTheManagerIsSaid) {
  const auto text = text_of<CORBA::TRANSIENT>([&] { account_->deposit(1); });
  EXPECT_TRUE(has(text, "is its POA manager active")) << text;
  EXPECT_TRUE(has(text, "can its implementation repository start it")) << text;
  server_->shutdown(true);
  EXPECT_TRUE(has(said_.text(), "the_POAManager()->activate()")) << said_.text();
}

TEST_F(SaidFailures, AStaleReferenceIsNamedAsSuch) {
  root_->the_POAManager()->activate();
  root_->deactivate_object(id_);
  const auto text = text_of<CORBA::OBJECT_NOT_EXIST>([&] { account_->deposit(1); });
  EXPECT_TRUE(has(text, "deposit: raised by the server of")) << text;
  EXPECT_TRUE(has(text, "get a new one")) << text;
  server_->shutdown(true);
  EXPECT_EQ(said_.text(), "") << "a client's mistake, which costs the server no line";
}

TEST_F(SaidFailures, AKeyThatSomebodyHasWrittenIsNamed) {
  root_->the_POAManager()->activate();
  const auto thrown = text_of<CORBA::UNKNOWN>([&] { account_->owner(); });  // names the connection's ends
  const auto at = thrown.find("-> ") + 3;
  const auto address = thrown.substr(at, thrown.find(';', at) - at);
  const auto wrong = IDL::traits<Bank::Account>::unchecked_narrow(
      client_->string_to_object("corbaloc:iiop:1.2@" + address + "/greeter"));
  const auto text = text_of<CORBA::OBJECT_NOT_EXIST>([&] { wrong->deposit(1); });
  EXPECT_TRUE(
      has(text, "the server has no object with the key 'greeter'; a name in a naming service follows a #"))
      << text;
  EXPECT_FALSE(has(text, "get a new one")) << text;
}

TEST_F(SaidFailures, ExceptionsOfAdaptersSpeakInWords) {
  const auto text = text_of<PortableServer::POA::ObjectNotActive>(
      [&] { root_->id_to_reference(PortableServer::string_to_ObjectId("nobody")); });
  EXPECT_EQ(text, "PortableServer::POA::ObjectNotActive: the POA has no active object of that id");
}
