// A server, or a client that tells by which road its call went.
//
//   serve [ORB options]      prints a reference, and serves until its standard input ends
//   call IOR [ORB options]   prints shm, unix or tcp
#include <cstdio>
#include <iostream>

#include "orbs.h"
#include "roads.h"

namespace feature {
namespace {

std::string road_of_client() {
  for (const OpenSocket& socket : open_sockets()) {
    sockaddr_un peer{};
    socklen_t size = sizeof peer;
    if (socket.family != AF_UNIX ||
        ::getpeername(socket.fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0 ||
        size <= sizeof(sa_family_t) + 1)
      continue;
    const std::string_view name(peer.sun_path + 1, size - sizeof(sa_family_t) - 1);
    if (name.starts_with("takt-road-")) return name.ends_with("-shm") ? "shm" : "unix";
  }
  return "tcp";
}

int serve(const Options& options) {
  const Orb orb = make_orb(options, "server");
  const Poa root = root_poa(orb);
  root->the_POAManager()->activate();
  const auto object = root->id_to_reference(root->activate_object(CORBA::make_reference<EchoServant>()));
  std::cout << orb->object_to_string(object) << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) continue;
  orb->destroy();
  return 0;
}

int call(const std::string& ior, const Options& options) {
  const Orb orb = make_orb(options, "client");
  const auto echo = IDL::traits<Calls::Echo>::narrow(orb->string_to_object(ior));
  if (echo->cube(3) != 27) return 2;
  std::cout << road_of_client() << std::endl;
  orb->destroy();
  return 0;
}

}  // namespace
}  // namespace feature

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words.at(0) == "serve") return feature::serve({words.begin() + 1, words.end()});
    return feature::call(words.at(1), {words.begin() + 2, words.end()});
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << std::endl;
    return 1;
  }
}
