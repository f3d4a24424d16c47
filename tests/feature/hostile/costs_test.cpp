// Values, Anys and long sequences that only a hostile peer sends, to servers and to clients.
#include <cstring>
#include <fstream>
#include <thread>

#include "hostile_fixture.h"
#include "hostile_server.h"
#include "valuesS.h"

namespace feature {
namespace {

using takt::cdr::Encoder;

// Little-endian words.
class Body {
 public:
  Body& put(std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8) octets_.push_back(static_cast<std::uint8_t>(word >> shift));
    return *this;
  }
  Body& put_indirection(std::size_t target) {
    put(0xffffffff);
    return put(static_cast<std::uint32_t>(target - position()));
  }
  Body& put_type(const CORBA::typecode_reference& type) {
    takt::GatherBuffer buffer;
    takt::cdr::Format format;
    format.order = takt::cdr::ByteOrder::little;
    Encoder encoder(buffer, format);
    takt::cdr::write_typecode(encoder, type);
    octets_.insert(octets_.end(), buffer.owned(), buffer.owned() + buffer.owned_size());
    while (octets_.size() % 4 != 0) octets_.push_back(0);
    return *this;
  }
  Body& put_octets(std::size_t count) {
    octets_.resize(octets_.size() + count);
    return *this;
  }
  std::size_t position() const { return octets_.size(); }
  const Octets& octets() const { return octets_; }

 private:
  Octets octets_;
};

constexpr std::uint32_t value_without_id = 0x7fffff00;

CORBA::typecode_reference sequence_of(CORBA::typecode_reference type) {
  return takt::cdr::make_typecode({.kind = CORBA::TCKind::tk_sequence, .content = std::move(type)});
}

// valuetype Link { public any held; public Link next; }
CORBA::typecode_reference link_type() {
  takt::cdr::TypeCodeParts parts;
  parts.kind = CORBA::TCKind::tk_value;
  parts.id = "IDL:Link:1.0";
  parts.members.push_back({.name = "held", .type = takt::cdr::basic_typecode(CORBA::TCKind::tk_any)});
  parts.members.push_back({.name = "next", .type = takt::cdr::make_recursion("IDL:Link:1.0")});
  return takt::cdr::make_typecode(std::move(parts));
}
class Link : public virtual CORBA::ValueBase {
 public:
  static constexpr std::string_view _value_ids[] = {"IDL:Link:1.0"};
  static constexpr takt::cdr::ValueDescription _value_description{_value_ids};

  const takt::cdr::ValueDescription& _value_type() const override { return _value_description; }
  void _write_state(Encoder& to) const override { takt::cdr::write_members(to, held_, next_); }
  bool _read_state(takt::cdr::Decoder& from) override { return takt::cdr::read_members(from, held_, next_); }

 private:
  CORBA::Any held_;
  CORBA::valuetype_reference<Link> next_;
};
class LinkFactory final : public CORBA::ValueFactoryBase {
 public:
  CORBA::valuetype_reference<CORBA::ValueBase> create_for_unmarshal() override {
    return CORBA::make_reference<Link>();
  }
};

CORBA::typecode_reference nothing_type() {
  return takt::cdr::make_typecode({.kind = CORBA::TCKind::tk_struct, .id = "IDL:Nothing:1.0"});
}

// A sequence of Values::Node in which each value's next is the previous one.
Octets chain_of_nodes(std::uint32_t count) {
  Body body;
  body.put(count);
  std::size_t before = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t here = body.position();
    body.put(value_without_id).put(i).put(0);
    before == 0 ? body.put(0) : body.put_indirection(before);
    body.put(0);
    before = here;
  }
  return body.octets();
}
// The same with Links, in an Any.
Octets any_with_chain(std::uint32_t count) {
  Body body;
  body.put_type(sequence_of(link_type())).put(count);
  std::size_t before = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t here = body.position();
    body.put(value_without_id).put(0);
    before == 0 ? body.put(0) : body.put_indirection(before);
    before = here;
  }
  return body.octets();
}
// A Link whose Any holds the Link itself.
Octets any_with_circle() {
  Body body;
  body.put_type(link_type());
  const std::size_t here = body.position();
  body.put(value_without_id).put_type(link_type()).put_indirection(here).put(0);
  return body.octets();
}
// Values, each with the largest allowed sequence of elements without octets.
Octets any_with_much_work(std::uint32_t octets) {
  takt::cdr::TypeCodeParts wide, value;
  wide.kind = CORBA::TCKind::tk_struct;
  for (int i = 0; i < 50; ++i) wide.members.push_back({.name = "m", .type = nothing_type()});
  value.kind = CORBA::TCKind::tk_value;
  value.id = "IDL:Work:1.0";
  value.members.push_back({.name = "m", .type = sequence_of(takt::cdr::make_typecode(std::move(wide)))});
  Body body;
  body.put_type(sequence_of(takt::cdr::make_typecode(std::move(value)))).put(octets / 8);
  for (std::uint32_t left = octets / 8; left > 0; --left) body.put(value_without_id).put(8 * (left - 1));
  return body.octets();
}
// Anys nested to `depth`.
Octets nested_any(std::uint32_t depth) {
  Body body;
  for (std::uint32_t i = 1; i < depth; ++i) body.put(11);
  return body.put(0).octets();
}

