// bench_takt_octets_client --endpoint IOR [-ORB options] [--seconds LIMIT]
//
// For each size, in turns: a memcpy from one place to another, and calls that send as many octets to a
// servant.
//   twice     from the caller's vector to a vector of the servant: the standard mapping
//   into-view from the caller's vector, to a servant that reads them where they arrived
//   once      copied from elsewhere into borrowed memory, and read there
//   in-place  written into borrowed memory before, and read there
// and calls that return octets from a vector that the servant keeps:
//   result          returned as a vector: the standard mapping
//   held            copied into borrowed memory, and held there by the caller
//   held-in-place   written into borrowed memory before, except for both ends, and held there
#include <takt/corba.h>
#include <takt/invocation/borrow_octets.h>

#include <cstring>
#include <iterator>
#include <span>
#include <vector>

#include "common/options.h"
#include "common/record.h"
#include "common/serve.h"
#include "common/workload.h"
#include "octetsC.h"

namespace {

using SinkRef = IDL::traits<Octets::Sink>::ref_type;
using bench::Clock;

template <class Call>
void time(bench::Samples& samples, Call call) {
  const auto start = Clock::now();
  call();
  samples.add(Clock::now() - start);
}

void measure(const SinkRef& sink, std::size_t size, const bench::Options& options) {
  const auto source = bench::make_octets(size);
  const std::uint32_t digest = bench::digest_octets(source.data(), size);
  auto target = bench::make_octets(size);
  const auto filled = takt::borrow_octets(sink, size);
  std::memcpy(filled.data(), source.data(), size);
  const auto check = [&](std::uint32_t answer) { bench::check(answer == digest, "other octets arrived"); };
  const auto check_all = [&](std::span<const std::uint8_t> octets) {
    check(bench::digest_octets(octets.data(), octets.size()));
  };
  const auto wanted = static_cast<std::uint32_t>(size);

  const std::size_t most = size > (1 << 19) ? 400 : 4000;
  constexpr const char* ways[] = {"memcpy",   "twice",  "into-view", "once",
                                  "in-place", "result", "held",      "held-in-place"};
  std::vector<bench::Samples> samples;
  samples.reserve(std::size(ways));
  while (samples.size() != std::size(ways)) samples.emplace_back(most);
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(options.number("seconds", 0.6)));
  // Makes a few calls of each kind in a row, so that each kind finds the caches as it leaves them itself.
  constexpr int in_a_row = 20;
  const auto turn = [&](std::size_t way, auto call) {
    call();
    for (int i = 0; i < in_a_row && !samples[way].full(); ++i) time(samples[way], call);
  };
  do {
    turn(0, [&] {
      std::memcpy(target.data(), source.data(), size);
      asm volatile("" : : "r"(target.data()) : "memory");
    });
    turn(1, [&] { check(sink->copied(source)); });
    turn(2, [&] { check(sink->viewed(source)); });
    turn(3, [&] {
      const auto octets = takt::borrow_octets(sink, size);
      std::memcpy(octets.data(), source.data(), size);
      check(sink->viewed(octets));
    });
    turn(4, [&] { check(sink->viewed(filled)); });
    turn(5, [&] { check_all(sink->returned(wanted)); });
    turn(6, [&] { check_all(sink->copied_once(wanted)); });
    turn(7, [&] { check_all(sink->written(wanted)); });
  } while (Clock::now() < until);

  for (std::size_t way = 0; way < samples.size(); ++way) {
    samples[way].sort();
    const auto p50 = static_cast<double>(samples[way].percentile_ns(50));
    bench::Record(ways[way], options.text("transport", "shm"), "octets_" + std::to_string(size))
        .latency(samples[way])
        .number("bytes", static_cast<double>(size))
        .number("bytes_per_s", static_cast<double>(size) * 1e9 / p50)
        .print();
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_takt_octets_client", [&] {
    auto orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    const auto sink = IDL::traits<Octets::Sink>::narrow(orb->string_to_object(options.text("endpoint")));
    for (std::size_t size = 64; size <= (4 << 20); size *= 4) measure(sink, size, options);
    orb->destroy();
  });
}
