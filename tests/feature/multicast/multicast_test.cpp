// Requests to groups of objects, over the loopback device.
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <random>
#include <thread>

#include "listener.h"
#include "make_orb.h"

namespace feature {
namespace {

using namespace std::chrono_literals;
using Heard = ListenerServant::Heard;
using ListenerRef = IDL::traits<Groups::Listener>::ref_type;
using Goa = IDL::traits<PortableGroup::GOA>::ref_type;
using Octets = std::vector<std::uint8_t>;

// An address that no other running test uses.
struct Place {
  std::string host;
  std::uint16_t port;

  explicit Place(bool v6 = false) {
    static std::atomic<std::uint16_t> count{0};
    const auto process = static_cast<unsigned>(::getpid());
    port = static_cast<std::uint16_t>(30'000 + ++count);
    std::array<char, 40> text{};
    if (v6)
      std::snprintf(text.data(), text.size(), "ff12::%x:%x", process >> 16, process & 0xffff);
    else
      std::snprintf(text.data(), text.size(), "239.255.%u.%u", process >> 8 & 255, process & 255);
    host = text.data();
  }
  std::string url(int group = 1) const {
    const bool v6 = host.find(':') != std::string::npos;
    return "corbaloc:miop:1.0@1.0-Test-" + std::to_string(group) + "/" + (v6 ? "[" + host + "]" : host) +
           ":" + std::to_string(port);
  }
  sockaddr_in v4() const {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = ::inet_addr(host.c_str());
    return address;
  }
};

// A plain socket that sends to groups or is a member of one.
class Raw {
 public:
  Raw() : fd_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    ip_mreqn loopback{};
    loopback.imr_ifindex = static_cast<int>(::if_nametoindex("lo"));
    ::setsockopt(fd_, IPPROTO_IP, IP_MULTICAST_IF, &loopback, sizeof loopback);
  }
  explicit Raw(const Place& joined) : Raw() {
    const int on = 1;
    const sockaddr_in address = joined.v4();
    ip_mreqn group{};
    group.imr_multiaddr = address.sin_addr;
    group.imr_ifindex = static_cast<int>(::if_nametoindex("lo"));
    ::setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    works_ = ::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
             ::setsockopt(fd_, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group) == 0;
  }
  ~Raw() { ::close(fd_); }
  Raw(const Raw&) = delete;
  Raw& operator=(const Raw&) = delete;

  bool works() const { return works_; }
  void send(const Octets& datagram, const Place& to) {
    const sockaddr_in address = to.v4();
    (void)::sendto(fd_, datagram.data(), datagram.size(), 0, reinterpret_cast<const sockaddr*>(&address),
                   sizeof address);
  }
  // Empty if nothing arrives in that time.
  Octets receive(int milliseconds) {
    pollfd one{fd_, POLLIN, 0};
    if (::poll(&one, 1, milliseconds) != 1) return {};
    Octets datagram(65536);
    const auto count = ::recv(fd_, datagram.data(), datagram.size(), 0);
    datagram.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return datagram;
  }

 private:
  int fd_;
  bool works_ = true;
};

// The device with a link-local IPv6 address; empty if there is none.
std::string device_of_ipv6() {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return {};
  std::string name;
  for (const ifaddrs* one = all; one; one = one->ifa_next) {
    constexpr unsigned wanted = IFF_UP | IFF_MULTICAST;
    if ((one->ifa_flags & (wanted | IFF_LOOPBACK)) != wanted || !one->ifa_addr ||
        one->ifa_addr->sa_family != AF_INET6)
      continue;
    if (IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(one->ifa_addr)->sin6_addr))
      name = one->ifa_name;
  }
  ::freeifaddrs(all);
  return name;
}

bool multicast_works() {
  static const bool works = [] {
    const Place place;
    Raw member(place), sender;
    sender.send({1, 2, 3}, place);
    return member.works() && member.receive(2000).size() == 3;
  }();
  return works;
}

class Member {
 public:
  explicit Member(const std::string& url, std::vector<std::string> options = {},
                  const std::string& device = "lo")
      : orb(make_orb(over(device, std::move(options)), "member")),
        goa(IDL::traits<PortableGroup::GOA>::narrow(orb->resolve_initial_references("RootPOA"))),
        group(orb->string_to_object(url)) {
    goa->the_POAManager()->activate();
    listener = add();
  }
  ~Member() { orb->destroy(); }
  CORBA::servant_reference<ListenerServant> add() {
    auto servant = CORBA::make_reference<ListenerServant>();
    last_id = goa->activate_object(servant);
    goa->associate_reference_with_id(group, last_id);
    return servant;
  }

