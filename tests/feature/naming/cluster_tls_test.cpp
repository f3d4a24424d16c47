// An etcd that takes only clients with a certificate of its authority.
#include <gtest/gtest.h>

#include "certificates.h"
#include "cluster_service.h"

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

}  // namespace
}  // namespace feature
