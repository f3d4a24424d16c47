// Messages of etcd's JSON gateway, the layout of its keys, and the URLs of its members.
#include <gtest/gtest.h>

#include "naming/etcd_url.h"
#include "naming_cluster/cluster/layout.h"
#include "naming_cluster/cluster/transactions.h"
#include "naming_cluster/etcd/messages.h"
#include "octets/base64.h"

namespace takt::naming {
namespace {

using octets::from_base64;
using octets::to_base64;

TEST(EtcdBase64, ReadsWhatItWrites) {
  std::string octets;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(from_base64(to_base64(octets)), octets);
    octets += static_cast<char>(i * 37);
  }
  EXPECT_EQ(to_base64("hello"), "aGVsbG8=");
  EXPECT_EQ(to_base64(std::string("\xff\xfe\xfd", 3)), "//79");
}

TEST(EtcdUsers, HaveTokensOfVisibleCharacters) {
  EXPECT_EQ(etcd::authenticate_request("a\"b", "c\n"), R"({"name":"a\"b","password":"c\n"})");
  EXPECT_EQ(etcd::token_answer(R"({"token":"x.7"})"), "x.7");
  for (const char* text : {"", "{}", R"({"token":""})", R"({"token":7})", R"({"token":"a b"})",
                           R"({"token":"a\r\nHost: b"})", R"({"token":"\u00e9"})"})
    EXPECT_FALSE(etcd::token_answer(text)) << text;
  EXPECT_FALSE(etcd::token_answer("{\"token\":\"" + std::string(8193, 'x') + "\"}"));
  EXPECT_TRUE(etcd::needs_token({16, "etcdserver: invalid auth token"}));
  EXPECT_TRUE(etcd::needs_token({3, "etcdserver: user name is empty"}));
  EXPECT_TRUE(etcd::needs_token({3, "etcdserver: revision of auth store is old"}));
  EXPECT_FALSE(etcd::needs_token({3, "etcdserver: authentication failed, invalid user ID or password"}));
  EXPECT_FALSE(etcd::needs_token({7, "etcdserver: permission denied"}));
}

TEST(EtcdBase64, RefusesOtherText) {
  for (const char* text :
       {"a", "aa", "aaa", "aGVsbG8", "aGVsb*8=", "=aaa", "a===", "aa=a", "aGVsbG9=", "ab==", "a-_a"})
    EXPECT_FALSE(from_base64(text)) << text;
}

// As etcd 3.4.23 writes them.
TEST(EtcdMessages, AreRead) {
  const auto range = etcd::range_answer(
      R"({"header":{"cluster_id":"1","revision":"12","raft_term":"2"},"kvs":[{"key":"L3QvYQ==","create_revision":"2","mod_revision":"7","version":"1","value":"aGVsbG8="},{"key":"L3QvYg==","mod_revision":8}],"more":true,"count":"9"})");
  ASSERT_TRUE(range) << range.error();
  EXPECT_EQ(range->revision, 12);
  EXPECT_TRUE(range->more);
  ASSERT_EQ(range->values.size(), 2u);
  EXPECT_EQ(range->values[0].key + range->values[0].value, "/t/ahello");
  EXPECT_EQ(range->values[0].mod_revision, 7);
  EXPECT_EQ(range->values[1].mod_revision, 8);
  EXPECT_EQ(range->values[1].value, "");
  const auto done = etcd::transaction_answer(
      R"({"header":{"revision":"2"},"succeeded":true,"responses":[{"response_put":{"header":{"revision":"2"}}}]})");
  ASSERT_TRUE(done) << done.error();
  EXPECT_TRUE(done->succeeded);
  const auto refused = etcd::transaction_answer(
      R"({"header":{"revision":"2"},"responses":[{"response_range":{"kvs":[{"key":"YQ==","mod_revision":"2"}]}}]})");
  ASSERT_TRUE(refused) << refused.error();
  EXPECT_FALSE(refused->succeeded);
  ASSERT_EQ(refused->values.size(), 1u);
  const auto events = etcd::watch_answer(
      R"({"result":{"header":{"revision":"3"},"events":[{"type":"DELETE","kv":{"key":"YQ==","mod_revision":"3"}},{"kv":{"key":"YQ==","mod_revision":"3","value":"YQ=="}}]}})");
  ASSERT_TRUE(events) << events.error();
  ASSERT_EQ(events->events.size(), 2u);
  EXPECT_TRUE(events->events[0].removed);
  EXPECT_FALSE(events->events[1].removed);
  const auto compacted =
      etcd::watch_answer(R"({"result":{"header":{},"canceled":true,"compact_revision":"3"}})");
  ASSERT_TRUE(compacted) << compacted.error();
  EXPECT_TRUE(compacted->canceled && compacted->compacted);
  const auto ended = etcd::watch_answer(R"({"error":{"grpc_code":14,"message":"etcdserver: no leader"}})");
  ASSERT_TRUE(ended) << ended.error();
  EXPECT_TRUE(ended->canceled && !ended->compacted);
}

TEST(EtcdMessages, OtherTextIsRefusedWithAReason) {
  for (const char* text :
       {"", "null", "[]", "{", "{}", R"({"header":1})", R"({"header":{"revision":"-1"}})",
        R"({"header":{"revision":"9223372036854775808"}})", R"({"header":{"revision":1.5}})",
        R"({"header":{"revision":"1x"}})", R"({"header":{},"kvs":{}})", R"({"header":{},"kvs":[1]})",
        R"({"header":{},"kvs":[{"key":1}]})", R"({"header":{},"kvs":[{"key":"?"}]})",
        R"({"header":{},"more":"true"})", R"({"header":{"revision":18446744073709551615}})"}) {
    const auto answer = etcd::range_answer(text);
    ASSERT_FALSE(answer) << text;
    EXPECT_NE(answer.error(), "");
  }
  EXPECT_FALSE(etcd::watch_answer(R"({"result":{"events":[{}]}})"));
  EXPECT_FALSE(etcd::watch_answer(R"({"result":{"events":[{"type":"OTHER","kv":{}}]}})"));
}

