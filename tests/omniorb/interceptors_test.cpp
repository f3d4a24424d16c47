// Interceptors of threads. omniORB itself passes the same test.
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <omniORB4/CORBA.h>
#include <omniORB4/omniInterceptors.h>
#include <sys/socket.h>
#include <unistd.h>

#include "port.h"

namespace {

struct Seen {
  int created = 0, ended = 0, for_upcalls = 0, first_for_upcalls = 0;
  bool have_threads = true;
};
std::mutex seen_mutex;
Seen seen;

void count(int Seen::* which) {
  const std::lock_guard<std::mutex> lock(seen_mutex);
  ++(seen.*which);
}
Seen now() {
  const std::lock_guard<std::mutex> lock(seen_mutex);
  return seen;
}

void around_thread(omni::omniInterceptors::createThread_T::info_T& info) {
  if (info.self() != omni_thread::self()) seen.have_threads = false;
  count(&Seen::created);
  info.run();
  count(&Seen::ended);
}
thread_local bool first_was_called = false;
void first_around_upcalls(omni::omniInterceptors::assignUpcallThread_T::info_T& info) {
  first_was_called = true;
  info.run();
}
void around_upcalls(omni::omniInterceptors::assignUpcallThread_T::info_T& info) {
  count(&Seen::for_upcalls);
  if (first_was_called) count(&Seen::first_for_upcalls);
  info.run();
}
void never(omni::omniInterceptors::assignUpcallThread_T::info_T& info) {
  ADD_FAILURE() << "it was removed";
  info.run();
}

// Sends a request of GIOP 1.0 for a key of no object, and reads the head of the reply.
bool ask(CORBA::UShort port) {
  const std::uint32_t body[] = {0, 1, 1, 4, 0x6b6b6b6b, 14};  // no contexts, id 1, response expected, key
  std::string message = std::string("GIOP\1\0\1\0", 8);
  const std::string operation("_non_existent\0\0\0", 16);
  const std::uint32_t size = sizeof body + 16 + 4, principal = 0;
  message.append(reinterpret_cast<const char*>(&size), 4);
  message.append(reinterpret_cast<const char*>(body), sizeof body) += operation;
  message.append(reinterpret_cast<const char*>(&principal), 4);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(port);
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int peer = socket(AF_INET, SOCK_STREAM, 0);
  char head[12] = "";
  const bool answered = connect(peer, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0 &&
                        write(peer, message.data(), message.size()) > 0 &&
                        recv(peer, head, sizeof head, MSG_WAITALL) == sizeof head;
  close(peer);
  return answered && std::memcmp(head, "GIOP", 4) == 0;
}

TEST(Interceptors, surround_the_orbs_threads_and_those_of_upcalls) {
  CORBA::UShort port = 0;
  {
    const Port free;
    port = ntohs(free.address().sin_port);
  }
  char name[] = "test", option[] = "-ORBendPoint";
  std::string value = "giop:tcp:127.0.0.1:" + std::to_string(port);
  char* arguments[] = {name, option, &value[0], nullptr};
  int count = 3;
  CORBA::ORB_var orb = CORBA::ORB_init(count, arguments);
  omni::omniInterceptors* const all = omniORB::getInterceptors();
  ASSERT_TRUE(all);
  all->createThread.add(around_thread);
  all->assignUpcallThread.add(never);
  all->assignUpcallThread.remove(never);
  all->assignUpcallThread.add(first_around_upcalls);
  all->assignUpcallThread.add(around_upcalls);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = root->the_POAManager();
  manager->activate();
  EXPECT_TRUE(ask(port));
  const Seen first = now();
  EXPECT_GE(first.created, 1);
  EXPECT_EQ(first.for_upcalls, 1);
  EXPECT_EQ(first.first_for_upcalls, 1);
  EXPECT_TRUE(first.have_threads);
  EXPECT_TRUE(ask(port));
  EXPECT_GE(now().for_upcalls, 1) << "omniORB takes the same thread again";
  orb->destroy();
  for (int i = 0; i < 1000 && now().ended == 0; ++i) usleep(1000);
  EXPECT_GE(now().ended, 1);
  all->createThread.remove(around_thread);
  all->assignUpcallThread.remove(around_upcalls);
  all->assignUpcallThread.remove(first_around_upcalls);
}

}  // namespace