  const Orb orb;
  const Goa goa;
  const CORBA::object_reference<CORBA::Object> group;
  PortableServer::ObjectId last_id;
  CORBA::servant_reference<ListenerServant> listener;
};

class Multicast : public testing::Test {
 protected:
  void SetUp() override {
    if (!multicast_works()) GTEST_SKIP() << "this machine lets nothing pass by multicast over lo";
  }
  void TearDown() override {
    for (const Orb& orb : clients_) orb->destroy();
  }
  ListenerRef send_to(const std::string& url, const std::string& device = "lo",
                      std::vector<std::string> options = {}) {
    clients_.push_back(make_orb(over(device, std::move(options)), "client"));
    return IDL::traits<Groups::Listener>::unchecked_narrow(clients_.back()->string_to_object(url));
  }
  // Everything received before `mark`, which is sent last.
  static std::vector<Heard> up_to(ListenerServant& listener, std::int32_t mark, const ListenerRef& sender) {
    std::vector<Heard> heard;
    for (int i = 0; i < 100; ++i) {
      sender->tell(mark);
      heard = listener.wait_for(heard.size() + 1, 200ms);  // the mark may be lost
      if (const auto found = std::ranges::find(heard, mark, &Heard::number); found != heard.end()) {
        heard.erase(found, heard.end());
        return heard;
      }
    }
    ADD_FAILURE() << "the mark never came";
    return heard;
  }

