// bench_takt_ttcp_client --endpoint FILE [-ORB options]; see ttcp/client.h.
#include "ttcp/takt/stubs.h"

#include "common/serve.h"

int main(int argc, char** argv) {
  return bench::run_main("bench_takt_ttcp_client", [&] {
    auto orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    bench::Stubs peer;
    peer.orb = orb;
    bench::TtcpDriver(peer, options).run();
    orb->destroy();
  });
}
