// A server's place in an implementation repository.
//
//   auto orb = CORBA::ORB_init(argc, argv);
//   auto place = takt::imr::PlaceInRepository::take(orb);  // before the adapters make references
//
//   // Adapters and servants follow, and the_POAManager()->activate().
//
//   place->is_running();                                   // clients come from now on
//   orb->run();
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include <takt/orb/orb.h>

namespace takt::imr {

// One thread at a time.
class PlaceInRepository {
 public:
  struct Options {
    // As `takt imr ticket` prints it. Empty: that in the environment variable TAKT_IMR_TICKET, in which the
    // repository gives it to the servers that it starts. Without either, the program runs without a
    // repository, and the functions below do nothing.
    std::string ticket{};
    // Called in a thread of the ORB when the repository asks the process to end; by default, shuts down the
    // ORB. The repository forwards no more clients then.
    std::function<void()> end{};
    // The time that the repository has to hear that the process ends. It finds out by itself later.
    std::chrono::milliseconds end_timeout{2'000};
  };

  // Makes the references to objects of persistent adapters lead to the repository, from now on. Calls the
  // repository. Throws INITIALIZE if the ticket is none or the repository refuses it, and what the call
  // throws.
  static std::unique_ptr<PlaceInRepository> take(CORBA::object_reference<CORBA::ORB> orb, Options options);
  static std::unique_ptr<PlaceInRepository> take(CORBA::object_reference<CORBA::ORB> orb);
  PlaceInRepository(const PlaceInRepository&) = delete;
  PlaceInRepository& operator=(const PlaceInRepository&) = delete;
  // Does what is_ending() does. Exceptions are ignored.
  ~PlaceInRepository();

  // Whether the program has a place in a repository.
  bool is_taken() const;
  // The repository forwards clients to this process from now on. The root adapter's manager should be active,
  // because the repository pings an object there. Throws as take(), also if another process has the place.
  void is_running();
  // The repository forwards no more clients to this process, which must end within `--longest-stop`: a
  // process that the repository can signal is killed after that time. Blocks for Options::end_timeout at
  // most, and throws what the call throws. May be called again.
  void is_ending();

 private:
  struct Made;
  explicit PlaceInRepository(std::shared_ptr<Made> parts);

  const std::shared_ptr<Made> parts_;  // null without a repository
};

}  // namespace takt::imr
