// demo_server [-ORB options]: serves a surveyor and, for comparison, a thread that answers with as many
// octets on a raw socket. Prints READY, the surveyor's reference and the raw socket's address; ends when its
// standard input closes.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <thread>

#include <takt/corba.h>

#include "common/serve.h"
#include "demoS.h"
#include "peers/raw/socket.h"
#include "peers/raw/wire.h"

namespace {

class Surveyor final : public virtual CORBA::servant_traits<Demo::Surveyor>::base_type {
 public:
  std::uint8_t cube(std::uint8_t x) override { return static_cast<std::uint8_t>(x * x * x); }
  void nothing() override {}
  Demo::Point mirror(const Demo::Point& p) override { return {p.y(), p.x()}; }
  Demo::Path reversed(const Demo::Path& way) override { return {way.rbegin(), way.rend()}; }
  Demo::Summary survey(const std::string& name, const Demo::Path& way) override {
    if (way.empty()) throw Demo::EmptyPath(name);
    double length = 0;
    for (std::size_t i = 1; i < way.size(); ++i)
      length += std::hypot(way[i].x() - way[i - 1].x(), way[i].y() - way[i - 1].y());
    ++surveys_;
    return {name, static_cast<std::uint32_t>(way.size()), length};
  }
  std::uint32_t surveys() override { return surveys_; }

 private:
  std::atomic<std::uint32_t> surveys_{0};
};

}  // namespace

int main(int argc, char* argv[]) {
  return bench::run_main("demo_server", [&] {
    auto orb = CORBA::ORB_init(argc, argv);
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    const auto id = poa->activate_object(CORBA::make_reference<Surveyor>());
    poa->the_POAManager()->activate();
    std::thread([orb] { orb->run(); }).detach();

    static const bench::raw::Listener listener;
    std::thread([] {
      bench::Sink sink;
      for (;;) {
        auto socket = listener.accept();
        bench::raw::Connection connection(sink);
        while (connection.serve_one_read(socket)) {
        }
      }
    }).detach();

    bench::announce(orb->object_to_string(poa->id_to_reference(id)) + "\t" + listener.address());
    bench::exit_when_stdin_closes();
  });
}
