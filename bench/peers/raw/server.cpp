// bench_raw_server [--wait block|epoll] [--over unix|tls|ring|spin]: a thread per connection that blocks in
// recv or on a ring in shared memory, which is the shortest possible path; or one thread that waits in
// epoll_wait before each read. With --priorities threads [--levels WHICH] [--burn MICROSECONDS], it has a
// port for each of these priorities and threads of that priority for its connections. --host ADDRESS: the
// address to listen at; default: loopback.
#include <sys/epoll.h>

#include <list>
#include <string>
#include <thread>
#include <vector>

#include "common/levels.h"
#include "common/options.h"
#include "common/serve.h"
#include "common/workload.h"
#include "ring.h"
#include "serve_rings.h"
#include "socket.h"
#include "wire.h"

namespace {

using namespace bench;
using namespace bench::raw;

[[noreturn]] void serve_blocking(const Listener& listener, Sink& sink) {
  for (;;)
    std::thread([&sink, socket = listener.accept()]() mutable {
      Connection connection(sink);
      while (connection.serve_one_read(socket)) {
      }
    }).detach();
}

[[noreturn]] void serve_reactor(const Listener& listener, Sink& sink) {
  struct Peer {
    Socket socket;
    Connection connection;
  };
  std::list<Peer> connected;
  const int epoll = checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
  const auto watch = [epoll](int fd, void* tag) {
    epoll_event event{.events = EPOLLIN, .data = {.ptr = tag}};
    checked(::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event), "epoll_ctl");
  };
  watch(listener.fd(), nullptr);
  for (;;) {
    epoll_event events[64];
    const int count = ::epoll_wait(epoll, events, 64, -1);
    for (int i = 0; i < count; ++i) {
      if (auto* peer = static_cast<Peer*>(events[i].data.ptr)) {
        if (!peer->connection.serve_one_read(peer->socket))
          connected.remove_if([peer](const Peer& other) { return &other == peer; });
      } else {
        auto& added = connected.emplace_back(listener.accept(), Connection(sink));
        watch(added.socket.fd(), &added);
      }
    }
  }
}

// A thread inherits the priority of the thread that starts it.
[[noreturn]] void serve_at(int priority, const Listener& listener, Sink& sink, const Work& work) {
  run_thread_at(priority);
  for (;;)
    std::thread([&sink, &work, socket = listener.accept()]() mutable {
      Connection connection(sink, work);
      while (connection.serve_one_read(socket)) {
      }
    }).detach();
}

[[noreturn]] void serve_levels(const Options& options) {
  static Sink sink;
  static std::list<Listener> listeners;
  static const Work none, work(options.number("burn", 0));
  std::vector<std::string> endpoints;
  for (const int level : levels_of(options)) {
    const Listener& listener =
        listeners.emplace_back(Listener::Over::tcp, nullptr, options.text("host", loopback_host));
    const Work& takes = endpoints.empty() ? none : work;
    std::thread(serve_at, level, std::cref(listener), std::ref(sink), std::cref(takes)).detach();
    endpoints.push_back(listener.address());
  }
  announce(joined(endpoints));
  exit_when_stdin_closes();
}

}  // namespace

int main(int argc, char** argv) {
  return run_main("bench_raw_server", [&] {
    const Options options(argc, argv);
    if (options.has("priorities")) serve_levels(options);
    static Sink sink;
    const std::string over = options.text("over"), wait = options.text("wait");
    const bool rings = over == "ring" || over == "spin";
    static const Listener listener(rings || over == "unix" ? Listener::Over::unix_domain
                                   : over == "udp"         ? Listener::Over::udp
                                                           : Listener::Over::tcp,
                                   over == "tls" ? tls_server(options.text("certificate")) : nullptr,
                                   options.text("host", loopback_host));
    const auto serve = over == "ring"    ? serve_rings<false>
                       : over == "spin"  ? serve_rings<true>
                       : wait == "epoll" ? serve_reactor
                                         : serve_blocking;
    std::thread(serve, std::cref(listener), std::ref(sink)).detach();
    announce(rings ? over + ":" + listener.address() : listener.address());
    exit_when_stdin_closes();
  });
}
