#include "conversation.h"

#include <algorithm>
#include <istream>
#include <ostream>

#include "grammar/mutations.h"
#include "reference/text/hex.h"

namespace takt::fuzz::live {

namespace {

class Maker {
 public:
  Maker(Conversation& conversation, Random& random, const Keys& keys, const Captures& captures)
      : conversation_(conversation), random_(random), keys_(keys), captures_(captures) {}

  void make() {
    if (conversation_.carrier == Carrier::tls && random_.one_in(6)) say_beneath();
    const std::uint32_t messages = random_.between(1, 12);
    for (std::uint32_t i = 0; i < messages && !promised_; ++i) {
      say_something();
      if (random_.one_in(30)) say_beneath();
    }
  }

 private:
  void say_something() {
    id_ += 2;
    const ByteView key = keys_[random_.below(keys_.size())];
    if (random_.one_in(8)) return say(other_message(random_, key, random_.one_in(2) ? id_ : id_ - 2));
    if (random_.one_in(40)) {
      Octets segment = random_.any_of(captures_.segments);
      damage(random_, segment);
      return say(segment);
    }
    const bool captured = random_.one_in(3);
    Body body =
        captured ? random_.any_of(captures_.requests) : random_body(random_, random_.any_of(operations()));
    if (random_.chance(captured ? 80 : 35)) mutate(random_, body);
    say_request(body);
  }

  void say_request(const Body& body) {
    promised_ =
        // Nothing may follow, because it would count as part of this message.
        body.promised != 0 && !random_.one_in(4);
    if (!offered_.empty() && random_.one_in(6))
      return say(short_request(random_, random_.any_of(offered_), id_, body));
    RequestHead head;
    head.minor = static_cast<std::uint8_t>(random_.one_in(3) ? !random_.one_in(4) : 2);
    head.id = id_;
    head.key = keys_[static_cast<std::size_t>(body.object)];
    head.reply_wanted = !random_.one_in(10);
    if (head.minor == 2 && random_.one_in(5)) {
      head.offered_number = static_cast<int>(random_.below(1030));
      offered_.push_back(static_cast<std::uint16_t>(head.offered_number));
    }
    const Octets message = request(random_, head, body);
    if (head.minor == 2 && random_.one_in(12)) return say(packed(random_, message));
    if (head.minor >= 1 && body.promised == 0 && random_.one_in(head.minor == 1 ? 2 : 4))
      return say_in_pieces(in_fragments(random_, message));
    say(message);
  }

  // Sometimes puts another message between the pieces.
  void say_in_pieces(const Pieces& pieces) {
    const std::size_t last = random_.one_in(15) ? random_.below(pieces.size()) : pieces.size();
    for (std::size_t i = 0; i < last; ++i) {
      say(pieces[i]);
      if (random_.one_in(20)) say(other_message(random_, keys_[0], random_.one_in(2) ? id_ : id_ - 2));
    }
  }

  void say(const Octets& octets) {
    if (octets.empty()) return;
    auto& steps = conversation_.steps;
    // Mostly in one write, so that much arrives at once.
    if (!steps.empty() && !steps.back().beneath && !random_.one_in(4))
      steps.back().octets.insert(steps.back().octets.end(), octets.begin(), octets.end());
    else
      steps.push_back({false, octets});
  }

  void say_beneath() {
    Octets octets;
    if (conversation_.carrier == Carrier::tls) {
      if (random_.one_in(2))
        octets = random_.one_in(2) ? Octets{0x17, 3, 3, 0, random_.octet()} : Octets{21, 3, 3, 0, 2};
      for (std::uint32_t more = random_.skewed(8) - 1; more > 0; --more) octets.push_back(random_.octet());
      if (octets.empty()) octets.push_back(random_.octet());
      if (random_.one_in(2)) octets.resize(std::min<std::size_t>(octets.size(), random_.between(1, 4)));
    } else if (conversation_.carrier == Carrier::udp) {
      octets = {'T', 'k', 'U', 1, static_cast<std::uint8_t>(random_.between(0, 7)), random_.octet(), 0, 0};
      for (std::uint32_t more = random_.below(60); more > 0; --more) octets.push_back(random_.octet());
    } else {
      return;
    }
    conversation_.steps.push_back({true, std::move(octets)});
  }

  Conversation& conversation_;
  Random& random_;
  const Keys& keys_;
  const Captures& captures_;
  std::vector<std::uint16_t> offered_;  // numbers for short heads
  std::uint32_t id_ = 0;
  bool promised_ = false;
};

std::string digits_of(const Octets& octets) {
  std::string text;
  for (const std::uint8_t octet : octets) reference::append_hex(text, octet);
  return text;
}

}  // namespace

std::size_t Conversation::octets() const {
  std::size_t count = 0;
  for (const Step& step : steps) count += step.octets.size();
  return count;
}

Conversation make_conversation(std::uint64_t seed, const std::vector<Carrier>& carriers, const Keys& keys,
                               const Captures& captures) {
  Random random(seed);
  Conversation conversation;
  conversation.seed = seed;
  conversation.carrier = random.any_of(carriers);
  conversation.deaf = random.one_in(30);
  Maker(conversation, random, keys, captures).make();
  return conversation;
}

void write_conversation(std::ostream& to, const Conversation& conversation) {
  to << "seed " << conversation.seed << "\ncarrier "
     << carrier_names[static_cast<std::size_t>(conversation.carrier)] << '\n';
  if (conversation.deaf) to << "deaf yes\n";
  for (const Step& step : conversation.steps)
    to << (step.beneath ? "beneath " : "stream ") << digits_of(step.octets) << '\n';
}

std::vector<Conversation> read_conversations(std::istream& from) {
  std::vector<Conversation> conversations;
  std::string word, value;
  while (from >> word >> value) {
    if (word == "seed") {
      conversations.emplace_back();
      conversations.back().seed = std::stoull(value);
    } else if (conversations.empty()) {
      continue;
    } else if (word == "carrier") {
      const auto found = std::ranges::find(carrier_names, value);
      if (found != std::end(carrier_names))
        conversations.back().carrier = static_cast<Carrier>(found - std::begin(carrier_names));
    } else if (word == "deaf") {
      conversations.back().deaf = true;
    } else if (word == "stream" || word == "beneath") {
      Octets octets;
      for (std::size_t i = 0; i + 1 < value.size(); i += 2)
        octets.push_back(static_cast<std::uint8_t>(reference::hex_octet(value[i], value[i + 1])));
      conversations.back().steps.push_back({word == "beneath", std::move(octets)});
    }
  }
  return conversations;
}

}  // namespace takt::fuzz::live
