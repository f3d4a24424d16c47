// A process at the other end of shared memory, which is killed or writes arbitrary data into it.
//
//   attack-server PATH KEY SEED ROUNDS   acts as a client; KEY: an object's key in hexadecimal digits
//   attack-clients PATH SEED             acts as a server, until it is killed
//   call IOR                             calls continuously
//   send-borrowed IOR                    sends frames in borrowed memory continuously
//   serve [ORB options]                  prints a reference, and serves
//   record [ORB options]                 the same, and holds what it receives
#include <fcntl.h>
#include <sys/mman.h>

#include <cstdio>
#include <random>

#include <takt/invocation/borrow_octets.h>

#include "orbs.h"
#include "os/net/unix_socket.h"
#include "os/poll/wait.h"
#include "os/shared_memory/doorbell.h"
#include "os/shared_memory/futex.h"
#include "raw_peer.h"
#include "recorder.h"
#include "transport/shm/connection_memory.h"

namespace feature {
namespace {

namespace os = takt::os;
namespace transport = takt::transport;
using transport::RingControl;

class Attacker {
 public:
  explicit Attacker(std::uint32_t seed) : random_(seed) {}

  // Sends a valid or an invalid client's hello. Empty: the connection is over.
  std::optional<transport::OwnMemory> greet(os::Socket& socket) {
    transport::StreamOptions options;
    options.send_buffer_bytes = 4096 << below(4);
    options.receive_buffer_bytes = 4096 << below(4);
    options.lent_bytes = below(3) == 0 ? 0 : 64 * 1024 << below(3);
    auto own = transport::make_connection_memory(options).value();
    auto hello = own.hello.encode();
    os::Descriptor other(::open("/dev/null", O_RDWR | O_CLOEXEC));
    int descriptor = own.descriptor.fd();
    const unsigned way = below(24);
    if (way == 0) hello[below(hello.size())] ^= static_cast<std::uint8_t>(1 + below(255));
    if (way == 1) descriptor = other.fd();
    if (way == 2) {  // without the seal on its size
      other = os::Descriptor(::memfd_create("other", MFD_ALLOW_SEALING | MFD_CLOEXEC));
      if (::ftruncate(other.fd(), static_cast<off_t>(own.hello.memory_bytes())) != 0) return std::nullopt;
      descriptor = other.fd();
    }
    if (way == 3) return std::nullopt;
    const std::size_t size = way == 4 ? below(hello.size()) : hello.size();
    if (way == 5)
      (void)socket.send(takt::ByteView(hello).first(size));
    else if (size != 0)
      (void)os::send_with_descriptor(socket, takt::ByteView(hello).first(size), descriptor);
    return own;
  }

  // `controls`: those of the ring to the server, then those of the ring to the client.
  void scribble(transport::ConnectionMemory& memory, os::Socket& socket, const Octets& message) {
    os::Doorbell bell(socket);
    auto* const controls = reinterpret_cast<RingControl*>(memory.region->data());
    for (unsigned steps = 1 + below(60); steps > 0; --steps) switch (below(10)) {
        case 9:
          splice(controls, memory);
          break;
        case 0:
        case 1:
          if (const auto room = memory.out.room(message.size());
              room >= message.size() && room <= memory.out.size()) {
            memory.out.put(message);
            if (below(4) != 0) memory.out.publish();
          }
          break;
        case 2:
          word(controls[below(2)]).store(number());
          break;
        case 3: {
          auto& one = word(controls[below(2)]);
          one.store(one.load() + below(3) - 1);
          break;
        }
        case 4:
          for (unsigned count = below(64); count > 0; --count)
            memory.region->data()[1024 + below(memory.region->size() - 1024)] =
                static_cast<std::uint8_t>(random_());
          break;
        case 5:
          (void)bell.ring();
          break;
        case 6:
          if (below(4) == 0) (void)bell.plug();
          break;
        case 7:
          for (int i = 0; i < 2; ++i) {
            os::wake_futex(controls[i].reader);
            os::wake_futex(controls[i].writer);
          }
          break;
        case 8:
          std::this_thread::sleep_for(std::chrono::microseconds(below(200)));
      }
    if (below(3) == 0) socket.shut_down_writing();
    if (below(3) == 0) socket.shut_down_reading();
  }
  // Announces data in shared buffers, validly or not.
  void splice(RingControl* controls, const transport::ConnectionMemory& memory) {
    auto& splices = *reinterpret_cast<transport::SpliceControl*>(controls + 2);
    const auto count = controls[0].spliced.load();
    auto& entry = splices.entries[below(8) ? count % splices.most : below(splices.most)];
    entry.position.store(memory.out.written() + below(80));
    entry.buffer.store(below(8) ? below(splices.most) : number());
    entry.begin.store(below(4) ? below(16) * 4096 : number());
    entry.bytes.store(below(4) ? 1 + below(4096) : number());
    controls[0].spliced.store(count + below(3));
    if (below(4) == 0) controls[below(2)].splices_taken.store(number());
  }
  unsigned below(std::size_t limit) { return static_cast<unsigned>(random_() % limit); }

