// bench_ifr_client WHAT REFERENCE DEFINITIONS CALLS [-ORB...]: makes CALLS calls for random definitions of
// bench_ifr_fill: `id` looks them up by id, `name` by name, `describe` describes the one that it has looked
// up. Prints the duration of a call in nanoseconds.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>

#include <takt/corba.h>

#include "Takt_ReflectionC.h"
#include "ids.h"

namespace {

using Takt::Reflection::Repository;

void call(Repository& repository, const std::string& what, std::uint64_t number) {
  const std::string module = std::to_string(number / bench::structs_of_a_module);
  const auto found = what == "name" ? repository.lookup("M" + module + "::S" + std::to_string(number))
                                    : repository.lookup_id(bench::struct_id(number));
  if (!found) throw std::runtime_error("a definition is missing");
  if (what == "describe") found->describe();
}

}  // namespace

int main(int argc, char** argv) try {
  using Clock = std::chrono::steady_clock;
  const auto orb = CORBA::ORB_init(argc, argv);
  if (argc != 5) throw std::runtime_error("give id, name or describe, a reference, definitions and calls");
  const auto repository = IDL::traits<Repository>::unchecked_narrow(orb->string_to_object(argv[2]));
  const std::uint64_t definitions = std::strtoull(argv[3], nullptr, 10);
  const std::uint64_t calls = std::strtoull(argv[4], nullptr, 10);
  std::minstd_rand random(1);
  const auto begin = Clock::now();
  for (std::uint64_t i = 0; i < calls; ++i) call(*repository, argv[1], random() % definitions);
  const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
  std::cout << elapsed / static_cast<std::int64_t>(calls) << '\n';
  orb->destroy();
} catch (const std::exception& failure) {
  std::cerr << "bench_ifr_client: " << failure.what() << '\n';
  return 1;
}
