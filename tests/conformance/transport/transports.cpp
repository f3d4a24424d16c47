#include "transports.h"

#include <unistd.h>

#include "certificates.h"
#include "suite/plugin_transport.h"
#include "tls/tls_transport.h"
#include "transport/inproc/inproc_transport.h"
#include "transport/shm/shm_transport.h"
#include "transport/tcp/tcp_transport.h"
#include "transport/udp/udp_transport.h"
#include "transport/uds/uds_transport.h"

namespace takt::transport {
namespace {

template <class T>
std::unique_ptr<Transport> make() {
  return std::make_unique<T>();
}

std::unique_ptr<Transport> make_tls(TlsVersion lowest, TlsVersion highest) {
  static const test::Authority authority;
  static const test::Credentials credentials = authority.issue({.name = "server"});
  TlsOptions options;
  options.certificate_file = credentials.certificate_file;
  options.key_file = credentials.key_file;
  options.authorities = authority.file();
  options.lowest = lowest;
  options.highest = highest;
  return std::make_unique<TlsTransport>(options);
}

}  // namespace

namespace tested {

const TestedTransport tcp_v4{
    .name = "tcp_v4",
    .make = make<TcpTransport>,
    .any = [] { return Endpoint{"iiop", "127.0.0.1", 0}; },
    .impossible = [] { return Endpoint{"iiop", "", 7}; },
};
const TestedTransport tcp_v6{
    .name = "tcp_v6",
    .make = make<TcpTransport>,
    .any = [] { return Endpoint{"iiop", "::1", 0}; },
    .impossible = tcp_v4.impossible,
};
const TestedTransport unix_path{
    .name = "unix_path",
    .make = make<UdsTransport>,
    .any = [] { return Endpoint{"unix", "", 0}; },
    .impossible = [] { return Endpoint{"unix", std::string(200, 'x'), 0}; },
    .forgets_gone_servers = true,  // when the file is removed
};
const TestedTransport unix_abstract{
    .name = "unix_abstract",
    .make = make<UdsTransport>,
    .any =
        [] {
          static int count = 0;
          return Endpoint{"unix", "@takt-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++),
                          0};
        },
    .impossible = unix_path.impossible,
};
const TestedTransport shared_memory{
    .name = "shared_memory",
    .make = make<ShmTransport>,
    .any = [] { return Endpoint{"shm", "", 0}; },
    .impossible = [] { return Endpoint{"shm", std::string(200, 'x'), 0}; },
    .forgets_gone_servers = true,
};
const TestedTransport in_process{
    .name = "in_process",
    .make = make<InprocTransport>,
    .any = [] { return Endpoint{"inproc", "", 0}; },
    .impossible = [] { return Endpoint{"inproc", std::string(200, 'x'), 0}; },
};
const TestedTransport tls_1_3{
    .name = "tls_1_3",
    .make = [] { return make_tls(TlsVersion::v1_3, TlsVersion::v1_3); },
    .any = [] { return Endpoint{"ssliop", "127.0.0.1", 0}; },
    .impossible = [] { return Endpoint{"ssliop", "", 7}; },
    .shakes_hands = true,
    .waits_in = ConnectError::Phase::tls,
};
const TestedTransport tls_1_2{
    .name = "tls_1_2",
    .make = [] { return make_tls(TlsVersion::v1_2, TlsVersion::v1_2); },
    .any = tls_1_3.any,
    .impossible = tls_1_3.impossible,
    .shakes_hands = true,
    .waits_in = ConnectError::Phase::tls,
};
const TestedTransport udp_v4{
    .name = "udp_v4",
    .make = make<UdpTransport>,
    .any = [] { return Endpoint{"udp", "127.0.0.1", 0}; },
    .impossible = [] { return Endpoint{"udp", "", 7}; },
    .shakes_hands = true,
};
const TestedTransport udp_v6{
    .name = "udp_v6",
    .make = make<UdpTransport>,
    .any = [] { return Endpoint{"udp", "::1", 0}; },
    .impossible = udp_v4.impossible,
    .shakes_hands = true,
};
const TestedTransport plugin{
    .name = "plugin",
    .make = []() -> std::unique_ptr<Transport> {
      return std::make_unique<PluginTransport>(&takt_plugin, "traced", "/dev/null");
    },
    .any = [] { return Endpoint{"traced", "127.0.0.1", 0}; },
    .impossible = [] { return Endpoint{"traced", "", 7}; },
};

}  // namespace tested

std::vector<const TestedTransport*> tested_transports() {
  return {&tested::tcp_v4,        &tested::tcp_v6,     &tested::unix_path, &tested::unix_abstract,
          &tested::shared_memory, &tested::in_process, &tested::tls_1_3,   &tested::tls_1_2,
          &tested::udp_v4,        &tested::udp_v6,     &tested::plugin};
}

}  // namespace takt::transport
