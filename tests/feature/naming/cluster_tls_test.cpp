// Clusters of etcd that do not take everyone: with certificates, and with users.
#include <gtest/gtest.h>

#include <fstream>

#include "certificates.h"
#include "cluster_service.h"
#include "etcd_members.h"

namespace feature {
namespace {

TEST(NamingClusterOverTls, NeedsACertificateThatEtcdTrusts) {
  const takt::test::Authority authority;
  const auto of_etcd = authority.issue({.name = "etcd"}), of_service = authority.issue({.name = "service"});
  const KeptPort clients, peers;
  const std::string address = "127.0.0.1:" + std::to_string(clients.port()),
                    peer = "http://127.0.0.1:" + std::to_string(peers.port());
  const Process etcd(TAKT_ETCD, {"--data-dir",
                                 authority.folder() + "/etcd",
                                 "--listen-client-urls",
                                 "https://" + address,
                                 "--advertise-client-urls",
                                 "https://" + address,
                                 "--listen-peer-urls",
                                 peer,
                                 "--initial-advertise-peer-urls",
                                 peer,
                                 "--initial-cluster",
                                 "default=" + peer,
                                 "--cert-file",
                                 of_etcd.certificate_file,
                                 "--key-file",
                                 of_etcd.key_file,
                                 "--trusted-ca-file",
                                 authority.file(),
                                 "--client-cert-auth",
                                 "--logger",
                                 "zap",
                                 "--log-outputs",
                                 "/dev/null"});
  const std::string store = "etcds://" + address;
  Service trusted(store, {"--etcd-ca", authority.file(), "--etcd-cert", of_service.certificate_file,
                          "--etcd-key", of_service.key_file});
  trusted.root()->bind(name("secret"), trusted.object("secret"));
  EXPECT_TRUE(trusted.leads_to("secret", "secret"));
  EXPECT_THROW(Service(store, {"--etcd-ca", authority.file(), "--etcd-timeout", "500ms"}), std::runtime_error)
      << "without a certificate";
  EXPECT_THROW(Service(store, {"--etcd-cert", of_service.certificate_file, "--etcd-key", of_service.key_file,
                               "--etcd-timeout", "500ms"}),
               std::runtime_error)
      << "etcd's authority is unknown";
}

// The simplest kind of tokens, which an etcd forgets when it ends.
TEST(NamingClusterWithUsers, GetsATokenWhenItNeedsOne) {
  const EtcdMembers etcd;
  etcd.leader();
  const std::string prefix = "L3Rlc3QvbmFtZXM=", end = "L3Rlc3QvbmFtZXQ=";  // /test/names, /test/namet
  for (const auto& [path, json] : std::vector<std::pair<std::string, std::string>>{
           {"/v3/auth/user/add", R"({"name":"root","password":"r"})"},
           {"/v3/auth/user/grant", R"({"user":"root","role":"root"})"},
           {"/v3/auth/role/add", R"({"name":"names"})"},
           {"/v3/auth/role/grant", R"({"name":"names","perm":{"permType":"READWRITE","key":")" + prefix +
                                       R"(","range_end":")" + end + "\"}}"},
           {"/v3/auth/user/add", R"({"name":"naming","password":"se\"cret"})"},
           {"/v3/auth/user/grant", R"({"user":"naming","role":"names"})"},
           {"/v3/auth/enable", "{}"}})
    ASSERT_FALSE(etcd.post(0, path, json).empty()) << path << json;
  const MemoryFolder folder;
  const auto file = [&folder](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return folder / name;
  };
  const std::string right = file("right", "se\"cret\n"), wrong = file("wrong", "guess\n"),
                    empty = file("empty", "");
  {
    Service service(etcd.store(), {"--etcd-user", "naming", "--etcd-password-file", right});
    service.root()->bind(name("one"), service.object("one"));
    EXPECT_TRUE(service.leads_to("one", "one"));
    // The watch has a token, too: without it the other service would not see the change for minutes.
    Service other(etcd.store(),
                  {"--etcd-user", "naming", "--etcd-password-file", right, "--max-staleness", "10min"});
    EXPECT_TRUE(other.leads_to("one", "one"));
    service.root()->rebind(name("one"), service.object("new"));
    const auto seen = [&] { return other.leads_to("one", "new"); };
    for (const auto until = std::chrono::steady_clock::now() + Service::patience;
         !seen() && std::chrono::steady_clock::now() < until;)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(seen());
    // As when the token has expired: the next one holds for another revision of the users.
    const std::string token = EtcdMembers::text_in(
        etcd.post(0, "/v3/auth/authenticate", R"({"name":"root","password":"r"})"), "token");
    ASSERT_FALSE(token.empty());
    const auto root = takt::command::etcd_http({});
    root->authorize(token);
    const auto changed = root->post(etcd.url_of(0) + "/v3/auth/user/add", R"({"name":"more","password":"m"})",
                                    std::chrono::seconds(3), 1 << 20);
    ASSERT_TRUE(changed && changed->status == 200);
    service.root()->bind(name("two"), service.object("two"));
    EXPECT_TRUE(service.leads_to("two", "two"));
    EXPECT_TRUE(service.leads_to("one", "new"));
  }
  const auto starts = [&](const Options& options) {
    Options all{"--etcd-timeout", "500ms"};
    all.insert(all.end(), options.begin(), options.end());
    Service(etcd.store(), all);
  };
  EXPECT_THROW(starts({}), std::runtime_error) << "no user";
  EXPECT_THROW(starts({"--etcd-user", "naming", "--etcd-password-file", wrong}), std::runtime_error);
  EXPECT_THROW(starts({"--etcd-user", "naming", "--etcd-password-file", empty}), std::runtime_error);
  EXPECT_THROW(starts({"--etcd-user", "naming"}), std::runtime_error);
}

}  // namespace
}  // namespace feature
