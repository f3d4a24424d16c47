#include "replies.h"

#include <algorithm>

#include "grammar/mutations.h"
#include "grammar/types.h"

namespace takt::fuzz::live {

namespace {

enum Status : std::uint32_t { no_exception, user_exception, system_exception, forward };

Body result_of(Random& random, std::string_view name, const Captures& captures) {
  const auto captured = captures.replies.find(name);
  if (captured != captures.replies.end() && random.one_in(4)) return random.any_of(captured->second);
  const auto found = std::ranges::find(operations(), name, &Operation::name);
  if (found != operations().end()) return random_body(random, *found);
  return random_body(random, {name, Object::types, name == "give" ? Content::any : Content::nothing});
}

Body exception(Random& random, std::uint32_t status) {
  Body body;
  Writer to(body.order);
  if (status == forward) {
    write_reference(to, random);
  } else {
    to.text(random.one_in(2) ? "IDL:omg.org/CORBA/MARSHAL:1.0" : "IDL:Interop/Mismatch:1.0");
    if (status == system_exception) {
      to.u32(1);
      to.telling(random.below(4));
    } else {
      write_random_text(to, random, 300);
    }
  }
  body.octets = to.all();
  body.telling_at = to.telling_at();
  return body;
}

void say_beneath(Random& random, Conversation& answer) {
  Octets octets;
  for (std::uint32_t more = random.between(1, 8); more > 0; --more) octets.push_back(random.octet());
  if (random.one_in(2)) octets[0] = 0x17;
  answer.steps.push_back({true, std::move(octets)});
}

void say(Conversation& answer, Octets octets) { answer.steps.push_back({false, std::move(octets)}); }

}  // namespace

Conversation make_answer(std::uint64_t seed, Carrier carrier, const Captures& captures) {
  Random random(seed);
  Conversation answer;
  answer.seed = seed;
  answer.carrier = carrier;
  if (carrier == Carrier::tls && random.one_in(12)) say_beneath(random, answer);
  if (random.one_in(15)) say(answer, other_message(random, {}, 0));
  const std::uint32_t status = random.one_in(8) ? random.between(1, 5) : no_exception;
  Body body =
      status == no_exception ? result_of(random, operation_of(seed), captures) : exception(random, status);
  if (random.chance(45)) mutate(random, body);
  const std::uint8_t minor = minor_of(seed);
  if (minor == 2 && random.one_in(12)) {
    Octets octets = short_request(random, 0, 0, body);
    octets[2] = static_cast<std::uint8_t>(status);
    octets[7] = 1;
    say(answer, std::move(octets));
    return answer;
  }
  const Octets message = reply(random, minor, 0, status, body);
  if (minor == 2 && random.one_in(10)) {
    say(answer, packed(random, message));
  } else if (body.promised == 0 && random.one_in(minor == 1 ? 2 : 4)) {
    for (Octets& piece : in_fragments(random, message)) say(answer, std::move(piece));
  } else {
    say(answer, message);
  }
  return answer;
}

Octets with_id(Octets message, std::uint32_t id) {
  if (message.size() < 20) return message;
  std::size_t at = 12;
  const bool is_short = message[0] == 'L';
  if (!is_short && (message[0] != 'G' || message[5] == 0 || (message[7] != 1 && message[7] != 7)))
    return message;
  const bool little = (message[6] & 1) != 0;
  if (!is_short && message[5] == 1) {
    if (message[7] == 7) return message;  // only the first fragment has the id
    // The id follows the contexts: skip them.
    const auto number = [&](std::size_t where) {
      std::uint32_t value = 0;
      for (std::size_t i = 0; i < 4 && where + i < message.size(); ++i)
        value |= std::uint32_t{message[where + i]} << 8 * (little ? i : 3 - i);
      return value;
    };
    const std::uint32_t contexts = std::min(number(at), 100U);
    at += 4;
    for (std::uint32_t i = 0; i < contexts && at < message.size(); ++i) {
      at = (at + 3) / 4 * 4;
      at += 8 + std::min<std::size_t>(number(at + 4), message.size());
    }
    at = (at + 3) / 4 * 4;
  }
  if (at + 4 > message.size()) return message;
  for (std::size_t i = 0; i < 4; ++i)
    message[at + i] = static_cast<std::uint8_t>(id >> 8 * (little ? i : 3 - i));
  return message;
}

Octets honest_answer(std::uint8_t minor, std::uint32_t id, std::string_view operation) {
  Writer to(cdr::ByteOrder::little);
  for (const char letter : {'G', 'I', 'O', 'P'}) to.u8(static_cast<std::uint8_t>(letter));
  for (const std::uint8_t octet : {std::uint8_t{1}, minor, std::uint8_t{1}, std::uint8_t{1}}) to.u8(octet);
  to.u32(0);
  if (minor < 2) to.u32(0);  // contexts
  to.u32(id);
  to.u32(operation == "ping" || operation == "_non_existent" ? no_exception : system_exception);
  if (minor >= 2) to.u32(0);
  if (operation == "_non_existent") {
    to.u8(0);
  } else if (operation != "ping") {
    to.text("IDL:omg.org/CORBA/NO_IMPLEMENT:1.0");
    to.u32(0);
    to.u32(1);
  }
  to.patch(8, static_cast<std::uint32_t>(to.size() - 12));
  return to.all();
}

}  // namespace takt::fuzz::live