class Carrier final : public virtual CORBA::servant_traits<Values::Carrier>::base_type {
 public:
  Values::Node::_ref_type carry(Values::Node::_ref_type, Values::Base::_ref_type&,
                                Values::Text::_ref_type&) override {
    return nullptr;
  }
  Values::Person::_ref_type owner() override { return nullptr; }
  void owner(Values::Person::_ref_type) override {}
  Values::Base::_ref_type keep(Values::Base::_ref_type value) override { return value; }
  Values::Packed::_ref_type repack(Values::Packed::_ref_type value) override { return value; }
  Values::Nodes rotate(const Values::Nodes& values) override {
    nodes += values.size();
    return {};
  }
  IDL::traits<CORBA::ValueBase>::ref_type pass(IDL::traits<CORBA::ValueBase>::ref_type value) override {
    return value;
  }
  CORBA::Any pass_any(const CORBA::Any& value) override {
    values += value._content().values.size();
    if (!value._content().values.empty()) seen = value._content().values.front();
    return {};
  }
  void fail(std::uint8_t) override {}

  std::size_t nodes = 0, values = 0;
  std::weak_ptr<CORBA::ValueBase> seen;
};

class HostileCosts : public Hostile {
 protected:
  void start_carrier(std::vector<std::string> options = {}) {
    start(std::move(options));
    carrier = CORBA::make_reference<Carrier>();
    const auto poa =
        IDL::traits<PortableServer::POA>::narrow(orbs->server->resolve_initial_references("RootPOA"));
    const auto reference = poa->id_to_reference(poa->activate_object(carrier));
    carrier_place = std::make_unique<Place>(orbs->server->object_to_string(reference));
  }
  Octets answer(std::string_view operation, const Octets& body) {
    RawPeer peer(carrier_place->port);
    EXPECT_TRUE(peer.send(request(1, carrier_place->key, operation, {}, true).raw(body).finish()));
    return peer.receive_message();
  }
  void expect_result(std::string_view operation, const Octets& body) {
    const Octets reply = answer(operation, body);
    ASSERT_EQ(type_of(reply), reply_type);
    EXPECT_EQ(exception_of(reply), "");
  }

  CORBA::servant_reference<Carrier> carrier;
  std::unique_ptr<Place> carrier_place;
};

INSTANTIATE_TEST_SUITE_P(Servers, HostileCosts, testing::ValuesIn(server_concurrencies), name_of);

