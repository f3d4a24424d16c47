// A program that chooses the parts of its ORBs: UNIX-domain sockets besides TCP.
#include <gtest/gtest.h>

#include <takt/orb/parts.h>

#include "../make_orb.h"
#include "callsS.h"

void takt::choose_parts(Parts& parts) { takt::add_unix_domain(parts); }

namespace {

using namespace feature;

class Named final : public virtual CORBA::servant_traits<Calls::Base>::base_type {
 public:
  std::string name() override { return "base"; }
};

// The error text of an ORB with these options.
std::string refusal(std::vector<std::string> options) {
  try {
    make_orb(std::move(options), "refused")->destroy();
  } catch (const CORBA::SystemException& refused) {
    return std::string(refused.detail());
  }
  return "";
}

testing::AssertionResult says(const std::string& text, const std::string& part) {
  if (text.find(part) != text.npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << text << "' does not say '" << part << "'";
}

TEST(ChosenParts, AreThere) {
  for (const char* const endpoint : {"unix:", "iiop://127.0.0.1:0"}) {
    const Orb server = make_orb({"-ORBListenEndpoints", endpoint}, "server"), client = make_orb({}, "client");
    const auto root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
    root->the_POAManager()->activate();
    const auto id = root->activate_object(CORBA::make_reference<Named>());
    const auto text = server->object_to_string(root->id_to_reference(id));
    EXPECT_EQ(IDL::traits<Calls::Base>::narrow(client->string_to_object(text))->name(), "base");
    client->destroy();
    server->destroy();
  }
}

TEST(ChosenParts, OthersAreNoTransports) {
  for (const char* const endpoint : {"shm:", "inproc:", "udp://127.0.0.1:0", "ssliop://127.0.0.1:0"})
    EXPECT_TRUE(says(refusal({"-ORBListenEndpoints", endpoint}),
                     "there is no transport of that name, but iiop, unix"))
        << endpoint;
}

TEST(ChosenParts, OptionsThatNeedOthersAreRefused) {
  for (const char* const option : {"TLSCertificate", "TLSAuthorities", "TLSRevoked"})
    EXPECT_TRUE(says(refusal({std::string("-ORB") + option, "file"}),
                     std::string("-ORB") + option + ": this program"));
  EXPECT_TRUE(says(refusal({"-ORBTLSUse", "always"}), "takt::add_tls()"));
  EXPECT_TRUE(
      says(refusal({"-ORBSignals", "TERM"}),
           "option -ORBSignals: this program does without takt::add_upkeep(); to build it with that"));
  EXPECT_TRUE(
      says(refusal({"-ORBConfig", "file.toml"}), "file.toml: this program reads no configuration files"));
}

TEST(ChosenParts, ReferencesThatNeedOthersCannotBeCalled) {
  const Orb orb = make_orb({}, "client");
  const auto group = IDL::traits<Calls::Base>::unchecked_narrow(
      orb->string_to_object("corbaloc:miop:1.0@1.0-Parts-1/239.255.17.8:4711"));
  ASSERT_TRUE(group);
  EXPECT_THROW(group->name(), CORBA::SystemException);
  orb->destroy();
}

}  // namespace
