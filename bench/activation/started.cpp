// A server that an implementation repository starts, and its clients.
//
//   bench_activation serve              prints "ready" once it serves, at corbaloc::HOST:PORT/started
//   bench_activation call REFERENCE THREADS ROUNDS
//                                       prints the nanoseconds of the first and of the second call over each
//                                       of THREADS * ROUNDS new references
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <takt/corba.h>

#include "imr/place/place_in_repository.h"
#include "startedS.h"

namespace {

using Clock = std::chrono::steady_clock;

class StartedServant final : public virtual CORBA::servant_traits<Bench::Started>::base_type {
 public:
  std::int32_t pid() override { return getpid(); }
};

void serve(const CORBA::object_reference<CORBA::ORB>& orb) {
  const auto place = takt::imr::PlaceInRepository::take(orb);
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const auto servant = CORBA::make_reference<StartedServant>();
  orb->register_object_key("started", root->id_to_reference(root->activate_object(servant)));
  root->the_POAManager()->activate();
  place->is_running();
  std::cout << "ready" << std::endl;
  orb->run();
}

void call(CORBA::ORB& orb, const std::string& reference, int threads, int rounds) {
  std::mutex mutex;
  std::vector<std::thread> callers;
  for (int i = 0; i < threads; ++i)
    callers.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        const auto object = IDL::traits<Bench::Started>::unchecked_narrow(orb.string_to_object(reference));
        const auto begin = Clock::now();
        object->pid();
        const auto between = Clock::now();
        object->pid();
        const auto end = Clock::now();
        const std::lock_guard lock(mutex);
        std::cout << (between - begin).count() << " " << (end - between).count() << "\n";
      }
    });
  for (std::thread& each : callers) each.join();
}

}  // namespace

int main(int argc, char** argv) try {
  const auto orb = CORBA::ORB_init(argc, argv);
  const std::vector<std::string> words(argv, argv + argc);
  if (words.at(1) == "serve")
    serve(orb);
  else
    call(*orb, words.at(2), std::stoi(words.at(3)), std::stoi(words.at(4)));
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << std::endl;
  return 1;
}
