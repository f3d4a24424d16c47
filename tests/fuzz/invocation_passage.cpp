// Bodies that a bridge parses: an invalid body passes unchanged. A valid body comes back unchanged from the
// other side, and references lead through the bridge only if they led to a permitted address.
#include <takt/cdr/mapping/type_code.h>
#include <takt/cdr/value.h>

#include "../unit/rooms/rooms.h"
#include "bridge/inner_targets.h"
#include "bridge/relayed_body.h"
#include "cdr_input.h"
#include "transport/tcp/tcp_transport.h"
#include "transport/uds/uds_transport.h"

namespace {

using namespace takt;
using namespace takt::bridge;
using CORBA::TCKind;
using CORBA::typecode_reference;

typecode_reference made(TCKind kind, const char* id, std::vector<typecode_reference> members,
                        CORBA::ValueModifier modifier = CORBA::VM_NONE, typecode_reference base = nullptr) {
  cdr::TypeCodeParts parts;
  parts.kind = kind;
  parts.id = id;
  parts.name = "T";
  parts.modifier = modifier;
  parts.content = std::move(base);
  for (auto& member : members) parts.members.push_back({.name = "m", .type = std::move(member)});
  return cdr::make_typecode(std::move(parts));
}

typecode_reference made_union(const typecode_reference& first, const typecode_reference& second) {
  cdr::TypeCodeParts parts;
  parts.kind = TCKind::tk_union;
  parts.id = "IDL:U:1.0";
  parts.name = "U";
  parts.discriminator = cdr::basic_typecode(TCKind::tk_long);
  parts.default_index = 1;
  parts.members = {{.name = "a", .type = first, .label = 1}, {.name = "b", .type = second}};
  return cdr::make_typecode(std::move(parts));
}

// Operations whose names an input's first octet selects.
std::vector<OperationTypes> operations() {
  const auto any = cdr::basic_typecode(TCKind::tk_any), text = cdr::basic_typecode(TCKind::tk_string);
  const auto wide = cdr::basic_typecode(TCKind::tk_wstring), octet = cdr::basic_typecode(TCKind::tk_octet);
  const auto object = cdr::make_named(TCKind::tk_objref, "IDL:T:1.0", "T");
  const auto abstract = cdr::make_named(TCKind::tk_abstract_interface, "IDL:A:1.0", "A");
  const auto named = made(TCKind::tk_struct, "IDL:S:1.0",
                          {octet, text, object, cdr::basic_typecode(TCKind::tk_longdouble), wide});
  const auto node =
      made(TCKind::tk_value, "IDL:N:1.0", {object, cdr::make_recursion("IDL:N:1.0")}, CORBA::VM_TRUNCATABLE);
  const auto derived = made(TCKind::tk_value, "IDL:D:1.0", {any}, CORBA::VM_TRUNCATABLE, node);
  const auto raised = made(TCKind::tk_except, "IDL:E:1.0", {text, object});
  const auto operation = [&](const char* name, std::vector<typecode_reference> types) {
    return OperationTypes{"IDL:I:1.0", name, types, types, {raised}};
  };
  return {operation("0", {any}), operation("1", {cdr::sequence_typecode(named)}),
          operation("2", {octet, made_union(object, text), cdr::sequence_typecode(object, 4), abstract}),
          operation("3", {node, derived, CORBA::ValueBase::_type_code()})};
}

struct Bridge {
  Bridge() : rooms(rooms::Rooms::make()), targets(rooms->references) {
    rooms->references.transports.add(std::make_unique<transport::TcpTransport>());
    rooms->references.transports.add(std::make_unique<transport::UdsTransport>());
    rooms->references.own_endpoints.publish({{"iiop", "192.0.2.1", 2809}});
    Rewriting rewriting;
    rewriting.operations = operations();
    rewriting.inside->add({"iiop", "10.0.0.*", 0});
    rewriting.outside->add({"iiop", "10.1.0.*", 0});
    rewriting.secret = {1, 2, 3};
    rewriter.emplace(rooms->references, targets, std::move(rewriting));
    targets.open_with(&*rewriter);
  }

  const std::shared_ptr<rooms::Rooms> rooms;
  InnerTargets targets;
  std::optional<ReferenceRewriter> rewriter;
};

struct Passed {
  fuzz::Octets octets;
  bool read = false;
};

Passed pass(Bridge& bridge, const char* operation, Side to, ByteView octets, std::size_t index,
            const cdr::Format& format, bool raised) {
  const auto before = bridge.rewriter->counts().unread.load();
  cdr::Decoder body(octets, index, format);
  // Arguments go to the target's side, results away from it.
  RelayedBody passage(&*bridge.rewriter, raised ? other(to) : to, "IDL:I:1.0", operation);
  const RelayedBody::Body out =
      raised ? passage.results(body, giop::ReplyStatus::user_exception) : passage.arguments(body);
  const bool read = bridge.rewriter->counts().unread == before;
  if (!read || octets.empty()) fuzz::require(std::ranges::equal(out.octets, octets) && out.index == index);
  return {{out.octets.begin(), out.octets.end()}, read && !octets.empty()};
}

}  // namespace

// A cycle of values keeps itself alive; inside an Any, no code breaks it.
extern "C" const char* __lsan_default_options() { return "detect_leaks=0"; }

// First octet, bits 4 and 5: the operation; bit 6: an exception; bit 7: where the body begins.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static Bridge bridge;
  const cdr::Format format = fuzz::format_of(data[0]);
  const char name[] = {static_cast<char>('0' + (data[0] >> 4 & 3)), 0};
  const bool raised = (data[0] & 64) != 0;
  const auto passed = [&](Side to, ByteView octets, std::size_t index) {
    return pass(bridge, name, to, octets, index, format, raised);
  };
  const Passed out = passed(Side::outside, {data + 1, size - 1}, (data[0] & 128) != 0 ? 4 : 0);
  if (!out.read) return 0;
  const Passed in = passed(Side::inside, out.octets, 0);
  fuzz::require(in.read);
  const Passed again = passed(Side::outside, in.octets, 0);
  fuzz::require(again.read && again.octets == out.octets);
  return 0;
}
