#include "machine/machine.h"

#include <cerrno>

#include "machine/finding.h"

namespace takt::sim {

namespace {
Machine* present = nullptr;
}

Machine& machine() { return *present; }

Machine::Machine(std::uint64_t seed, const Faults& wanted)
    : faults(wanted),
      scheduler(seed, faults),
      locks(scheduler, faults, seed),
      network(scheduler, faults, seed),
      datagrams(scheduler, faults, seed),
      random_(seed + 1, Random::Stream::faults),
      numbers_(seed + 2, Random::Stream::faults) {
  present = this;
  scheduler.adopt_caller();
}

Machine::~Machine() {
  scheduler.release_caller();
  present = nullptr;
}

long Machine::open(std::shared_ptr<File> file) {
  scheduler.step("opens");
  const int fd = descriptors.open(std::move(file), Scheduler::current()->host, faults.descriptors_per_host);
  return fd < 0 ? -EMFILE : fd;
}

std::shared_ptr<File> Machine::file(int fd) {
  auto found = descriptors.find(fd);
  if (!found) report_finding("a thread uses descriptor " + std::to_string(fd) + ", which nobody has open");
  return found;
}

std::shared_ptr<Socket> Machine::socket(int fd) {
  auto found = std::dynamic_pointer_cast<Socket>(file(fd));
  if (!found)
    report_finding("a thread uses descriptor " + std::to_string(fd) + " as the socket that it is not");
  return found;
}

long Machine::close(int fd) {
  scheduler.step("closes", static_cast<std::uint64_t>(fd));
  if (faults.defect == Defect::forgotten_close && random_.one_in(32)) return 0;
  const auto gone = descriptors.close(fd);
  if (!gone) report_finding("a thread closes descriptor " + std::to_string(fd) + ", which nobody has open");
  if (gone.use_count() > 1)
    report_finding("a thread closes descriptor " + std::to_string(fd) +
                   ", which another thread waits for: " + gone->describe());
  if (const auto stream = std::dynamic_pointer_cast<SocketFile>(gone))
    network.close(*stream);
  else if (const auto socket = std::dynamic_pointer_cast<DatagramSocket>(gone))
    datagrams.close(*socket);
  else
    gone->closed(scheduler.now());
  return 0;
}

long Machine::epoll_control(int epoll_fd, int operation, int fd, const epoll_event* event) {
  scheduler.step("epoll_ctl", static_cast<std::uint64_t>(fd));
  const auto poller = std::dynamic_pointer_cast<PollerFile>(file(epoll_fd));
  if (!poller) report_finding("epoll_ctl on what is no epoll");
  auto watched = file(fd);
  switch (operation) {
    case EPOLL_CTL_ADD:
      return -poller->add(fd, std::move(watched), *event);
    case EPOLL_CTL_MOD:
      return -poller->modify(fd, *event);
    default:
      return -poller->remove(fd);
  }
}

long Machine::epoll_wait(int epoll_fd, epoll_event* events, int most, Time timeout) {
  scheduler.step("epoll_wait");
  const auto poller = std::dynamic_pointer_cast<PollerFile>(file(epoll_fd));
  if (!poller) report_finding("epoll_wait on what is no epoll");
  if (interrupted()) return -EINTR;
  const auto ready = [&] { return poller->any_ready(scheduler.now()); };
  if (!ready() && timeout > Time(0)) scheduler.wait("epoll", ready, until(timeout));
  const int taken = poller->take(scheduler.now(), events, most, random_);
  if (faults.defect == Defect::lost_readiness && taken > 0 && random_.one_in(8)) return 0;
  return taken;
}

long Machine::poll(int fd, std::uint32_t events, Time timeout, std::uint32_t& ready) {
  scheduler.step("poll", static_cast<std::uint64_t>(fd));
  const auto polled = file(fd);
  if (interrupted()) return -EINTR;
  const auto is_ready = [&] {
    return (polled->ready(scheduler.now()) & (events | EPOLLERR | EPOLLHUP)) != 0;
  };
  if (!is_ready() && timeout > Time(0)) scheduler.wait("poll", is_ready, until(timeout));
  ready = polled->ready(scheduler.now()) & (events | EPOLLERR | EPOLLHUP);
  return ready ? 1 : 0;
}

void Machine::sleep(Time time) {
  scheduler.wait("the time", [] { return false; }, scheduler.now() + time);
}

}  // namespace takt::sim
