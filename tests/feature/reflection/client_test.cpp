// The definitions to which servers lead a client that wants to know an object's interface.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include <takt/dynamic/server_request.h>

#include "../orb_pair.h"
#include "Takt_ReflectionS.h"
#include "common/command.h"
#include "echo_servant.h"
#include "types/described.h"

namespace feature {
namespace {

using Definition = CORBA::object_reference<CORBA::Object>;

// Answers _get_interface with what the test makes.
class Defined final : public EchoServant {
 public:
  Definition _get_interface() override { return define(); }
  std::function<Definition()> define;
};

class DefinitionsOfServers : public testing::Test {
 protected:
  std::string failure_with(std::function<Definition()> define) {
    servant->define = std::move(define);
    try {
      (void)takt::command::catalogue_of_object(object);
    } catch (const takt::command::Failure& failure) {
      EXPECT_NE(failure.text.find("the server does not describe its objects ("), std::string::npos)
          << failure.text;
      EXPECT_NE(failure.text.find("give an IDL file with --idl FILE"), std::string::npos) << failure.text;
      EXPECT_EQ(failure.status, takt::command::unusable);
      return failure.text;
    }
    return "accepted";
  }

  OrbPair pair;
  CORBA::servant_reference<Defined> servant = CORBA::make_reference<Defined>();
  const CORBA::object_reference<CORBA::Object> published = pair.root->servant_to_reference(servant);
  const CORBA::object_reference<CORBA::Object> object =
      pair.client->string_to_object(pair.server->object_to_string(published));
};

TEST_F(DefinitionsOfServers, ThatAreOfAnotherTypeAreNamedSo) {
  EXPECT_NE(
      failure_with([&] { return published; }).find("is an object of another type than CORBA::InterfaceDef"),
      std::string::npos);
}

TEST_F(DefinitionsOfServers, ThatAreGoneAreNamedSo) {
  const auto id = pair.root->activate_object(CORBA::make_reference<EchoServant>());
  const auto gone = pair.root->id_to_reference(id);
  pair.root->deactivate_object(id);
  EXPECT_NE(failure_with([&] { return gone; }).find("is an object that does not exist"), std::string::npos);
}

TEST_F(DefinitionsOfServers, ThatAreNilAreNone) {
  EXPECT_NE(failure_with([] { return Definition(); }).find("INTF_REPOS"), std::string::npos);
}

TEST_F(DefinitionsOfServers, OfRepositoriesThatLackTheExtendedFormAreRead) {
  // The Echo's own definition, by a server that has only the plain form.
  class Plain final : public PortableServer::DynamicImplementation {
   public:
    void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
      if (request->operation() != "describe_interface") throw CORBA::BAD_OPERATION();
      CORBA::object_reference<CORBA::NVList> none;
      orb->create_list(0, none);
      request->arguments(none);
      CORBA::Any description;
      description <<= Takt::Reflection::InterfaceDef::FullInterfaceDescription(
          "Echo", "IDL:Calls/Echo:1.0", "IDL:Calls:1.0", "1.0", {},
          {{"level", "IDL:Calls/Echo/level:1.0", "IDL:Calls/Echo:1.0", "1.0",
            takt::cdr::basic_typecode(CORBA::TCKind::tk_long), Takt::Reflection::AttributeMode::ATTR_NORMAL}},
          {}, Calls::_tc_Echo);
      request->set_result(description);
    }
    std::string _primary_interface(const PortableServer::ObjectId&,
                                   CORBA::object_reference<PortableServer::POA>) override {
      return "IDL:omg.org/CORBA/InterfaceDef:1.0";
    }
    CORBA::object_reference<CORBA::ORB> orb;
  };
  const auto plain = CORBA::make_reference<Plain>();
  plain->orb = pair.server;
  const auto definition = pair.root->servant_to_reference(plain);
  servant->define = [&] { return definition; };
  const auto catalogue = takt::command::catalogue_of_object(object);
  ASSERT_EQ(catalogue.interfaces.size(), 1u);
  EXPECT_NE(catalogue.interfaces.front().find("_set_level"), nullptr);
}

}  // namespace
}  // namespace feature