TEST(EtcdMessages, ARefusalIsCertainOnlyBeforeItIsCarriedOut) {
  const auto said =
      etcd::complaint(R"({"error":"x","message":"etcdserver: mvcc: database space exceeded","code":8})");
  EXPECT_EQ(said.text, "etcdserver: mvcc: database space exceeded");
  EXPECT_TRUE(etcd::certainly_refused(said));
  EXPECT_FALSE(
      etcd::certainly_refused(etcd::complaint(R"({"message":"etcdserver: leader changed","code":14})")));
  EXPECT_FALSE(etcd::certainly_refused(etcd::complaint("<html>\xff")));
  EXPECT_NE(etcd::complaint("<html>\xff").text, "");
}

TEST(ClusterLayout, KeysAndValuesAreReadBack) {
  const Layout layout("/p/q");
  using What = Layout::Key::What;
  const std::string key("id\0kind", 7);
  const auto binding = layout.parsed(layout.binding(0x1234, key));
  ASSERT_TRUE(binding);
  EXPECT_TRUE(binding->what == What::binding && binding->context == 0x1234 && binding->binding == key);
  const auto context = layout.parsed(layout.context(7));
  ASSERT_TRUE(context);
  EXPECT_TRUE(context->what == What::context && context->context == 7);
  EXPECT_EQ(layout.parsed(layout.last())->what, What::last);
  EXPECT_EQ(layout.parsed(layout.fence())->what, What::fence);
  for (const std::string& other :
       {std::string("/p"), std::string("/p/qq/last"), layout.context(root_context), layout.context(0),
        layout.context(7) + "x", layout.binding(7, "nozero"), layout.binding(7, std::string("a\0b\0", 4)),
        layout.binding(0, key), std::string("/p/q/in/000000000000000G/a"), std::string("/p/q/context/12")})
    EXPECT_FALSE(layout.parsed(other)) << other;
  for (const Binding& each : {Binding{.reference = "ref", .revision = 5},
                              Binding{.kind = BindingKind::context, .context = 9, .revision = 5},
                              Binding{.kind = BindingKind::foreign_context, .reference = "", .revision = 5}})
    EXPECT_EQ(binding_of(value_of(each), 5), each);
  for (const char* value : {"", "x", "c", "c12", "c0000000000000000", "c00000000000000019"})
    EXPECT_FALSE(binding_of(value, 1)) << value;
}

TEST(ClusterTransactions, CompareAllThatTheyWrite) {
  const Layout layout("/p");
  Tree tree;
  const std::string key("a\0", 2);
  tree.apply({.action = Change::Action::bind,
              .context = root_context,
              .key = key,
              .binding = {.reference = "r", .revision = 4}});
  const Change unbind{.action = Change::Action::unbind, .context = root_context, .key = key};
  const auto planned = plan(unbind, tree, {}, layout, 3, "mark");
  EXPECT_FALSE(planned.refusal);
  ASSERT_EQ(planned.transaction.compares.size(), 2u);
  EXPECT_EQ(
      planned.transaction.compares[0].range.key + std::to_string(planned.transaction.compares[0].revision),
      layout.fence() + "3");
  EXPECT_EQ(planned.transaction.compares[1].revision, 4) << "or a delayed one could unbind another object";
  ASSERT_EQ(planned.transaction.then.size(), 2u);
  EXPECT_EQ(planned.transaction.then[1].value, "mark");
  const auto refused =
      plan({.action = Change::Action::bind, .context = root_context, .key = key}, tree, {}, layout, 3, "m");
  EXPECT_EQ(refused.refusal, Refusal::already_bound);
  EXPECT_TRUE(refused.transaction.then.empty());
  EXPECT_EQ(refused.transaction.compares.size(), 1u);
  EXPECT_TRUE(
      plan({.action = Change::Action::destroy, .context = root_context}, tree, {}, layout, 3, "m").is_local);
}

}  // namespace
}  // namespace takt::naming

namespace takt::command {
namespace {

TEST(EtcdUrls, HaveMembersAndAPrefix) {
  EXPECT_TRUE(is_etcd_url("etcd://a") && is_etcd_url("etcds://a") && !is_etcd_url("/etcd/names.db"));
  const auto url = parsed_etcd_url("etcds://localhost,127.0.0.1:1,[::1]:9/x/y/");
  ASSERT_TRUE(url) << url.error();
  EXPECT_EQ(url->members,
            (std::vector<std::string>{"https://localhost:2379", "https://127.0.0.1:1", "https://[::1]:9"}));
  EXPECT_EQ(url->prefix, "/x/y");
  EXPECT_EQ(parsed_etcd_url("etcd://a/")->prefix, "/takt/naming");
  for (const char* text :
       {"etcd://", "etcd://a,", "etcd://a:0", "etcd://a:65536", "etcd://a:1x", "etcd://[::1", "etcd://[]",
        "etcd://a b", "etcd://u@a", "etcd://a/p?q", "etcd://a//\xff", "etcd://[::1]x"})
    EXPECT_FALSE(parsed_etcd_url(text)) << text;
}

}  // namespace
}  // namespace takt::command
