// A ledger as a process: ledger_server JOURNAL [ORB options] [--adapters-after MILLISECONDS], the delay
// between listening and creating its POA. Prints its reference, which stays the same at the same endpoint,
// and shuts down in good order on SIGTERM. Writes each entered id to the journal before anything else.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include <takt/corba.h>

#include "ledgerS.h"

namespace {

class Ledger final : public virtual CORBA::servant_traits<Ledgers::Ledger>::base_type {
 public:
  explicit Ledger(int journal) : journal_(journal) {}
  uint64_t enter(uint64_t id, uint32_t takes_us, const Ledgers::Octets&) override {
    if (::write(journal_, &id, sizeof id) != sizeof id) throw CORBA::NO_RESOURCES(1, CORBA::COMPLETED_NO);
    if (takes_us > 0) std::this_thread::sleep_for(std::chrono::microseconds(takes_us));
    return id;
  }

 private:
  const int journal_;
};

}  // namespace

int main(int argc, char** argv) {
  sigset_t ending;
  ::sigemptyset(&ending);
  ::sigaddset(&ending, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  const int journal = ::open(argv[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (journal < 0) return 2;
  auto orb = CORBA::ORB_init(argc, argv);
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  if (argc > 3 && std::string_view(argv[2]) == "--adapters-after")
    std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(argv[3])));
  const auto poa =
      root->create_POA("ledgers", root->the_POAManager(),
                       {root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT),
                        root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  const PortableServer::ObjectId id{'L', 'e', 'd', 'g', 'e', 'r'};
  poa->activate_object_with_id(id, CORBA::make_reference<Ledger>(journal));
  root->the_POAManager()->activate();
  std::puts(orb->object_to_string(poa->id_to_reference(id)).c_str());
  std::fflush(stdout);
  std::thread([&] {
    int which = 0;
    ::sigwait(&ending, &which);
    orb->shutdown(true);
  }).detach();
  orb->run();
  orb->destroy();
  ::_exit(0);
}
