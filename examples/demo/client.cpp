// demo_client REFERENCE RAW_PORT: makes every kind of call in its IDL to a demo_server, then measures the
// latency.
#include <iostream>
#include <string>

#include <takt/corba.h>

#include "common/serve.h"
#include "common/workload.h"
#include "demoC.h"
#include "histogram.h"
#include "peers/raw/socket.h"
#include "peers/raw/wire.h"

namespace {

using SurveyorRef = IDL::traits<Demo::Surveyor>::ref_type;
using bench::check;

std::ostream& operator<<(std::ostream& out, const Demo::Point& p) {
  return out << "(" << p.x() << ", " << p.y() << ")";
}

void show_calls(const SurveyorRef& surveyor) {
  std::cout << "  an octet:      cube(7) = " << static_cast<unsigned>(surveyor->cube(7))
            << " (343 modulo 256)\n";
  surveyor->nothing();
  std::cout << "  void:          nothing() returned\n";
  std::cout << "  a struct:      mirror((3, 4)) = " << surveyor->mirror({3, 4}) << "\n";
  const Demo::Path way{{0, 0}, {3, 4}, {3, 16}};
  const Demo::Path back = surveyor->reversed(way);
  check(back.size() == 3, "the sequence came back with another length");
  std::cout << "  a sequence:    reversed((0, 0) (3, 4) (3, 16)) = " << back[0] << " " << back[1] << " "
            << back[2] << "\n";
  const Demo::Summary summary = surveyor->survey("the short way", way);
  std::cout << "  all of it:     survey(\"the short way\", ...) = " << summary.points() << " points, "
            << summary.length() << " long\n";
  try {
    surveyor->survey("nowhere", {});
    check(false, "an exception was expected");
  } catch (const Demo::EmptyPath& refused) {
    std::cout << "  an exception:  survey(\"nowhere\", no points) raised " << refused._rep_id() << ", name \""
              << refused.name() << "\"\n";
  }
  std::cout << "  an attribute:  surveys = " << surveyor->surveys() << "\n";
}

// A call over the raw socket: as many octets as the GIOP messages, without decoding.
class RawCaller {
 public:
  explicit RawCaller(const std::string& address) : socket_(bench::raw::Socket::connect(address)) {}

  void operator()(std::uint8_t x) {
    using namespace bench::raw;
    const Request request{Op::cube_octet, 0, x, {}};
    socket_.write_all(&request, sizeof request);
    std::uint8_t reply[reply_header_bytes + 1];
    for (std::size_t got = 0; got < sizeof reply;) {
      const std::size_t more = socket_.read_some(reply + got, sizeof reply - got);
      check(more > 0, "the raw server has gone");
      got += more;
    }
    check(reply[reply_header_bytes] == bench::cube(x), "the raw server returned the wrong value");
  }

 private:
  bench::raw::Socket socket_;
};

template <class Call>
void batch(bench::Samples& samples, std::size_t calls, Call& call) {
  auto last = bench::Clock::now();
  for (std::size_t i = 0; i < calls; ++i) {
    call(static_cast<std::uint8_t>(i));
    const auto now = bench::Clock::now();
    samples.add(now - last);
    last = now;
  }
}

// Alternates every 250 calls, so that other load on the machine affects all alike. `local` takes the road of
// local calls, `remote` TCP, as if the server were elsewhere.
void measure(const SurveyorRef& local, const SurveyorRef& remote, const std::string& raw_address) {
  constexpr std::size_t rounds = 200, calls = 250;
  const auto caller = [](const SurveyorRef& surveyor) {
    return [&surveyor](std::uint8_t x) { check(surveyor->cube(x) == bench::cube(x), "cube is wrong"); };
  };
  auto iiop_call = caller(remote), local_call = caller(local);
  RawCaller raw_call(raw_address);
  bench::Samples warm_up(3 * calls), iiop(rounds * calls), raw(rounds * calls), by_road(rounds * calls);
  batch(warm_up, calls, iiop_call);
  batch(warm_up, calls, raw_call);
  batch(warm_up, calls, local_call);
  for (std::size_t round = 0; round < rounds; ++round) {
    batch(iiop, calls, iiop_call);
    batch(raw, calls, raw_call);
    batch(by_road, calls, local_call);
    if (round % 20 == 19) std::cerr << "\r  measuring, " << (round + 1) * 100 / rounds << " %" << std::flush;
  }
  std::cerr << "\n";
  iiop.sort();
  raw.sort();
  by_road.sort();
  demo::print_percentiles(iiop, raw, by_road);
  demo::print_histograms(iiop, raw);
}

}  // namespace

int main(int argc, char* argv[]) {
  return bench::run_main("demo_client", [&] {
    char program[] = "demo_client", option[] = "-ORBLocalRoads", off[] = "off";
    char* over_tcp[] = {program, option, off, nullptr};
    int count = 3;
    const auto remote_orb = CORBA::ORB_init(count, over_tcp, "remote");
    const auto orb = CORBA::ORB_init(argc, argv);
    check(argc == 3, "usage: demo_client REFERENCE RAW_PORT");
    const auto surveyor = IDL::traits<Demo::Surveyor>::narrow(orb->string_to_object(argv[1]));
    check(static_cast<bool>(surveyor), "the reference is none to a Demo::Surveyor");
    std::cout << "\nTyped calls to the other process, over IIOP:\n\n";
    show_calls(surveyor);
    std::cout
        << "\nLatency of cube(octet), two-way, in turns: over TCP, as to another machine; over a raw "
           "blocking\nsocket that sends as many octets; and by the way that calls within a machine take "
           "by default:\n\n";
    const auto remote = IDL::traits<Demo::Surveyor>::narrow(remote_orb->string_to_object(argv[1]));
    measure(surveyor, remote, argv[2]);
    remote_orb->destroy();
    orb->destroy();
  });
}
