// Files written by omniNames.
#include "naming/import/omninames.h"

#include <gtest/gtest.h>

#include "naming/import/import.h"
#include "naming/model/names.h"
#include "naming/store/committer.h"
#include "naming/store/references.h"

namespace takt::naming {
namespace {

void put_number(std::string& octets, std::uint32_t number) {
  octets.resize((octets.size() + 3) / 4 * 4);
  for (int shift = 0; shift < 32; shift += 8) octets += static_cast<char>(number >> shift & 0xff);
}
void put_octets(std::string& octets, const std::string& text) {
  put_number(octets, static_cast<std::uint32_t>(text.size()));
  octets += text;
}

// A little-endian reference to a server at the host.
std::string ior(const std::string& key, const std::string& host = "here") {
  std::string profile("\1\1\2", 3);
  put_octets(profile, host + '\0');
  profile += {'\x0a', '\x0b'};  // the port
  put_octets(profile, key);
  std::string octets("\1", 1);
  put_octets(octets, std::string("IDL:X:1.0") + '\0');
  put_number(octets, 1);
  put_number(octets, 0);
  put_octets(octets, profile);
  return "IOR:" + to_hex(octets);
}

const std::string id_of_sub = "persistntsub1";
const std::string root_line = "create " + to_hex("NameService") + "\n";
const std::string sub_line = "create " + to_hex(id_of_sub) + "\n";
const std::string root_ior = ior("NameService"), sub_ior = ior(std::string("\xff\0", 2) + id_of_sub);
const std::string head = "port 2809\npersistent 88fe066b01003266\n" + root_line + sub_line;

std::string refusal(const std::string& text, const Limits& limits = {}) {
  const auto read = read_omninames(text, limits);
  return read ? "nothing" : read.error();
}

TEST(OmniNames, ContextsAndBindings) {
  const auto read =
      read_omninames(head + "bind " + root_ior + " sub k ncontext " + sub_ior + "\n" + "bind " + sub_ior +
                     " o\\ x\\n\\\\  nobject " + ior("object", "there") + "\n" + "bind " + root_ior +
                     " far  ncontext " + ior("NameService", "there") + "\n" + "bind " + root_ior +
                     " gone  nobject " + ior("g") + "\n" + "unbind " + root_ior + " gone \n");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->root, "NameService");
  ASSERT_EQ(read->contexts.size(), 2u);
  const auto& root = read->contexts.at("NameService").bindings;
  ASSERT_EQ(root.size(), 2u);
  EXPECT_EQ(root.at(key_of({"sub", "k"})).own_key, id_of_sub);
  EXPECT_TRUE(root.at(key_of({"far", ""})).is_context);
  EXPECT_EQ(root.at(key_of({"far", ""})).own_key, "") << "another host's";
  const auto& sub = read->contexts.at(id_of_sub);
  EXPECT_EQ(sub.object_key, std::string("\xff\0", 2) + id_of_sub);
  const auto& object = sub.bindings.at(key_of({"o x\n\\", ""}));
  EXPECT_FALSE(object.is_context);
  EXPECT_EQ("IOR:" + to_hex(object.reference), ior("object", "there"));
}

TEST(OmniNames, LinesThatAreWrongAreNamed) {
  EXPECT_EQ(refusal(""), "the file is empty");
  EXPECT_NE(refusal("create 41\n").find("line 1: an omniNames file must begin with its port"),
            std::string::npos);
  EXPECT_NE(refusal(head + "dance\n").find("line 5: its first word"), std::string::npos);
  EXPECT_NE(refusal(head + "create xyz\n").find("line 5: its key"), std::string::npos);
  EXPECT_NE(refusal(head + "bind a b\n").find("line 5"), std::string::npos);
  EXPECT_NE(refusal(head + "unbind " + ior("nobody") + " a \n").find("not to a context"), std::string::npos);
  EXPECT_NE(refusal(head + "bind " + root_ior + " a  nobody " + sub_ior + "\n").find("must bind"),
            std::string::npos);
  EXPECT_NE(refusal(head + "bind " + root_ior + " a  nobject IOR:00\n").find("is not a reference"),
            std::string::npos);
  EXPECT_NE(refusal(head + "bind " + root_ior + " a\\q  nobject " + sub_ior + "\n").find("backslash"),
            std::string::npos);
  EXPECT_NE(refusal(head + "bind " + root_ior + " abcde  nobject " + sub_ior + "\n", {.component_bytes = 4})
                .find("too long"),
            std::string::npos);
}

TEST(OmniNames, ALineThatWasBeingWrittenIsLeftOut) {
  const auto read = read_omninames(head + "bind " + root_ior + " a  nobj");
  ASSERT_TRUE(read) << read.error();
  EXPECT_TRUE(read->contexts.at("NameService").bindings.empty());
}

TEST(OmniNames, AnImportMayBeRepeated) {
  const auto names = read_omninames(head + "bind " + root_ior + " sub  ncontext " + sub_ior + "\n" + "bind " +
                                    sub_ior + " o  nobject " + ior("object") + "\n");
  ASSERT_TRUE(names) << names.error();
  Tree tree;
  TreeMutex mutex;
  Committer committer(tree, mutex, nullptr, Limits{});
  const auto first = import_names(*names, tree, mutex, committer);
  ASSERT_TRUE(first) << first.error();
  EXPECT_EQ(first->contexts, 1u);
  EXPECT_EQ(first->bindings, 2u);
  const Binding* sub = tree.find(root_context, key_of({"sub", ""}));
  ASSERT_NE(sub, nullptr);
  ASSERT_EQ(sub->kind, BindingKind::context);
  ASSERT_NE(tree.find(sub->context, key_of({"o", ""})), nullptr);
  EXPECT_EQ(tree.context(sub->context)->old_key, std::string("\xff\0", 2) + id_of_sub);
  const auto second = import_names(*names, tree, mutex, committer);
  ASSERT_TRUE(second) << second.error();
  EXPECT_EQ(second->contexts, 0u);
  EXPECT_EQ(tree.contexts(), 2u);
}

TEST(OmniNames, AnImportStopsAtALimit) {
  const auto names = read_omninames(head + "bind " + root_ior + " a  nobject " + ior("a") + "\n" + "bind " +
                                    root_ior + " b  nobject " + ior("b") + "\n");
  ASSERT_TRUE(names);
  Tree tree;
  TreeMutex mutex;
  Committer committer(tree, mutex, nullptr, Limits{.bindings = 1});
  const auto done = import_names(*names, tree, mutex, committer);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().find("--max-bindings"), std::string::npos);
}

}  // namespace
}  // namespace takt::naming
