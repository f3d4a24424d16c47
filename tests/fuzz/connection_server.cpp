// A server's end of a connection, with a real adapter and servant behind it. Either the octets are what a
// peer sends, or they are the bodies of requests to the servant, whose heads are sound; then the connection
// stays open and each request that wants a reply gets one.
#include <takt/corba.h>

#include "cdr_input.h"
#include "connection/references/object_ref.h"
#include "connection/server/server_channel.h"
#include "echo_servant.h"
#include "giop/connection.h"
#include "giop/lite/messages.h"
#include "giop/message/request.h"
#include "memory_stream.h"

namespace {

using namespace takt;
using connection::ServerChannel;
using connection::testing::MemoryStream;
using connection::testing::Wire;

class Servant final : public feature::EchoServant {
 public:
  void sleep_ms(std::uint32_t) override {}
  std::int32_t call_back(IDL::traits<Calls::Echo>::ref_type, std::uint8_t x) override { return x; }
};

// Made once; an input must leave nothing behind that the next one sees.
struct Server {
  Server() {
    char name[] = "fuzz", option[] = "-ORBListenEndpoints", value[] = "iiop://127.0.0.1:0",
         messaging[] = "-ORBMessaging", lite[] = "giop-lite";
    char* argv[] = {name, option, value, messaging, lite, nullptr};
    int argc = 5;
    orb = CORBA::ORB_init(argc, argv, "fuzz");
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    const auto id = poa->activate_object(CORBA::make_reference<Servant>());
    object = poa->id_to_reference(id);
    poa->the_POAManager()->activate();
    const auto& reference = object->_ref();
    key.assign(reference->local_key().begin(), reference->local_key().end());
    core = reference->core();
  }
  IDL::traits<CORBA::ORB>::ref_type orb;
  IDL::traits<CORBA::Object>::ref_type object;
  fuzz::Octets key;
  std::shared_ptr<connection::OrbCore> core;
};

constexpr std::string_view operations[] = {"name",        "cube",
                                           "nothing",     "note",
                                           "noted",       "echo_points",
                                           "echo_octets", "join",
                                           "refuse",      "next_colour",
                                           "itself",      "call_back",
                                           "_get_level",  "_set_level",
                                           "_is_a",       "_non_existent",
                                           "_interface",  "_repository_id",
                                           "_component",  "fail_with_system_exception",
                                           "no_such",     ""};

// Each operation of GIOP 1.2 is offered its place in the list as its number, if `lite`, and is called by it
// the next time.
void append_request(Wire& wire, const fuzz::Octets& key, std::uint32_t id, std::uint8_t operation,
                    std::uint8_t minor, bool expected, ByteView body, std::uint32_t* lite) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer);
  out.set_borrowing(false);
  const auto number = static_cast<std::uint16_t>(operation % std::size(operations));
  const std::uint8_t flags = expected ? giop::response_from_target : giop::no_response;
  if (lite && (*lite >> number & 1) != 0) {
    giop::lite::write_request(out, number, id, flags, {}, !body.empty());
  } else {
    const auto offer = giop::write_number_data(number);
    const giop::ServiceContext context{giop::lite::offer_context, offer};
    const bool offers = lite && minor == 2;
    giop::write_request(out, giop::PreparedTarget::for_key({1, minor}, key), id, flags, operations[number],
                        std::span(&context, offers ? 1 : 0), !body.empty());
    if (offers) *lite |= 1u << number;
  }
  out.put_octets(body);
  giop::finish_message(buffer);
  const fuzz::Octets message = fuzz::all(buffer);
  wire.incoming.insert(wire.incoming.end(), message.begin(), message.end());
}

// What the server has said is GIOP; how many replies are in it.
std::size_t replies_in(const Wire& wire) {
  static const giop::Limits limits;
  giop::Connection client(giop::Connection::Role::client, limits, giop::Messaging::lite);
  std::size_t replies = 0;
  for (ByteView left = wire.outgoing; !left.empty();) {
    const MutableBytes space = client.read_space();
    const std::size_t count = std::min(space.size(), left.size());
    std::memcpy(space.data(), left.data(), count);
    left = left.subspan(count);
    client.bytes_read(count);
    for (auto event = client.next_event(); event.kind != giop::EventKind::none && !client.over();
         event = client.next_event()) {
      if (event.kind == giop::EventKind::reply) ++replies;
    }
    if (client.over()) break;
  }
  client.end_of_stream();
  fuzz::require(client.over() || client.next_event().kind != giop::EventKind::protocol_error);
  return replies;
}

}  // namespace

// The ORB lives as long as the process.
extern "C" const char* __lsan_default_options() { return "detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Server& server = *new Server;
  if (size < 2) return 0;
  Wire wire;
  wire.read_limit = 1u + 16u * data[1];
  const bool sound = (data[0] & 1) != 0;
  std::size_t expected = 0;
  std::uint32_t numbered = 0;
  std::uint32_t* const lite = (data[0] & 2) != 0 ? &numbered : nullptr;
  if (sound) {
    std::uint32_t id = 0;
    for (std::size_t at = 2; at + 3 <= size && id < 64; ++id) {
      const std::uint8_t choices = data[at + 1];
      const std::size_t length = std::min<std::size_t>(data[at + 2], size - at - 3);
      const bool wants_reply = (choices & 4) == 0;
      append_request(wire, server.key, id, data[at], static_cast<std::uint8_t>((choices & 3) % 3),
                     wants_reply, {data + at + 3, length}, lite);
      expected += wants_reply ? 1 : 0;
      at += 3 + length;
    }
  } else {
    wire.incoming.assign(data + 2, data + size);
  }
  ServerChannel channel(std::make_unique<MemoryStream>(wire), ServerChannel::Waiting::reactive, *server.core,
                        server.core->options.messaging);
  auto progress = ServerChannel::Progress::wants_read;
  while (!wire.incoming.empty() && progress == ServerChannel::Progress::wants_read)
    progress = channel.serve();
  const std::size_t replies = replies_in(wire);
  if (!sound) return 0;
  fuzz::require(progress == ServerChannel::Progress::wants_read);
  fuzz::require(replies == expected);
  return 0;
}
