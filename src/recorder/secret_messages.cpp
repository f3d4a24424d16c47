#include "recorder/secret_messages.h"

#include <algorithm>
#include <cstring>

#include "giop/header/limits.h"
#include "giop/heads/head_parser.h"
#include "giop/message_form.h"

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
  giop::Event event;        // without valid views
  bool is_secret = false;
  std::optional<std::uint32_t> id;  // the request's; may be known although the event is not

  bool may_have_secret_reply() const { return !is_known || (is_secret && event.response_expected); }
};

// `octets`: those of a GIOP message that are there, at least the header.
RecordedHead read_head(const giop::MessageHeader& header, ByteView octets) {
  alignas(8) std::uint8_t aligned[most_head];
  RecordedHead head;
  const std::size_t present = std::min({octets.size(), most_head, header.message_bytes()});
  std::memcpy(aligned, octets.data(), present);
  static const giop::Limits limits;
  const giop::ParseResult result = giop::parse_head(header, aligned, present, limits, head.event);
  head.is_known = result == giop::ParseResult::done;
  head.is_cut = result == giop::ParseResult::truncated;
  head.known = head.is_cut ? present : giop::header_size;
  if (head.is_known) {
    head.id = head.event.request_id;
    head.is_secret =
        head.event.kind == giop::EventKind::request && secret_operations::has(head.event.operation);
  } else if (header.version.minor >= 2 && present >= giop::header_size + sizeof(std::uint32_t)) {
    head.id = giop::load_u32(octets.data() + giop::header_size, header.order != cdr::native_order);
  }
  return head;
}

bool read_header(ByteView octets, giop::MessageHeader& header) {
  return giop::read_header(octets.data(), header) == giop::HeaderError::none;
}

giop::MessageType type_of(ByteView octets) { return static_cast<giop::MessageType>(octets[7]); }

// The request id of a message in another form than GIOP's; nothing if it is not to be seen.
std::optional<std::uint32_t> other_id(ByteView octets) {
  if (giop::message_form(octets.data()) != giop::MessageForm::lite || octets.size() < giop::lite::head_bytes)
    return std::nullopt;
  return giop::load_u32(octets.data() + giop::header_size, giop::is_swapped(octets.data()));
}

}  // namespace

// The same for a message in another form than GIOP's.
[[gnu::cold]] std::uint64_t SecretMessages::recordable_of_other(ByteView octets, bool notes_it) noexcept {
  const auto id = other_id(octets);
  if (notes_it) note(id);
  if (id && type_of(octets) == giop::MessageType::reply) (void)take(*id);
  return least_octets;
}

[[gnu::cold, gnu::noinline]] std::uint64_t SecretMessages::recordable_of_some(ByteView octets,
                                                                              bool notes) noexcept {
  const auto type = type_of(octets);
  const bool notes_it = notes && type == giop::MessageType::request;
  giop::MessageHeader header;
  if (!read_header(octets, header)) return recordable_of_other(octets, notes_it);
  if (type == giop::MessageType::fragment) return giop::header_size;
  if (type != giop::MessageType::request && type != giop::MessageType::reply) return everything;
  const RecordedHead head = read_head(header, octets);
  if (notes_it && head.may_have_secret_reply()) note(head.id);
  bool is_secret = head.is_secret;
  if (type == giop::MessageType::reply) {
    is_secret = head.id && take(*head.id);
    if (head.is_cut && head.id && !is_secret) return everything;  // known by its id before its head is whole
  }
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
    if (octets.size() < giop::header_size || !giop::message_form(octets.data())) return;
    skip = giop::whole_message_bytes(octets.data());
    if (octets.size() < std::min<std::uint64_t>(skip, start_bytes)) return;
    if (type_of(octets) == giop::MessageType::request)
      note_request(place.first(static_cast<std::size_t>(std::min<std::uint64_t>(skip, most_head)), memory));
  }
}

// The reply to a request in another form may be in GIOP's.
void SecretMessages::note_request(ByteView octets) noexcept {
  giop::MessageHeader header;
  if (!read_header(octets, header)) return note(other_id(octets));
  const RecordedHead head = read_head(header, octets);
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