 private:
  static std::atomic<std::uint32_t>& pick(RingControl& control, unsigned which) {
    return which == 0   ? control.written
           : which == 1 ? control.taken
           : which == 2 ? control.reader
                        : control.writer;
  }
  std::atomic<std::uint32_t>& word(RingControl& control) { return pick(control, below(4)); }
  std::uint32_t number() {
    return below(2) ? below(5) : below(2) ? 1u << below(32) : static_cast<std::uint32_t>(random_());
  }

  std::mt19937 random_;
};

int attack_server(const std::string& path, const std::string& key_digits, std::uint32_t seed, int rounds) {
  Octets key;
  for (std::size_t i = 0; i + 1 < key_digits.size(); i += 2)
    key.push_back(static_cast<std::uint8_t>(std::stoi(key_digits.substr(i, 2), nullptr, 16)));
  Attacker attacker(seed);
  const auto address = os::UnixAddress::parse(path).value();
  for (int round = 0; round < rounds; ++round) {
    auto socket = os::connect_unix(address, os::Clock::now() + 10s, 0, 0);
    if (!socket) return 2;
    auto own = attacker.greet(*socket);
    if (!own) continue;
    Octets message = request(7, key, "cube", {}, true).raw({3}).finish();
    if (attacker.below(4) == 0) message.resize(attacker.below(message.size()) + 1);
    attacker.scribble(own->memory, *socket, message);
  }
  return 0;
}

[[noreturn]] void attack_clients(const std::string& path, std::uint32_t seed) {
  Attacker attacker(seed);
  auto listener = os::UnixListener::listen(os::UnixAddress::parse(path).value(), 16, 0600).value();
  std::puts("ready");
  std::fflush(stdout);
  // The reply to the first request of a connection: no exception, and an octet.
  const Octets reply =
      MessageOctets(1).u32(attacker.below(3)).raw({0, 0, 0, 0}).u32(0).align(8).raw({27}).finish();
  for (;;) {
    (void)os::wait_ready(listener.socket().fd(), os::Interest::read, os::no_deadline);
    os::Socket socket(::accept4(listener.socket().fd(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket.is_open() || attacker.below(16) == 0) continue;
    (void)os::wait_ready(socket.fd(), os::Interest::read, os::Clock::now() + 1s);
    auto memory = transport::receive_connection_memory(socket, 1 << 20);
    if (memory) attacker.scribble(*memory, socket, reply);
  }
}

[[noreturn]] void call(const std::string& ior) {
  const auto orb = make_orb({}, "caller");
  const auto echo = IDL::traits<Calls::Echo>::narrow(orb->string_to_object(ior));
  const Calls::Octets octets(300'000, 5);
  std::puts("ready");
  std::fflush(stdout);
  for (;;) {
    (void)echo->echo_octets(octets);
    (void)echo->cube(3);
  }
}

[[noreturn]] void send_borrowed(const std::string& ior) {
  const auto orb = make_orb({}, "sender");
  const auto recorder = IDL::traits<Buffers::Recorder>::narrow(orb->string_to_object(ior));
  for (std::uint8_t number = 0;; ++number) {
    const std::size_t size = number % 2 ? 20'000 : 900'000;
    const auto buffer = takt::borrow_octets(recorder, size);
    std::ranges::copy(numbered(size, number), buffer.begin());
    if (recorder->frame(number, buffer, "name", {}) != size) std::abort();
    if (number != 0) continue;
    std::puts("ready");
    std::fflush(stdout);
  }
}

template <class Servant>
int serve(int argc, char** argv, Servant servant) {
  auto orb = CORBA::ORB_init(argc, argv);
  auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const auto id = poa->activate_object(servant);
  std::puts(orb->object_to_string(poa->id_to_reference(id)).c_str());
  std::fflush(stdout);
  poa->the_POAManager()->activate();
  orb->run();
  return 0;
}

}  // namespace
}  // namespace feature

int main(int argc, char** argv) {
  using namespace feature;
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "attack-server" && argc == 6)
    return attack_server(argv[2], argv[3], static_cast<std::uint32_t>(std::stoul(argv[4])),
                         std::stoi(argv[5]));
  if (what == "attack-clients" && argc == 4)
    attack_clients(argv[2], static_cast<std::uint32_t>(std::stoul(argv[3])));
  if (what == "call" && argc == 3) call(argv[2]);
  if (what == "send-borrowed" && argc == 3) send_borrowed(argv[2]);
  if (what == "serve") return serve(argc, argv, CORBA::make_reference<EchoServant>());
  if (what == "record") return serve(argc, argv, CORBA::make_reference<Recorder>(2));
  return 64;
}
