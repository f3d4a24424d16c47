// The server's end of a connection, with a real adapter and servants for every type. Either the input is what
// a peer sends, or it has the bodies of requests with valid heads. In the latter case the connection must
// stay open, and each request that expects a reply must get one, whether whole or fragmented.
#include <takt/corba.h>

#include "adapter/poa/adapter_tree.h"
#include "adapter/poa/default_adapter.h"
#include "cdr_input.h"
#include "echo_servant.h"
#include "echoes.h"
#include "giop/connection.h"
#include "giop/lite/messages.h"
#include "giop/message/request.h"
#include "memory_stream.h"
#include "reference/object_ref.h"
#include "server/channel/server_channel.h"
#include "takt/values.h"

namespace {

using namespace takt;
using rooms::MemoryStream;
using rooms::Wire;
using server::ServerChannel;

class Servant final : public feature::EchoServant {
 public:
  void sleep_ms(std::uint32_t) override {}
  std::int32_t call_back(IDL::traits<Calls::Echo>::ref_type, std::uint8_t x) override { return x; }
};

enum class Whom : std::uint8_t { echo, types, values };

// Made once; no input may affect later ones.
struct Server {
  Server() {
    char name[] = "fuzz", option[] = "-ORBListenEndpoints", value[] = "iiop://127.0.0.1:0",
         messaging[] = "-ORBMessaging", lite[] = "giop-lite";
    char* argv[] = {name, option, value, messaging, lite, nullptr};
    int argc = 5;
    orb = CORBA::ORB_init(argc, argv, "fuzz");
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    interop::register_factories(orb);
    activate(poa, Whom::echo, CORBA::make_reference<Servant>());
    activate(poa, Whom::types, CORBA::make_reference<fuzz::live::EchoTypes>());
    activate(poa, Whom::values, CORBA::make_reference<fuzz::live::EchoValues>());
    poa->the_POAManager()->activate();
  }
  void activate(const IDL::traits<PortableServer::POA>::ref_type& poa, Whom whom,
                CORBA::servant_reference<PortableServer::Servant> servant) {
    auto object = poa->id_to_reference(poa->activate_object(servant));
    const auto& reference = object->_ref();
    keys[static_cast<std::size_t>(whom)].assign(reference->local_key().begin(), reference->local_key().end());
    server = &adapter::adapters_of(*reference->references())->server;
    objects.push_back(object);
  }
  IDL::traits<CORBA::ORB>::ref_type orb;
  std::vector<IDL::traits<CORBA::Object>::ref_type> objects;
  fuzz::Octets keys[3];
  server::Server* server = nullptr;
};

struct Operation {
  std::string_view name;
  Whom whom = Whom::echo;
};
constexpr Operation operations[] = {{"name"},
                                    {"cube"},
                                    {"nothing"},
                                    {"note"},
                                    {"noted"},
                                    {"echo_points"},
                                    {"echo_octets"},
                                    {"join"},
                                    {"refuse"},
                                    {"next_colour"},
                                    {"itself"},
                                    {"call_back"},
                                    {"_get_level"},
                                    {"_set_level"},
                                    {"_is_a"},
                                    {"_non_existent"},
                                    {"_interface"},
                                    {"_repository_id"},
                                    {"_component"},
                                    {"fail_with_system_exception"},
                                    {"no_such"},
                                    {""},
                                    {"echo", Whom::types},
                                    {"take", Whom::types},
                                    {"type_of", Whom::types},
                                    {"swap_tree", Whom::types},
                                    {"swap_table", Whom::types},
                                    {"swap_variable", Whom::types},
                                    {"swap_records", Whom::types},
                                    {"swap_choice", Whom::types},
                                    {"swap_shade", Whom::types},
                                    {"swap_wstring", Whom::types},
                                    {"swap_money", Whom::types},
                                    {"swap_names", Whom::types},
                                    {"pass_any", Whom::values},
                                    {"pass_graph", Whom::values},
                                    {"pass_shared", Whom::values},
                                    {"pass_derived", Whom::values},
                                    {"pass_large", Whom::values},
                                    {"pass_packed", Whom::values},
                                    {"pass_text", Whom::values},
                                    {"pass_numbers", Whom::values}};

// Splits the message into fragments of at least `piece` octets, at places that the version allows.
fuzz::Octets in_fragments(const fuzz::Octets& message, std::uint8_t minor, std::size_t piece) {
  constexpr std::size_t header = giop::header_size;
  const std::size_t head = header + (minor == 1 ? 0 : 4);  // includes the id in a fragment of GIOP 1.2
  fuzz::Octets all;
  std::size_t at = std::min<std::size_t>(message.size(), 24 + piece / 8 * 8 + (minor == 1 ? 4 : 0));
  const auto append = [&](std::size_t begin, std::size_t end, bool first) {
    const std::size_t start = all.size();
    all.insert(all.end(), message.begin(), message.begin() + static_cast<std::ptrdiff_t>(first ? 0 : head));
    all.insert(all.end(), message.begin() + static_cast<std::ptrdiff_t>(begin),
               message.begin() + static_cast<std::ptrdiff_t>(end));
    if (!first) all[start + 7] = static_cast<std::uint8_t>(giop::MessageType::fragment);
    if (end < message.size()) all[start + 6] |= 2;
    const auto size = static_cast<std::uint32_t>(all.size() - start - header);
    std::memcpy(&all[start + 8], &size, 4);
  };
  append(0, at, true);
  while (at < message.size()) {
    const std::size_t end = std::min(message.size(), at + 8 + piece / 8 * 8);
    append(at, end, false);
    at = end;
  }
  return all;
}

// With `lite`, each operation of GIOP 1.2 is first offered its index in the list as a number, and is called
// by that number afterwards. If `piece` is not 0, the request is sent in fragments of about `piece` octets.
void append_request(Wire& wire, const Server& server, std::uint32_t id, std::uint8_t operation,
                    std::uint8_t minor, bool expected, ByteView body, std::uint64_t* lite,
                    std::size_t piece) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer);
  out.set_borrowing(false);
  const auto number = static_cast<std::uint16_t>(operation % std::size(operations));
  const std::uint8_t flags = expected ? giop::response_from_target : giop::no_response;
  const Operation& called = operations[number];
  const fuzz::Octets& key = server.keys[static_cast<std::size_t>(called.whom)];
  const bool is_short = lite && (*lite >> number & 1) != 0;
  if (is_short) {
    giop::lite::write_request(out, number,
                              {.request_id = id, .response_flags = flags, .has_body = !body.empty()});
  } else {
    const auto offer = giop::write_number_data(number);
    const giop::ServiceContext context{giop::lite::offer_context, offer};
    const bool offers = lite && minor == 2;
    giop::write_request(out, giop::PreparedTarget::for_key({1, minor}, key),
                        {.request_id = id,
                         .response_flags = flags,
                         .operation = called.name,
                         .contexts = std::span(&context, offers ? 1 : 0),
                         .has_body = !body.empty()});
    if (offers) *lite |= std::uint64_t{1} << number;
  }
  out.put_octets(body);
  giop::finish_message(buffer);
  fuzz::Octets message = fuzz::all(buffer);
  if (piece != 0 && minor != 0 && !is_short) message = in_fragments(message, minor, piece);
  wire.incoming.insert(wire.incoming.end(), message.begin(), message.end());
}

