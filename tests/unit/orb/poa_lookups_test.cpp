// Lookup strategies of single POAs, in options and files.
#include "config/poa_lookups.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <takt/adapter/poa.h>

#include "arguments.h"
#include "config/config_file.h"

namespace takt::orb {

using adapter::ConfiguredLookup;

std::string problem(std::string_view text) {
  const auto read = poa_lookup_from_text(text);
  if (!read) return read.error();
  const auto fits = check(*read);
  return fits ? "nothing" : fits.error();
}

TEST(PoaLookups, AreRead) {
  const auto all =
      poa_lookups({"RootPOA/a/b\\x2fc:servants=dynamic,operations=linear", "RootPOA:adapters=active"});
  const ConfiguredLookup* const one = all.find(adapter_path({"a", "b/c"}));
  ASSERT_TRUE(one);
  EXPECT_EQ(one->servant, Lookup::dynamic);
  EXPECT_EQ(one->operation, Lookup::linear);
  EXPECT_FALSE(one->adapter);
  ASSERT_TRUE(all.find(""));
  EXPECT_EQ(all.find("")->adapter, Lookup::active);
  EXPECT_FALSE(all.find(adapter_path({"a"})));
}

TEST(PoaLookups, RefusalsSayWhatWouldBeRight) {
  EXPECT_NE(problem("a:servants=linear").find("RootPOA/NAME"), std::string::npos);
  EXPECT_NE(problem("RootPOAs:servants=linear").find("RootPOA/NAME"), std::string::npos);
  EXPECT_NE(problem("RootPOA/:servants=linear").find("RootPOA/NAME"), std::string::npos);
  EXPECT_NE(problem("RootPOA/\\x:servants=linear").find("RootPOA/NAME"), std::string::npos);
  EXPECT_NE(problem("RootPOA/a").find("lacks"), std::string::npos);
  EXPECT_NE(problem("RootPOA/a:servant=linear").find("did you mean servants?"), std::string::npos);
  EXPECT_NE(problem("RootPOA/a:servants=fast").find("none of linear, dynamic, perfect"), std::string::npos);
  EXPECT_NE(problem("RootPOA/a:operations=active").find("none of linear, dynamic and"), std::string::npos);
  EXPECT_NE(problem("RootPOA/a:servants=perfect").find("needs servant_ids"), std::string::npos);
  EXPECT_NE(problem("RootPOA/a:adapters=linear,adapter_paths=x").find("adapter_paths"), std::string::npos);
  EXPECT_NE(problem("RootPOA:servants=perfect,servant_ids=x").find("root POA"), std::string::npos);
  EXPECT_THROW(poa_lookups({"RootPOA/a:servants=perfect,servant_ids=/nowhere"}), CORBA::BAD_PARAM);
  EXPECT_THROW(poa_lookups({"RootPOA/a:servants=linear", "RootPOA/a:operations=linear"}), CORBA::BAD_PARAM);
}

TEST(PoaLookups, AreTablesInAFile) {
  const auto read = options_in(
      "[poa.\"RootPOA/a:b\"]\nservants = \"dynamic\"\noperations = \"linear\"\n"
      "[poa.RootPOA]\nadapters = \"active\"\n",
      "x.toml");
  ASSERT_TRUE(read) << read.error();
  ASSERT_EQ(read->size(), 1u);
  const auto all = poa_lookups(read->front().items);
  ASSERT_TRUE(all.find(adapter_path({"a:b"})));
  EXPECT_EQ(all.find(adapter_path({"a:b"}))->servant, Lookup::dynamic);
  EXPECT_EQ(all.find(adapter_path({"a:b"}))->operation, Lookup::linear);
  EXPECT_TRUE(all.find(""));
}

TEST(PoaLookups, EverythingThatIsWrongInAFileHasItsPlace) {
  const auto read = options_in(
      "[poa.\"RootPOA/a\"]\nservants = \"dynamics\"\n"
      "[poa.\"RootPOA/b\"]\nservant = \"linear\"\n"
      "[poa.\"RootPOA/c\"]\nservants = \"perfect\"\n"
      "[poa.other]\nservants = \"linear\"\n"
      "[poa.\"RootPOA/d\"]\n"
      "[poa.\"RootPOA/e\"]\nservants = 1\n",
      "x.toml");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error(),
            "x.toml:2:1: RootPOA/a: 'dynamics' is none of linear, dynamic, perfect, active and delayered\n"
            "x.toml:4:1: RootPOA/b: there is no 'servant', did you mean servants?\n"
            "x.toml:5:6: RootPOA/c: perfect needs servant_ids, a file with one to a line, and nothing else "
            "does\n"
            "x.toml:8:1: 'other' is not a POA: write RootPOA or RootPOA/NAME/NAME\n"
            "x.toml:9:6: 'RootPOA/d' says nothing\n"
            "x.toml:11:12: servants takes text, in quotes");
}

TEST(PoaLookups, ThePOAHasThem) {
  const std::string ids = testing::TempDir() + "takt_poa_lookup_ids";
  std::ofstream(ids) << "alice\nbob\n";
  const auto orb =
      make_orb({"-ORBPOALookup", "RootPOA/accounts:servants=perfect,servant_ids=" + ids}, "poa-lookups");
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const CORBA::PolicyList user_ids = {
      root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)};
  EXPECT_NO_THROW(root->create_POA("others", nullptr, {}));
  EXPECT_THROW(root->create_POA("accounts", nullptr, {}), CORBA::BAD_PARAM);  // system ids
  EXPECT_NO_THROW(root->create_POA("accounts", nullptr, user_ids));
  orb->destroy();
  std::filesystem::remove(ids);
}

}  // namespace takt::orb
