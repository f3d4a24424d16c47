// Lanes over every transport: the lane of a request's priority serves it, at that priority.
#include <gtest/gtest.h>

#include "certificates.h"
#include "probe_servant.h"

namespace real_time {
namespace {

class LanesOver : public testing::TestWithParam<const char*> {
 protected:
  static feature::Options server_options() {
    if (!by_tls()) return {};
    const auto own = authority().issue({.name = "lanes"});
    return {"-ORBTLSCertificate", own.certificate_file, "-ORBTLSKey", own.key_file};
  }
  static feature::Options client_options(const feature::Options& options) {
    return by_tls() ? feature::with(options, {"-ORBTLSAuthorities", authority().file()}) : options;
  }

 private:
  static bool by_tls() { return std::string_view(GetParam()).starts_with("ssliop"); }
  static const takt::test::Authority& authority() {
    static const takt::test::Authority only;
    return only;
  }
};

TEST_P(LanesOver, ServeTheRequestsOfTheirPriority) {
  REQUIRE_REAL_TIME();
  for (const char* connections : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
    TwoOrbs orbs(client_options({"-ORBClientConnections", connections}), server_options(), GetParam());
    const auto pool = orbs.lanes({{10, 1, 0}, {20, 1, 0}, {30, 1, 0}});
    const auto propagated =
        orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 10),
                       orbs.rt->create_threadpool_policy(pool)});
    const auto declared =
        orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 30),
                       orbs.rt->create_threadpool_policy(pool)});
    const auto probe = orbs.probe(propagated), urgent = orbs.probe(declared);
    in_a_thread([&] {
      for (const std::int16_t priority : {20, 10, 30, 20, 25}) {
        orbs.current->the_priority(priority);
        const auto seen = probe->look();
        EXPECT_EQ(seen.thread(), "takt-lane-" + std::to_string(priority / 10 * 10)) << connections;
        EXPECT_EQ(seen.native_priority(), priority) << connections;
        EXPECT_EQ(urgent->look().thread(), "takt-lane-30") << connections;
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Each, LanesOver,
                         testing::Values("iiop://127.0.0.1:0", "unix:", "shm:", "inproc:",
                                         "udp://127.0.0.1:0", "ssliop://127.0.0.1:0"),
                         [](const auto& endpoint) {
                           const std::string text = endpoint.param;
                           return text.substr(0, text.find(':'));
                         });

}  // namespace
}  // namespace real_time
