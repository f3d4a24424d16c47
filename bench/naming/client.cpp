// bench_naming_client WHAT REFERENCE BINDINGS THREADS SECONDS [-ORB...]: resolves or rebinds names that
// bench_naming_fill has bound, from THREADS threads with a connection each. Prints calls per second.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <takt/corba.h>

#include "names.h"

int main(int argc, char** argv) try {
  using Clock = std::chrono::steady_clock;
  const auto orb = CORBA::ORB_init(argc, argv);
  if (argc != 6)
    throw std::runtime_error("give resolve or rebind, a reference, bindings, threads and seconds");
  const bool rebinds = std::string(argv[1]) == "rebind";
  const auto root = IDL::traits<CosNaming::NamingContext>::unchecked_narrow(orb->string_to_object(argv[2]));
  const std::uint64_t bindings = std::strtoull(argv[3], nullptr, 10);
  const auto object = root->resolve(bench::name_of(0));
  const auto end = Clock::now() + std::chrono::seconds(std::atoi(argv[5]));
  std::atomic<std::uint64_t> calls{0};
  const auto begin = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < std::atoi(argv[4]); ++thread)
      threads.emplace_back([&, thread] {
        std::minstd_rand random(static_cast<unsigned>(thread + 1));
        std::uint64_t own = 0;
        for (; Clock::now() < end; ++own) {
          const auto name = bench::name_of(random() % bindings);
          rebinds ? root->rebind(name, object) : static_cast<void>(root->resolve(name));
        }
        calls += own;
      });
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::cout << static_cast<std::uint64_t>(static_cast<double>(calls) / seconds) << '\n';
  orb->destroy();
} catch (const std::exception& failure) {
  std::cerr << "bench_naming_client: " << failure.what() << '\n';
  return 1;
}
