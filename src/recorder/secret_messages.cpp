#include "recorder/secret_messages.h"

#include <algorithm>
#include <cstring>

#include "giop/compression/format.h"
#include "giop/header/limits.h"
#include "giop/header/lite_format.h"
#include "giop/heads/head_parser.h"

namespace takt::recorder {

namespace {

// Longer heads count as unknown.
constexpr std::size_t most_head = 4096;
// The octets that are recorded of messages in other forms, such as GIOPlite's and compressed ones.
constexpr std::uint64_t least_octets = giop::header_size;

struct RecordedHead {
  bool is_known = false;    // the event is whole
  bool is_cut = false;      // more octets of the head follow
  std::uint64_t known = 0;  // if not: octets that belong to the head
  giop::MessageHeader header;
  giop::Event event;  // without valid views
  bool is_secret = false;
  std::optional<std::uint32_t> id;  // the request's; may be known although the event is not

  bool may_have_secret_reply() const { return !is_known || (is_secret && event.response_expected); }
};

// `octets`: at least 12 of a GIOP message.
RecordedHead read_head(ByteView octets) {
  alignas(8) std::uint8_t aligned[most_head];
  RecordedHead head;
  (void)giop::read_header(octets.data(), head.header);
  const std::size_t present = std::min({octets.size(), most_head, head.header.message_bytes()});
  std::memcpy(aligned, octets.data(), present);
  static const giop::Limits limits;
  const giop::ParseResult result = giop::parse_head(head.header, aligned, present, limits, head.event);
  head.is_known = result == giop::ParseResult::done;
  head.is_cut = result == giop::ParseResult::truncated;
  head.known = head.is_cut ? present : giop::header_size;
  if (head.is_known) {
    head.id = head.event.request_id;
    head.is_secret =
        head.event.kind == giop::EventKind::request && secret_operations::has(head.event.operation);
  } else if (head.header.version.minor >= 2 && present >= giop::header_size + sizeof(std::uint32_t)) {
    head.id = giop::load_u32(octets.data() + giop::header_size, head.header.order != cdr::native_order);
  }
  return head;
}

bool is_giop(ByteView octets) {
  giop::MessageHeader header;
  return giop::read_header(octets.data(), header) == giop::HeaderError::none;
}

// `octets`: at least 12. The forms have their flags, type and size in the same places.
enum class Form : std::uint8_t { giop, lite, packed, none };
Form form_of(ByteView octets) {
  if (is_giop(octets)) return Form::giop;
  if (octets[0] == giop::lite::mark && octets[1] == giop::lite::format_version) return Form::lite;
  if (octets[0] == giop::compression::mark && octets[1] == giop::compression::format_version)
    return Form::packed;
  return Form::none;
}

giop::MessageType type_of(ByteView octets) { return static_cast<giop::MessageType>(octets[7]); }

// The request id of a message in another form; nothing if it is not to be seen.
std::optional<std::uint32_t> other_id(ByteView octets) {
  if (form_of(octets) != Form::lite || octets.size() < giop::lite::head_bytes) return std::nullopt;
  return giop::load_u32(octets.data() + giop::header_size, giop::is_swapped(octets.data()));
}

}  // namespace

[[gnu::cold, gnu::noinline]] std::uint64_t SecretMessages::recordable_of_some(ByteView octets,
                                                                              bool notes) noexcept {
  const auto type = type_of(octets);
  const bool is_request = type == giop::MessageType::request;
  const Form form = form_of(octets);
  if (notes && is_request) note_request(octets);
  if (form != Form::giop) {
    if (const auto id = other_id(octets); id && type == giop::MessageType::reply) (void)take(*id);
    return least_octets;
  }
  if (type == giop::MessageType::fragment) return giop::header_size;
  if (is_request) return recordable_of_request(octets);
  return type == giop::MessageType::reply ? recordable_of_reply(octets) : everything;
}

std::uint64_t SecretMessages::recordable_of_request(ByteView octets) noexcept {
  const RecordedHead head = read_head(octets);
  if (!head.is_known) return head.known;
  return head.is_secret ? head.event.body_index : everything;
}

// A reply whose head is not whole yet is known by its id.
std::uint64_t SecretMessages::recordable_of_reply(ByteView octets) noexcept {
  const RecordedHead head = read_head(octets);
  const bool is_secret = head.id && take(*head.id);
  if (head.is_cut && head.id && !is_secret) return everything;
  if (!head.is_known) return head.known;
  return is_secret ? head.event.body_index : everything;
}

namespace {

// A place among octets that are in pieces.
class PlaceInPieces {
 public:
  PlaceInPieces(ByteView first, std::span<const ByteView> more) : present_(first), more_(more) {}

  void skip(std::uint64_t count) {
    while (count >= present_.size() && !more_.empty()) {
      count -= present_.size();
      present_ = more_.front();
      more_ = more_.subspan(1);
    }
    present_ = present_.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(count, present_.size())));
  }
  // The octets from here on, up to `count`. Uses `memory`, which has room for them, if they are in several
  // pieces.
  ByteView first(std::size_t count, std::uint8_t* memory) const {
    if (present_.size() >= count || more_.empty()) return present_.first(std::min(count, present_.size()));
    std::size_t copied = 0;
    const auto copy = [&](ByteView piece) {
      const std::size_t some = std::min(piece.size(), count - copied);
      if (some != 0) std::memcpy(memory + copied, piece.data(), some);
      copied += some;
    };
    copy(present_);
    for (std::size_t i = 0; i < more_.size() && copied < count; ++i) copy(more_[i]);
    return {memory, copied};
  }

 private:
  ByteView present_;
  std::span<const ByteView> more_;
};

}  // namespace

// A request that is not long enough here is noted when more of it is written.
[[gnu::cold, gnu::noinline]] void SecretMessages::note_requests(std::span<const ByteView> pieces,
                                                                std::uint64_t skip, ByteView start) noexcept {
  std::uint8_t memory[most_head];
  PlaceInPieces place(start, pieces);
  while (true) {
    place.skip(skip);
    const ByteView octets = place.first(start_bytes, memory);
    if (octets.size() < giop::header_size || form_of(octets) == Form::none) return;
    skip = std::uint64_t{giop::header_size} + giop::load_message_size(octets.data());
    if (octets.size() < std::min<std::uint64_t>(skip, start_bytes)) return;
    if (type_of(octets) == giop::MessageType::request)
      note_request(place.first(static_cast<std::size_t>(std::min<std::uint64_t>(skip, most_head)), memory));
  }
}

// The reply to a request in another form may be in GIOP's.
void SecretMessages::note_request(ByteView octets) noexcept {
  if (form_of(octets) != Form::giop) return note(other_id(octets));
  const RecordedHead head = read_head(octets);
  if (head.may_have_secret_reply()) note(head.id);
}

void SecretMessages::note(std::optional<std::uint32_t> id) noexcept {
  if (!id) return all_replies_.store(true);
  const std::uint64_t wanted = std::uint64_t{*id} + 1;
  for (const auto& one : requests_)
    if (one.load() == wanted) return;
  for (auto& one : requests_) {
    std::uint64_t free = 0;
    if (one.compare_exchange_strong(free, wanted)) return;
  }
  all_replies_.store(true);
}

bool SecretMessages::take(std::uint32_t id) noexcept {
  bool is_secret = all_replies_.load();
  for (auto& one : requests_) {
    std::uint64_t wanted = std::uint64_t{id} + 1;
    if (one.compare_exchange_strong(wanted, 0)) is_secret = true;
  }
  return is_secret;
}

}  // namespace takt::recorder
