// A server with a place in an implementation repository, and its clients.
//
//   worker serve [--sleep MS] [--exit STATUS] [--hang] [--once FILE] [--reference FILE] [-ORB options]
//   worker call REFERENCE THREADS CALLS [-ORB options]; with 0 calls, until two processes have served
//   worker self REFERENCE
//   worker exit REFERENCE STATUS
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <takt/corba.h>

#include "imr/place/place_in_repository.h"
#include "workerS.h"

namespace {

using WorkerRef = CORBA::object_reference<feature::Worker>;
using Poa = CORBA::object_reference<PortableServer::POA>;
using Words = std::vector<std::string>;

class WorkerServant final : public virtual CORBA::servant_traits<feature::Worker>::base_type {
 public:
  explicit WorkerServant(Poa adapter) : adapter_(std::move(adapter)) {}
  std::int32_t pid() override { return getpid(); }
  WorkerRef self() override { return _this(); }
  bool knows(WorkerRef object) override {
    try {
      return !adapter_->reference_to_id(object).empty();
    } catch (const PortableServer::POA::WrongAdapter&) {
      return false;
    }
  }
  void exit(std::int32_t status) override { _exit(status); }

 private:
  const Poa adapter_;
};

std::string option(const Words& words, const std::string& name) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == name) return words[i + 1];
  return {};
}

Poa persistent_adapter(CORBA::ORB& orb) {
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb.resolve_initial_references("RootPOA"));
  return root->create_POA(
      "workers", root->the_POAManager(),
      {root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT),
       root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
}

// Does what can go wrong before the server has taken its place.
void misbehave(const Words& words) {
  if (const std::string time = option(words, "--sleep"); !time.empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(time)));
  const std::string once = option(words, "--once");
  const bool done = !once.empty() && std::filesystem::exists(once);
  if (!once.empty()) std::ofstream(once) << "\n";
  if (const std::string status = option(words, "--exit"); !status.empty() && !done) _exit(std::stoi(status));
  if (!option(words, "--hang").empty())
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

int serve(const CORBA::object_reference<CORBA::ORB>& orb, const Words& words) {
  std::cout << "worker " << getpid() << std::endl;
  misbehave(words);
  const auto place = takt::imr::PlaceInRepository::take(orb);
  const Poa adapter = persistent_adapter(*orb);
  const PortableServer::ObjectId id{'m', 'a', 'i', 'n'};
  adapter->activate_object_with_id(id, CORBA::make_reference<WorkerServant>(adapter));
  const auto object = adapter->id_to_reference(id);
  if (const std::string name = option(words, "--key"); !name.empty()) orb->register_object_key(name, object);
  adapter->the_POAManager()->activate();
  place->is_running();
  if (const std::string file = option(words, "--reference"); !file.empty())
    std::ofstream(file) << orb->object_to_string(object) << std::endl;
  orb->run();
  return 0;
}

// Prints how many calls each process has served, and the failures.
int call(CORBA::ORB& orb, const Words& words) {
  const int threads = std::stoi(words.at(3)), calls = std::stoi(words.at(4));
  std::mutex mutex;
  std::map<std::string, int> outcomes;
  const auto two_have_served = [&] {
    const auto is_pid = [](const auto& outcome) { return std::isdigit(outcome.first[0]) != 0; };
    const std::lock_guard lock(mutex);
    return std::ranges::count_if(outcomes, is_pid) >= 2;
  };
  std::vector<std::thread> callers;
  for (int i = 0; i < threads; ++i)
    callers.emplace_back([&] {
      const WorkerRef worker = IDL::traits<feature::Worker>::unchecked_narrow(orb.string_to_object(words[2]));
      for (int done = 0; calls > 0 ? done < calls : !two_have_served(); ++done) {
        std::string outcome;
        try {
          outcome = std::to_string(worker->pid());
        } catch (const CORBA::Exception& failure) {
          outcome = failure.what();
        }
        const std::lock_guard lock(mutex);
        ++outcomes[outcome];
      }
    });
  for (std::thread& each : callers) each.join();
  for (const auto& [outcome, count] : outcomes) std::cout << count << " " << outcome << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto orb = CORBA::ORB_init(argc, argv);
  const Words words(argv, argv + argc);
  if (words.at(1) == "serve") return serve(orb, words);
  if (words[1] == "call") return call(*orb, words);
  const WorkerRef worker = IDL::traits<feature::Worker>::unchecked_narrow(orb->string_to_object(words.at(2)));
  if (words[1] == "self") {
    const WorkerRef self = worker->self();
    std::cout << orb->object_to_string(self) << "\n" << worker->knows(self) << "\n";
  } else {
    worker->exit(std::stoi(words.at(3)));
  }
  orb->destroy();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << std::endl;
  return 9;
}
