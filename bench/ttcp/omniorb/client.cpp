// bench_omniorb_ttcp_client --endpoint FILE [-ORB options]; see ttcp/client.h.
#include "ttcp/omniorb/stubs.h"

#include "common/serve.h"

int main(int argc, char** argv) {
  return bench::run_main("bench_omniorb_ttcp_client", [&] {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    bench::Stubs peer;
    peer.orb = orb;
    bench::TtcpDriver(peer, options).run();
  });
}
