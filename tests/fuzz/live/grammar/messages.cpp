#include "grammar/messages.h"

#include <algorithm>
#include <string>

#include <zlib.h>

#include "grammar/mutations.h"

namespace takt::fuzz::live {

namespace {

constexpr std::size_t header_bytes = 12;
constexpr std::uint8_t more_fragments = 2;
enum MessageType : std::uint8_t { request_type, reply_type, cancel, locate, located, close, error, fragment };

Writer header(cdr::ByteOrder order, std::uint8_t minor, std::uint8_t type, std::uint8_t flags = 0) {
  Writer to(order);
  for (const char letter : {'G', 'I', 'O', 'P'}) to.u8(static_cast<std::uint8_t>(letter));
  to.u8(1);
  to.u8(minor);
  to.u8(static_cast<std::uint8_t>(flags | (order == cdr::ByteOrder::little ? 1 : 0)));
  to.u8(type);
  to.u32(0);
  return to;
}

Octets finished(Random& random, Writer& message, std::uint32_t promised = 0) {
  auto size = static_cast<std::uint32_t>(message.size() - header_bytes) + promised;
  if (random.one_in(150)) size = nasty_number(random, size);
  message.patch(8, size);
  Octets octets = message.all();
  if (random.one_in(300)) octets[random.below(8)] ^= static_cast<std::uint8_t>(1U << random.below(8));
  return octets;
}

void write_context(Writer& to, Random& random) {
  constexpr std::uint32_t ids[] = {0,  1,  1,  5,  5,  6,  7,          9,          10,         11,
                                   12, 14, 15, 17, 99, 18, 0x54414b03, 0x54414b06, 0x54414b07, 0x54414b0a};
  const std::uint32_t id = random.pick(ids);
  to.telling(id);
  Writer data = to.encapsulation();
  switch (id) {
    case 1:
      data.telling(random.one_in(2) ? 0x05010001 : 0x00010001);
      data.telling(random.one_in(2) ? 0x00010109 : nasty_number(random, 8));
      break;
    case 5:
      data.telling(1);
      data.text("127.0.0.1");
      data.u16(1);
      break;
    case 0x54414b0a:
      data.u16(static_cast<std::uint16_t>(random.one_in(2) ? 100 : random.next()));
      data.sequence(Octets{1});
      break;
    default:
      for (std::uint32_t words = random.below(6); words > 0; --words) data.telling(nasty_number(random, 16));
  }
  if (random.one_in(20)) return to.sequence(Octets(random.below(9), random.octet()));
  to.put_encapsulation(data);
}

// Writes contexts. A non-negative `offered_number` adds one that offers the number. A non-negative `after`
// adds one whose size aligns the octet `after` octets into the rest of the head to a multiple of 8.
void write_contexts(Writer& to, Random& random, int offered_number, int after = -1) {
  const std::uint32_t some = random.one_in(3) ? random.between(1, random.one_in(30) ? 70 : 3) : 0;
  to.telling(some + (offered_number >= 0 ? 1 : 0) + (after >= 0 ? 1 : 0));
  for (std::uint32_t i = 0; i < some; ++i) write_context(to, random);
  if (offered_number >= 0) {
    to.telling(0x54414b07);
    Writer data = to.encapsulation();
    data.u16(static_cast<std::uint16_t>(offered_number));
    to.put_encapsulation(data);
  }
  if (after < 0) return;
  to.telling(0x54414b06);
  to.align(4);
  to.sequence(Octets((to.size() + 4 + static_cast<std::size_t>(after)) % 8 == 0 ? 0 : 4, 0));
}

void write_target(Writer& to, Random& random, ByteView key) {
  if (!random.one_in(20)) {
    to.u16(0);
    return to.sequence(key);
  }
  to.u16(static_cast<std::uint16_t>(random.between(1, 3)));
  if (random.one_in(2)) {
    to.telling(random.below(2));  // a whole reference, and the index of its profile
    to.text("IDL:Interop/Types:1.0");
    to.telling(1);
  }
  to.telling(0);
  Writer profile = to.encapsulation();
  profile.u8(1);
  profile.u8(2);
  profile.text("127.0.0.1");
  profile.u16(1);
  profile.sequence(key);
  profile.telling(0);
  to.put_encapsulation(profile);
}

bool is_little(const Octets& message) { return message.size() > 6 && (message[6] & 1) != 0; }

void set_size(Octets& message) {
  const auto size = static_cast<std::uint32_t>(message.size() - header_bytes);
  for (std::size_t i = 0; i < 4; ++i)
    message[8 + i] = static_cast<std::uint8_t>(size >> 8 * (is_little(message) ? i : 3 - i));
}

// The next cut at or after `from` that the version allows: a fragment of GIOP 1.1 continues with the
// alignment at the end of its own header.
std::size_t cut_after(Random& random, std::size_t from, std::size_t end, bool old) {
  const std::size_t most = random.one_in(2) ? 64 : 3000;
  std::size_t at = from + random.skewed(static_cast<std::uint32_t>(most));
  if (!random.one_in(12)) at = old ? (at + 3) / 8 * 8 + 4 : (at + 7) / 8 * 8;
  return std::min(at, end);
}

}  // namespace

Octets request(Random& random, const RequestHead& head, const Body& body) {
  Writer to = header(body.order, head.minor, request_type);
  if (head.minor >= 2) {
    to.u32(head.id);
    to.u8(head.reply_wanted ? 3 : static_cast<std::uint8_t>(random.below(2)));
    for (int i = 0; i < 3; ++i) to.u8(0);
    write_target(to, random, head.key);
    to.text(body.operation);
    write_contexts(to, random, head.offered_number);
    if (!body.octets.empty()) to.align(8);
  } else {
    write_contexts(to, random, -1);
    to.u32(head.id);
    to.u8(head.reply_wanted ? 1 : 0);
    if (head.minor == 1)
      for (int i = 0; i < 3; ++i) to.u8(0);
    to.sequence(head.key);
    to.text(body.operation);
    to.align(4);
    to.sequence(Octets((to.size() + 4) % 8 == 0 ? 0 : 4, 0));  // the principal
  }
  to.octets(body.octets);
  return finished(random, to, body.promised);
}

Octets short_request(Random& random, std::uint16_t number, std::uint32_t id, const Body& body) {
  Writer to(body.order);
  to.u8('L');
  to.u8(1);
  to.u8(3);
  to.u8(0);
  to.u16(number);
  const bool contexts = random.one_in(10);
  to.u8(static_cast<std::uint8_t>((body.order == cdr::ByteOrder::little ? 1 : 0) | (contexts ? 2 : 0)));
  to.u8(0);
  to.u32(0);
  to.u32(id);
  if (contexts) {
    write_contexts(to, random, -1);
    to.align(8);
  }
  to.octets(body.octets);
  return finished(random, to, body.promised);
}

Octets reply(Random& random, std::uint8_t minor, std::uint32_t id, std::uint32_t status, const Body& body) {
  Writer to = header(body.order, minor, reply_type);
  if (minor >= 2) {
    to.u32(id);
    to.telling(status);
    write_contexts(to, random, -1);
    if (!body.octets.empty()) to.align(8);
  } else {
    write_contexts(to, random, -1, 8);
    to.u32(id);
    to.telling(status);
  }
  to.octets(body.octets);
  return finished(random, to, body.promised);
}

Octets other_message(Random& random, ByteView key, std::uint32_t id) {
  const auto minor = static_cast<std::uint8_t>(random.one_in(40) ? random.below(6) : random.below(3));
  constexpr std::uint8_t types[] = {cancel,  cancel, locate,   locate,   locate,
                                    located, error,  fragment, fragment, 8};
  const std::uint8_t type = random.one_in(25) ? std::uint8_t{close} : random.pick(types);
  Writer to = header(random.one_in(2) ? cdr::ByteOrder::big : cdr::ByteOrder::little, minor, type);
  switch (type) {
    case close:
    case error:
      break;
    case locate:
      to.u32(id);
      if (minor >= 2)
        write_target(to, random, key);
      else
        to.sequence(key);
      break;
    case located:
      to.u32(id);
      to.telling(random.below(7));
      break;
    default:
      to.telling(random.one_in(3) ? static_cast<std::uint32_t>(random.next()) : id);
  }
  if (type == fragment) to.octets(Octets(random.skewed(200), random.octet()));
  return finished(random, to);
}

Pieces in_fragments(Random& random, const Octets& message) {
  Pieces pieces;
  const bool old = message.size() > 5 && message[5] == 1;
  const std::size_t head = header_bytes + (old ? 0 : 4);
  if (message.size() < header_bytes + 8) return {message};
  std::size_t at = cut_after(random, std::max(header_bytes, random.one_in(5) ? 0 : message.size() / 4),
                             message.size(), old);
  pieces.emplace_back(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(at));
  while (at < message.size()) {
    const std::size_t next = cut_after(random, at, message.size(), old);
    Octets piece(message.begin(),
                 message.begin() + static_cast<std::ptrdiff_t>(head));  // the header and a request's id
    piece[7] = fragment;
    piece.insert(piece.end(), message.begin() + static_cast<std::ptrdiff_t>(at),
                 message.begin() + static_cast<std::ptrdiff_t>(next));
    pieces.push_back(std::move(piece));
    at = next;
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i + 1 < pieces.size() && !random.one_in(400)) pieces[i][6] |= more_fragments;
    set_size(pieces[i]);
  }
  return pieces;
}

Octets packed(Random& random, const Octets& message) {
  const bool compressed = !random.one_in(3);
  Octets inside = message;
  if (compressed) {
    uLongf length = compressBound(static_cast<uLong>(message.size()));
    inside.resize(length);
    compress2(inside.data(), &length, message.data(), static_cast<uLong>(message.size()), 1);
    inside.resize(length);
    if (random.one_in(10)) damage(random, inside);
  }
  Writer to(random.one_in(2) ? cdr::ByteOrder::big : cdr::ByteOrder::little);
  to.u8('Z');
  to.u8(1);
  to.u8(compressed ? 1 : 0);
  to.u8(static_cast<std::uint8_t>(random.below(2)));
  to.u16(static_cast<std::uint16_t>(random.one_in(10) ? random.next() : 100));
  to.u8(to.order() == cdr::ByteOrder::little ? 1 : 0);
  to.u8(message.size() > 7 ? message[7] : 0);
  to.u32(0);
  to.u32(
      static_cast<std::uint32_t>(random.one_in(10) ? nasty_number(random, message.size()) : message.size()));
  to.octets(inside);
  return finished(random, to);
}

}  // namespace takt::fuzz::live
