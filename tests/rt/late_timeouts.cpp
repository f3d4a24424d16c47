// How late a timeout of one second is while SCHED_FIFO threads keep every core busy.
//
//   rt_late_timeouts [ORB option ...]
//
// An ordinary thread sets the first long timeout of the process, so the timeout thread has ordinary priority
// until a thread of priority 40 calls a server that does not answer.
#include <netinet/in.h>
#include <sys/socket.h>
#include <takt/corba.h>
#include <takt/rt/rtcorba.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "contention.h"

namespace {

using namespace contention;
using Orb = IDL::traits<CORBA::ORB>::ref_type;
using ObjectRef = CORBA::object_reference<CORBA::Object>;

constexpr auto timeout = 1s, burners_burn = 4s;
// Linux gives ordinary threads a little time after they have waited for this long; the timeout must end
// earlier.
constexpr auto fair_servers_wait = 1s;

// Listens but accepts nothing, and so never answers; returns the port.
unsigned short silent_server() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&address), length) != 0 || ::listen(fd, 8) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0)
    throw std::runtime_error("no socket to listen at");
  return ntohs(address.sin_port);
}

// With the options of the command line. Timeouts set by policies use system timers; this tests the ORB's own.
Orb make_orb(int argc, char** argv, const char* round_trip) {
  std::vector<char*> all(argv, argv + argc);
  std::string name = "-ORBRoundTripTimeout", value = round_trip;
  all.insert(all.end(), {name.data(), value.data(), nullptr});
  argc += 2;
  return CORBA::ORB_init(argc, all.data(), round_trip);
}

// The thread with the name in this process; 0 if there is none.
pid_t thread_named(const std::string& name) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string found;
    std::getline(std::ifstream(entry.path() / "comm"), found);
    if (found == name) return std::stoi(entry.path().filename());
  }
  return 0;
}

bool ends_in_timeout(const ObjectRef& object) {
  try {
    object->_non_existent();
  } catch (const CORBA::TIMEOUT&) {
    return true;
  }
  return false;
}

// Starts a thread that burns the core at the SCHED_FIFO priority, or with 0 as an ordinary thread; returns
// once it does.
void start_burner(unsigned core, int priority, Clock::time_point until,
                  std::atomic<unsigned>& burning_still) {
  std::binary_semaphore begun(0);
  std::thread([=, &burning_still, &begun] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    ::sched_setaffinity(0, sizeof one, &one);
    const sched_param parameters{.sched_priority = priority};
    ::sched_setscheduler(0, priority > 0 ? SCHED_FIFO : SCHED_OTHER, &parameters);
    begun.release();
    while (Clock::now() < until) {
    }
    if (priority > 0) --burning_still;
  }).detach();
  begun.acquire();
}

// On each core, ordinary threads use up the little time that the system reserves for such threads.
void start_burners(std::atomic<unsigned>& burning_still) {
  const auto until = Clock::now() + burners_burn;
  const unsigned cores = std::thread::hardware_concurrency();
  burning_still = cores;
  for (const int priority : {0, 0, burning})
    for (unsigned core = 0; core < cores; ++core) start_burner(core, priority, until, burning_still);
}

int measure(int argc, char** argv) {
  const Orb patient = make_orb(argc, argv, "1h"), orb = make_orb(argc, argv, "1s");
  const std::string url = "corbaloc:iiop:127.0.0.1:" + std::to_string(silent_server()) + "/nobody";
  std::thread([of_first = patient->string_to_object(url)] { ends_in_timeout(of_first); }).detach();
  while (thread_named("takt-watch") == 0) std::this_thread::sleep_for(1ms);

  std::atomic<unsigned> burning_still{0};
  std::thread([&, of_urgent = orb->string_to_object(url)] {
    IDL::traits<RTCORBA::Current>::narrow(orb->resolve_initial_references("RTCurrent"))->the_priority(urgent);
    start_burners(burning_still);
    std::this_thread::sleep_for(fair_servers_wait / 2);
    const auto start = Clock::now();
    const bool timed_out = ends_in_timeout(of_urgent);
    const auto late = Clock::now() - start - timeout;
    std::printf("timed out: %d, late by %.1f ms, cores still busy: %u, priority of the watch: %d\n",
                timed_out, std::chrono::duration<double, std::milli>(late).count(), burning_still.load(), [] {
                  sched_param parameters{};
                  ::sched_getparam(thread_named("takt-watch"), &parameters);
                  return parameters.sched_priority;
                }());
  }).join();
  std::fflush(stdout);
  ::_exit(0);  // skips an orderly end, because the first call waits for an hour
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return measure(argc, argv);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "rt_late_timeouts: %s\n", failure.what());
    return 1;
  }
}
