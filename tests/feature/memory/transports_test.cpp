// The budget applies to a connection over any transport.
#include "certificates.h"
#include "memory_fixture.h"

namespace feature {
namespace {

class Transports : public MemoryTest, public testing::WithParamInterface<const char*> {
 protected:
  void start_over(std::vector<std::string> options) {
    std::vector<std::string> client_options{"-ORBFragmentSize", "32KiB"};
    if (std::string_view(GetParam()).starts_with("ssliop")) {
      static const takt::test::Authority authority;
      const auto own = authority.issue({.name = "server"});
      options.insert(options.end(), {"-ORBTLSCertificate", own.certificate_file, "-ORBTLSKey", own.key_file});
      client_options.insert(client_options.end(), {"-ORBTLSAuthorities", authority.file()});
    }
    options.insert(options.end(), {"-ORBListenEndpoints", GetParam()});
    server = std::make_unique<StoreServer>(std::move(options));
    call_with(std::move(client_options));
  }
};

TEST_P(Transports, ARequestInFragmentsThatDoesNotFit) {
  for (const char* concurrency : server_concurrencies) {
    SCOPED_TRACE(concurrency);
    start_over({"-ORBServerConcurrency", concurrency, "-ORBConnectionMemory", "1MiB"});
    EXPECT_THROW(store->take(Memory::Octets(3 * MiB)), CORBA::NO_MEMORY);
    expect_others_served();
    EXPECT_EQ(store->take(Memory::Octets(200 * KiB)), 200 * KiB);
    EXPECT_GE(store->server_memory().refusals(), 1u);
    store.reset();
    client->destroy();
    client = nullptr;
  }
}

INSTANTIATE_TEST_SUITE_P(Endpoints, Transports,
                         testing::Values("iiop://127.0.0.1:0", "unix:", "shm:", "ssliop://127.0.0.1:0"),
                         [](const auto& given) {
                           const std::string_view endpoint = given.param;
                           return std::string(endpoint.substr(0, endpoint.find(':')));
                         });

}  // namespace
}  // namespace feature