// Checks that the server's output is GIOP; returns the number of replies.
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

// The ORB exists until the process ends.
extern "C" const char* __lsan_default_options() { return "detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Server& server = *new Server;
  if (size < 2) return 0;
  Wire wire;
  wire.read_limit = 1u + 16u * data[1];
  const bool sound = (data[0] & 1) != 0;
  std::size_t expected = 0;
  std::uint64_t numbered = 0;
  std::uint64_t* const lite = (data[0] & 2) != 0 ? &numbered : nullptr;
  if (sound) {
    std::uint32_t id = 0;
    for (std::size_t at = 2; at + 3 <= size && id < 64; ++id) {
      const std::uint8_t choices = data[at + 1];
      const std::size_t piece = (choices & 8) != 0 ? std::size_t{1} + data[1] : 0;
      const std::size_t said = data[at + 2] | std::size_t{choices & 0xf0U} << 4;
      const std::size_t length = std::min<std::size_t>(said, size - at - 3);
      const bool wants_reply = (choices & 4) == 0;
      append_request(wire, server, id, data[at], static_cast<std::uint8_t>((choices & 3) % 3), wants_reply,
                     {data + at + 3, length}, lite, piece);
      expected += wants_reply ? 1 : 0;
      at += 3 + length;
    }
  } else {
    wire.incoming.assign(data + 2, data + size);
  }
  ServerChannel channel(std::make_unique<MemoryStream>(wire), ServerChannel::Waiting::reactive,
                        *server.server, server.server->protocol.messaging);
  auto progress = ServerChannel::Progress::wants_read;
  while (!wire.incoming.empty() && progress == ServerChannel::Progress::wants_read)
    progress = channel.serve();
  const std::size_t replies = replies_in(wire);
  if (!sound) return 0;
  fuzz::require(progress == ServerChannel::Progress::wants_read);
  fuzz::require(replies == expected);
  return 0;
}
