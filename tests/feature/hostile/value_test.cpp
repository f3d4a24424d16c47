// Chunked values that are fragmented, or arrive while they are decoded: the result is an error or the sent
// values.
#include "carrier_servant.h"
#include "hostile_fixture.h"
#include "hostile_server.h"
#include "value_octets.h"

namespace feature {
namespace {

class HostileValues : public Hostile {
 protected:
  void start_carrier() {
    start();
    const auto poa =
        IDL::traits<PortableServer::POA>::narrow(orbs->server->resolve_initial_references("RootPOA"));
    const auto reference =
        poa->id_to_reference(poa->activate_object(CORBA::make_reference<CarrierServant>()));
    place = std::make_unique<Place>(orbs->server->object_to_string(reference));
  }
  // The head of a Request of GIOP 1.1.
  MessageOctets request_1_1(std::uint32_t id) const {
    MessageOctets message(0);
    return message.u32(0).u32(id).raw({1, 0, 0, 0}).sequence(place->key).text("pass_any").u32(0);
  }
};

// The status in a GIOP 1.1 Reply without contexts.
std::uint8_t status_of(const Octets& reply) { return reply.size() < 24 ? 0xff : reply[20]; }
std::string exception_of_1_1(const Octets& reply) {
  if (status_of(reply) != 2 || reply.size() < 28) return {};
  std::uint32_t length;
  std::memcpy(&length, &reply[24], 4);
  return {reply.begin() + 28, reply.begin() + 28 + length - 1};
}

TEST_P(HostileValues, InFragmentsOfOldVersions) {
  start_carrier();
  RawPeer peer(*place);
  const std::size_t head = request_1_1(0).finish().size();
  std::uint32_t id = 0;
  for (const bool straddles : {false, true}) {
    const Octets body = any_with_value(straddles);
    const Octets whole = request_1_1(++id).raw(body).raw(Octets(straddles ? 400 : 0)).finish();
    ASSERT_TRUE(peer.send(in_fragments(whole, whole.size(), 1)));
    const Octets expected = peer.receive_message();
    EXPECT_EQ(status_of(expected), straddles ? 2 : 0);
    EXPECT_EQ(exception_of_1_1(expected), straddles ? "IDL:omg.org/CORBA/MARSHAL:1.0" : "");
    for (std::size_t cut = head; cut < head + body.size(); cut += 4)
      for (const std::size_t step : {8u, 64u, 10'000u}) {
        const Octets request = request_1_1(++id).raw(body).raw(Octets(straddles ? 400 : 0)).finish();
        ASSERT_TRUE(peer.send(in_fragments(request, cut, step)));
        Octets reply = peer.receive_message();
        ASSERT_GE(reply.size(), 24u) << cut << ' ' << step;
        std::copy_n(expected.begin() + 16, 4, reply.begin() + 16);  // the request id
        ASSERT_EQ(reply, expected) << cut << ' ' << step;
      }
  }
  expect_others_served();
}

TEST_P(HostileValues, InBodiesThatAreDecodedWhileTheyArrive) {
  start_carrier();
  RawPeer peer(*place);
  for (const bool straddles : {true, false}) {
    const MessageOctets long_one =
        request(1, place->key, "pass_any", {}, true).raw(any_with_value(straddles)).raw(Octets(100'000));
    ASSERT_TRUE(peer.send(long_one.finish()));
    const Octets reply = peer.receive_message();  // no more octets are sent before it
    ASSERT_EQ(type_of(reply), reply_type) << straddles;
    EXPECT_EQ(exception_of(reply), straddles ? "IDL:omg.org/CORBA/MARSHAL:1.0" : "");
  }
  expect_others_served();
}

INSTANTIATE_TEST_SUITE_P(Servers, HostileValues, testing::ValuesIn(server_concurrencies), name_of);

class ValuesInReplies : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Connections, ValuesInReplies,
                         testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"),
                         name_of);

// The id of a GIOP 1.1 request in host byte order.
std::uint32_t id_of(const Octets& request) {
  const auto u32 = [&](std::size_t at) {
    std::uint32_t value;
    std::memcpy(&value, &request.at(at + 3) - 3, 4);
    return value;
  };
  std::size_t at = 16;
  for (std::uint32_t contexts = u32(12); contexts > 0; --contexts) at += 8 + (u32(at + 4) + 3) / 4 * 4;
  return u32(at);
}

// A server whose replies are split into fragments at different octets each time.
TEST_P(ValuesInReplies, InFragmentsOfOldVersions) {
  for (const bool straddles : {false, true}) {
    const Octets body = any_with_value(straddles);
    HostileServer server([&](int fd, int) {
      for (std::size_t cut = 24;; cut = cut < 24 + body.size() ? cut + 4 : 24) {
        const Octets request = receive_some(fd);
        if (request.size() < 12) return;
        MessageOctets reply(1);
        reply.u32(0).u32(id_of(request)).u32(0).raw(body).raw(Octets(straddles ? 400 : 0));
        send_octets(fd, in_fragments(reply.finish(), cut, 64));
      }
    });
    std::string url = server.url();
    url.replace(url.find("1.2@"), 3, "1.1");
    auto orb = make_orb({"-ORBClientConnections", GetParam()}, "client");
    const auto carrier = takt::reference::make_stub<Values::Carrier>(orb->string_to_object(url)->_ref());
    for (std::size_t i = 0; i < body.size() / 4; ++i) {
      CORBA::Any sent;
      sent <<= std::int32_t{5};
      if (straddles) {
        EXPECT_THROW((void)carrier->pass_any(sent), CORBA::MARSHAL) << i;
      } else {
        const CORBA::Any back = carrier->pass_any(sent);
        EXPECT_EQ(back.type()->id(), std::string("IDL:Told:1.0")) << i;
      }
    }
    orb->destroy();
  }
}

}  // namespace
}  // namespace feature