 private:
  std::vector<Orb> clients_;
};

const std::vector<Heard> one_two_three{{1, 0}, {2, 0}, {3, 0}};

TEST_F(Multicast, EachServantOfEachServerGetsEachRequest) {
  const Place place;
  Member one(place.url()), two(place.url());
  const auto second = one.add();
  const auto sender = send_to(place.url());
  for (const int number : {1, 2, 3}) sender->tell(number);
  EXPECT_EQ(one.listener->wait_for(3), one_two_three);
  EXPECT_EQ(second->wait_for(3), one_two_three);
  EXPECT_EQ(two.listener->wait_for(3), one_two_three);
}

// Linux has no IPv6 multicast route for the loopback device. With a hop limit of 0, nothing leaves the
// machine.
TEST_F(Multicast, GroupsHaveAddressesOfIPv6AsWell) {
  const std::string device = device_of_ipv6();
  if (device.empty()) GTEST_SKIP() << "no network of this machine has multicast of IPv6";
  const Place place(true);
  Member one(place.url(), {}, device), two(place.url(), {}, device);
  const auto sender = send_to(place.url(), device);
  for (const int number : {1, 2, 3}) sender->tell(number);
  sender->show(7, Groups::Octets(20'000, 7));
  auto expected = one_two_three;
  expected.push_back({7, 20'000});
  EXPECT_EQ(one.listener->wait_for(4), expected);
  EXPECT_EQ(two.listener->wait_for(4), expected);
}

TEST_F(Multicast, ServersOfEveryConcurrencyGetThem) {
  for (const char* concurrency : server_concurrencies) {
    const Place place;
    Member member(place.url(), {"-ORBServerConcurrency", concurrency});
    const auto sender = send_to(place.url());
    for (const int number : {1, 2, 3}) sender->tell(number);
    EXPECT_EQ(member.listener->wait_for(3), one_two_three) << concurrency;
  }
}

TEST_F(Multicast, AnotherProcessGetsThem) {
  const Place place;
  const std::string command = std::string(TAKT_GROUP_MEMBER) + " " + place.url() + " 3";
  Member here(place.url());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> other(::popen(command.c_str(), "r"), ::pclose);
  std::array<char, 100> line{};
  ASSERT_TRUE(std::fgets(line.data(), line.size(), other.get()));
  ASSERT_EQ(std::string(line.data()), "ready\n");
  const auto sender = send_to(place.url());
  for (const int number : {1, 2, 3}) sender->tell(number);
  ASSERT_TRUE(std::fgets(line.data(), line.size(), other.get()));
  EXPECT_EQ(std::string(line.data()), "1 2 3 \n");
  EXPECT_EQ(here.listener->wait_for(3), one_two_three);
}

TEST_F(Multicast, LongRequestsGoInManyPackets) {
  const Place place;
  Member one(place.url()), two(place.url());
  const auto sender = send_to(place.url());
  sender->show(7, Groups::Octets(100'000, 7));
  sender->show(8, Groups::Octets(1, 8));
  const std::vector<Heard> expected{{7, 100'000}, {8, 1}};
  EXPECT_EQ(one.listener->wait_for(2), expected);
  EXPECT_EQ(two.listener->wait_for(2), expected);
}

TEST_F(Multicast, GroupsOfOneAddressAreToldApart) {
  const Place place;
  Member one(place.url(1)), two(place.url(2));
  const auto to_one = send_to(place.url(1)), to_two = send_to(place.url(2));
  to_one->tell(1);
  to_two->tell(2);
  EXPECT_TRUE(up_to(*one.listener, 100, to_one) == (std::vector<Heard>{{1, 0}}));
  EXPECT_TRUE(up_to(*two.listener, 100, to_two) == (std::vector<Heard>{{2, 0}}));
}

TEST_F(Multicast, TwoWayOperationsAreRefused) {
  const Place place;
  Member member(place.url());
  const auto sender = send_to(place.url());
  try {
    sender->heard();
    FAIL() << "a group has answered";
  } catch (const CORBA::BAD_OPERATION& failure) {
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_NO);
    EXPECT_NE(std::string(failure.what()).find("oneway"), std::string::npos) << failure.what();
  }
  EXPECT_THROW(IDL::traits<Groups::Listener>::narrow(member.orb->string_to_object(place.url())),
               CORBA::BAD_OPERATION);
  sender->tell(1);
  EXPECT_EQ(member.listener->wait_for(1), (std::vector<Heard>{{1, 0}}));
}

TEST_F(Multicast, MembersComeAndGo) {
  const Place place;
  Member member(place.url());
  const auto first_id = member.last_id;
  const auto second = member.add();
  EXPECT_EQ(member.goa->reference_to_ids(member.group), (PortableGroup::IDs{first_id, member.last_id}));
  const auto sender = send_to(place.url());
  member.goa->associate_reference_with_id(member.group, first_id);  // already associated
  sender->tell(1);
  EXPECT_EQ(second->wait_for(1), (std::vector<Heard>{{1, 0}}));
  member.goa->disassociate_reference_with_id(member.group, first_id);
  sender->tell(2);
  EXPECT_EQ(second->wait_for(2), (std::vector<Heard>{{1, 0}, {2, 0}}));
  EXPECT_EQ(member.listener->wait_for(1), (std::vector<Heard>{{1, 0}}));
  EXPECT_THROW(member.goa->disassociate_reference_with_id(member.group, first_id), CORBA::OBJECT_NOT_EXIST);
  member.goa->disassociate_reference_with_id(member.group, member.last_id);
  EXPECT_TRUE(member.goa->reference_to_ids(member.group).empty());
  const auto id = member.goa->create_id_for_reference(member.group);
  auto third = CORBA::make_reference<ListenerServant>();
  member.goa->activate_object_with_id(id, third);
  sender->tell(3);
  EXPECT_EQ(third->wait_for(1), (std::vector<Heard>{{3, 0}}));
}

TEST_F(Multicast, OtherReferencesAreNoGroups) {
  const Place place;
  Member member(place.url());
  const auto own = member.goa->id_to_reference(member.last_id);
  EXPECT_THROW(member.goa->associate_reference_with_id(own, member.last_id), PortableGroup::NotAGroupObject);
  EXPECT_THROW(member.goa->reference_to_ids(nullptr), PortableGroup::NotAGroupObject);
  const auto unicast = member.orb->string_to_object("corbaloc:miop:1.0-Test-1/127.0.0.1:5000");
  EXPECT_THROW(member.goa->associate_reference_with_id(unicast, member.last_id), CORBA::TRANSIENT);
  EXPECT_THROW(IDL::traits<Groups::Listener>::unchecked_narrow(unicast)->tell(1), CORBA::TRANSIENT);
}

TEST_F(Multicast, ServersThatAreStoppedLeave) {
  const Place place;
  Member staying(place.url());
  const auto sender = send_to(place.url());
  {
    Member going(place.url());
    sender->tell(1);
    EXPECT_EQ(going.listener->wait_for(1), (std::vector<Heard>{{1, 0}}));
    going.orb->shutdown(true);
    sender->tell(2);
    EXPECT_EQ(staying.listener->wait_for(2), (std::vector<Heard>{{1, 0}, {2, 0}}));
    EXPECT_EQ(going.listener->heard(), 1);
    EXPECT_THROW(going.goa->associate_reference_with_id(going.group, going.last_id), CORBA::SystemException);
  }
}

// Relays to another group, with losses, duplicates and reordering.
TEST_F(Multicast, ANetworkThatLosesDoublesAndReordersGivesWhatIsWhole) {
  const Place sent, heard;
  Raw from(sent), to;
  Member member(heard.url());
  const auto sender =
      send_to(sent.url(), "lo", {"-ORBDatagramSize", "256"});  // fits into the system's buffer
  std::mt19937 random(1);
  constexpr int messages = 30;
  std::vector<Octets> packets;
  for (int i = 0; i < messages; ++i) {
    sender->show(i, Groups::Octets(1000, static_cast<std::uint8_t>(i)));
    for (int packet = 0; packet < 5; ++packet) packets.push_back(from.receive(2000));
  }
  ASSERT_EQ(std::ranges::count_if(packets, &Octets::empty), 0) << "all that was sent";
  ASSERT_TRUE(from.receive(0).empty());
  std::vector<bool> whole(messages, true);
  std::vector<std::pair<unsigned, Octets>> passed;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    if (random() % 100 < 5) {
      whole[i / 5] = false;
      continue;
    }
    const auto late = [&] { return static_cast<unsigned>(i + random() % 12); };
    passed.emplace_back(late(), packets[i]);
    if (random() % 100 < 20) passed.emplace_back(late(), packets[i]);
  }
  std::ranges::stable_sort(passed, {}, &std::pair<unsigned, Octets>::first);
  for (const auto& [when, packet] : passed) to.send(packet, heard);
  const auto expected = static_cast<std::size_t>(std::ranges::count(whole, true));
  EXPECT_LT(expected, static_cast<std::size_t>(messages)) << "some were lost";
  auto got = member.listener->wait_for(expected);
  std::ranges::sort(got, {}, &Heard::number);
  std::vector<Heard> all;
  for (int i = 0; i < messages; ++i)
    if (whole[static_cast<std::size_t>(i)]) all.push_back({i, 1000});
  EXPECT_EQ(got, all) << "each once, and nothing of those that are not whole";
}

TEST_F(Multicast, WhatAnybodySendsDoesNoHarm) {
  const Place place;
  Member member(place.url(), {"-ORBMulticastBuffer", "64KiB"});
  Raw heard(place), attacker;
  const auto sender = send_to(place.url());
  sender->show(1, Groups::Octets(3000, 1));
  const auto first = heard.receive(2000), second = heard.receive(2000), third = heard.receive(2000);
  ASSERT_FALSE(third.empty());
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    Octets bad = i % 3 == 0 ? first : i % 3 == 1 ? second : Octets(random() % 200, 0);
    for (unsigned flips = random() % 4; flips > 0 && !bad.empty(); --flips)
      bad[random() % std::min<std::size_t>(bad.size(), 80)] = static_cast<std::uint8_t>(random());
    attacker.send(bad, place);
    if (i % 50 == 0) std::this_thread::yield();
  }
  for (const Heard& one : up_to(*member.listener, 100, sender)) EXPECT_EQ(one.number, 1);
  EXPECT_EQ(up_to(*member.listener, 101, sender).front().number, 1);
}

TEST_F(Multicast, ANetworkThatIsNotThereIsNamed) {
  const auto orb = make_orb({"-ORBMulticastInterface", "nosuchdevice"}, "client");
  const auto sender = IDL::traits<Groups::Listener>::unchecked_narrow(orb->string_to_object(Place().url()));
  try {
    sender->tell(1);
    FAIL() << "it went to a network that is not there";
  } catch (const CORBA::TRANSIENT& failure) {
    EXPECT_NE(std::string(failure.what()).find("-ORBMulticastInterface"), std::string::npos)
        << failure.what();
  }
  orb->destroy();
}

}  // namespace
}  // namespace feature