TEST_P(HostileCosts, LongChainsAreTakenApart) {
  start_carrier();
  expect_result("rotate", chain_of_nodes(100'000));
  EXPECT_EQ(carrier->nodes, 100'000u);
  expect_result("pass_any", any_with_chain(100'000));
  EXPECT_EQ(carrier->values, 100'000u);
  expect_others_served();
}

TEST_P(HostileCosts, MoreValuesThanTheLimitAreRefused) {
  start_carrier({"-ORBMaxMessageSize", "64MiB"});
  EXPECT_EQ(exception_of(answer("rotate", chain_of_nodes(300'000))), "IDL:omg.org/CORBA/MARSHAL:1.0");
  expect_others_served();
}

TEST_P(HostileCosts, CircleThroughItsOwnAnyEndsWithTheRequest) {
  start_carrier();
  orbs->server->register_value_factory("IDL:Link:1.0", std::make_shared<LinkFactory>());
  expect_result("pass_any", any_with_circle());
  EXPECT_EQ(carrier->values, 1u);
  const auto until = std::chrono::steady_clock::now() + 10s;  // the reply may come before its request ends
  while (!carrier->seen.expired() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(carrier->seen.expired());
}

TEST_P(HostileCosts, WorkThatOctetsDoNotPayForIsRefused) {
  start_carrier();
  EXPECT_EQ(exception_of(answer("pass_any", any_with_much_work(64 << 10))), "IDL:omg.org/CORBA/MARSHAL:1.0");
  expect_others_served();
}

TEST_P(HostileCosts, NestedAnysFitTheStack) {
  start_carrier();
  expect_result("pass_any", nested_any(490));
  EXPECT_EQ(exception_of(answer("pass_any", nested_any(2000))), "IDL:omg.org/CORBA/MARSHAL:1.0");
  expect_others_served();
}

std::size_t peak_kib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word)
    if (word == "VmHWM:") {
      std::size_t kib = 0;
      status >> kib;
      return kib;
    }
  return 0;
}

TEST_P(HostileCosts, AnnouncedElementsTakeNoMemory) {
  start_carrier({"-ORBMaxMessageSize", "64MiB", "-ORBMessageTimeout", "300ms"});
  expect_others_served();
  const std::size_t before = peak_kib();
  RawPeer peer(place->port);
  const std::size_t announced = 60 << 20;
  MessageOctets message = request(1, place->key, "echo_points", {}, true);
  ASSERT_TRUE(peer.send(message.u32(announced / 16).u32(1).u32(2).finish(announced)));
  EXPECT_TRUE(peer.closes_within(10s));
  EXPECT_LT(peak_kib() - before, 32u << 10);
  expect_others_served();
}

class CostlyReplies : public testing::TestWithParam<const char*> {
 protected:
  // Calls the operation on a peer that answers with the body.
  template <class Call>
  void with_reply(const Octets& body, Call call) {
    HostileServer server([&](int fd, int) {
      Octets request;
      while (request.size() < 16) {
        const Octets more = receive_some(fd);
        if (more.empty()) return;
        request.insert(request.end(), more.begin(), more.end());
      }
      std::uint32_t id;
      std::memcpy(&id, &request[12], 4);
      const Octets reply = MessageOctets(reply_type).u32(id).u32(0).u32(0).align(8).raw(body).finish();
      std::size_t sent = 0;
      while (sent < reply.size()) {
        const ssize_t count = ::send(fd, reply.data() + sent, reply.size() - sent, MSG_NOSIGNAL);
        if (count <= 0) return;
        sent += static_cast<std::size_t>(count);
      }
      (void)receive_some(fd);
    });
    const auto client =
        make_orb({"-ORBClientConnections", GetParam(), "-ORBMaxMessageSize", "64MiB"}, "client");
    {
      const auto carrier =
          takt::reference::make_stub<Values::Carrier>(client->string_to_object(server.url())->_ref());
      call(*carrier);
    }
    client->destroy();
  }
};

INSTANTIATE_TEST_SUITE_P(Clients, CostlyReplies,
                         testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"),
                         name_of);

TEST_P(CostlyReplies, LongChainsAreTakenApart) {
  with_reply(chain_of_nodes(100'000), [](Values::Carrier& carrier) {
    const Values::Nodes nodes = carrier.rotate({});
    EXPECT_EQ(nodes.size(), 100'000u);
  });
  with_reply(any_with_chain(100'000), [](Values::Carrier& carrier) {
    const CORBA::Any any = carrier.pass_any({});
    EXPECT_EQ(any._content().values.size(), 100'000u);
  });
}

TEST_P(CostlyReplies, WorkThatOctetsDoNotPayForIsRefused) {
  with_reply(any_with_much_work(64 << 10),
             [](Values::Carrier& carrier) { EXPECT_THROW(carrier.pass_any({}), CORBA::MARSHAL); });
}

}  // namespace
}  // namespace feature
