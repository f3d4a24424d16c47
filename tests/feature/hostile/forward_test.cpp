// A server that forwards to a host name that the resolver never answers for, or to a reference without
// profiles.
#include <dlfcn.h>
#include <netdb.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string_view>

#include "../../parameter_name.h"
#include "../calls/hostile_server.h"
#include "orbs.h"
#include "raw_peer.h"

namespace {

constexpr std::string_view hanging_host = "hangs.invalid";

// Lookups of this host hang until the destructor runs.
struct Hanging {
  std::mutex mutex;
  std::condition_variable changed;
  bool released = false;
  int under_way = 0;
} hanging;

}  // namespace

// Replaces the C library's getaddrinfo() for the ORB's lookups.
extern "C" int getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** found) {
  if (host && host == hanging_host) {
    std::unique_lock lock(hanging.mutex);
    ++hanging.under_way;
    hanging.changed.wait(lock, [] { return hanging.released; });
    --hanging.under_way;
    hanging.changed.notify_all();
    return EAI_AGAIN;
  }
  using Function = decltype(&getaddrinfo);
  static const auto of_library = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  return of_library(host, service, hints, found);
}

namespace feature {
namespace {

class HangingName : public testing::TestWithParam<const char*> {
 protected:
  HangingName() { hanging.released = false; }
  ~HangingName() override {
    std::unique_lock lock(hanging.mutex);
    hanging.released = true;
    hanging.changed.notify_all();
    hanging.changed.wait(lock, [] { return hanging.under_way == 0; });
  }
  Orb client() const {
    return make_orb({"-ORBConnectTimeout", "300ms", "-ORBClientConnections", GetParam()}, "client");
  }
  static std::string url() { return "corbaloc:iiop:1.2@" + std::string(hanging_host) + ":2809/Object"; }
};

Octets octets_of(const Orb& orb, const std::string& url) {
  const std::string text = orb->object_to_string(orb->string_to_object(url));
  Octets octets;
  for (std::size_t i = 4; i + 1 < text.size(); i += 2)
    octets.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
  return octets;
}

TEST_P(HangingName, InAForwardCostsOneConnectTimeoutAndNotOnePerRedirection) {
  const Orb orb = client();
  const Octets ior = octets_of(orb, url());
  std::atomic<int> forwards{0};
  const HostileServer server([&](int fd, int) {
    for (Octets asked = receive_some(fd); asked.size() > 16; asked = receive_some(fd)) {
      ++forwards;
      MessageOctets reply(1);
      reply.raw({asked.begin() + 12, asked.begin() + 16}).u32(3).u32(0).align(8);
      send_octets(fd, reply.raw({ior.begin() + 4, ior.end()}).finish());
    }
  });
  const auto echo = takt::reference::make_stub<::Calls::Echo>(orb->string_to_object(server.url())->_ref());
  for (int call = 1; call <= 2; ++call) {
    EXPECT_THROW(echo->nothing(), CORBA::TIMEOUT);
    EXPECT_EQ(forwards, call) << "a call was forwarded again after its connect timeout";
  }
  orb->destroy();
}

TEST_P(HangingName, InAReferenceCostsTheConnectTimeout) {
  const Orb orb = client();
  const auto echo = takt::reference::make_stub<::Calls::Echo>(orb->string_to_object(url())->_ref());
  EXPECT_THROW(echo->nothing(), CORBA::TIMEOUT);
  EXPECT_EQ(hanging.under_way, 1) << "the call did not end before the look-up";
  orb->destroy();
}

class ForwardToNowhere : public testing::TestWithParam<std::uint8_t> {};

TEST_P(ForwardToNowhere, FailsThatCallAlone) {
  const Orb orb = make_orb({}, "client");
  int calls = 0;
  const HostileServer server([&](int fd, int) {
    for (Octets asked = receive_some(fd); asked.size() > 16; asked = receive_some(fd)) {
      MessageOctets reply(1);
      reply.raw({asked.begin() + 12, asked.begin() + 16}).u32(++calls == 1 ? GetParam() : 0).u32(0);
      if (calls == 1) reply.align(8).u32(2).raw({'T', 0}).align(4).u32(0);  // a type id, and no profiles
      send_octets(fd, reply.finish());
    }
  });
  const auto echo = takt::reference::make_stub<::Calls::Echo>(orb->string_to_object(server.url())->_ref());
  EXPECT_THROW(echo->nothing(), CORBA::SystemException);
  EXPECT_NO_THROW(echo->nothing()) << "the reference still leads nowhere";
  EXPECT_EQ(calls, 2);
  orb->destroy();
}

INSTANTIATE_TEST_SUITE_P(Statuses, ForwardToNowhere, testing::Values(3, 4));

INSTANTIATE_TEST_SUITE_P(Clients, HangingName,
                         testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"),
                         takt::test::without_hyphens);

}  // namespace
}  // namespace feature
