#include "faults/faulty_stream.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <takt/transport/wrapped_stream.h>

#include "faults/parsed_head.h"
#include "faults/request_watch.h"
#include "giop/message/request.h"

namespace takt::faults {

namespace {

using transport::IoResult;
using transport::IoStatus;
using Pieces = std::span<const ByteView>;

// The first octets of pieces.
std::vector<std::uint8_t> flattened(Pieces pieces, std::size_t most) {
  std::vector<std::uint8_t> all;
  for (const ByteView piece : pieces) {
    const ByteView part = piece.first(std::min(piece.size(), most - all.size()));
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

std::size_t size_of(Pieces pieces) {
  std::size_t size = 0;
  for (const ByteView piece : pieces) size += piece.size();
  return size;
}

// The same request with another id, for which no reply is expected.
std::vector<std::uint8_t> unanswered_copy(std::vector<std::uint8_t> request, const ParsedHead& parsed) {
  constexpr std::size_t contexts_index = giop::header_size + sizeof(std::uint32_t);
  std::size_t id = giop::header_size;
  if (!giop::rules_of(parsed.header.version).contexts_last)
    id = (contexts_index + parsed.event.contexts.octets().size() + 3) & ~std::size_t{3};
  const std::size_t highest = parsed.header.order == cdr::ByteOrder::big ? id : id + 3;
  request[highest] ^= 0x80;
  request[id + sizeof(std::uint32_t)] = giop::no_response;
  return request;
}

// An octet of a message, and what changes it.
struct Change {
  std::uint64_t at;
  std::uint8_t by;  // not 0
};

class FaultyStream final : public transport::WrappedStream {
 public:
  FaultyStream(std::unique_ptr<Stream> stream, std::shared_ptr<FaultSource> source)
      : WrappedStream(std::move(stream), nullptr),
        source_(std::move(source)),
        watches_(source_->has(Message::reply)) {}

  IoResult read(MutableBytes into) override { return received(into, inner_->read(into)); }
  IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) override {
    return received(into, inner_->read_stamped(into, age));
  }
  IoResult write(ByteView octets) override { return write_gather({&octets, 1}); }
  IoResult write_gather(Pieces pieces) override;

 private:
  // Parts of a message's head beyond this are not looked at.
  static constexpr std::size_t most_head = std::size_t{256} * 1024;
  static constexpr std::size_t start_octets = 24;

  IoResult received(MutableBytes into, const IoResult& result) {
    noted_read();
    if (watches_ && result.status == IoStatus::ok) watch_.pass(into.first(result.bytes));
    return result;
  }
  void begin(Pieces pieces);
  void decide(const std::vector<std::uint8_t>& head, bool is_whole);
  void lose(const ParsedHead& parsed);
  bool is_part_of_lost(const std::vector<std::uint8_t>& start);
  void choose_changes(const MessageFate& fate, const ParsedHead& parsed);
  IoResult write_copy();
  IoResult write_changed(Pieces pieces);
  IoResult write_as_it_is(Pieces pieces);

  const std::shared_ptr<FaultSource> source_;
  const bool watches_;
  RequestWatch watch_;

  // The message that is being written; used by the writer.
  std::uint64_t size_ = 0, at_ = 0;  // octets of it, and those that have been written. Equal: none
  std::vector<std::uint8_t> start_;  // the first octets of it
  bool lost_ = false;
  std::vector<Change> changes_;
  std::vector<std::uint8_t> copy_;  // precedes the message
  std::size_t copied_ = 0;
  std::set<std::uint32_t> lost_in_parts_;  // requests and replies whose fragments are lost
  bool loses_fragments_ = false;           // GIOP 1.1: the next fragments are of a lost message
};

IoResult FaultyStream::write_gather(Pieces pieces) {
  const std::size_t offered = size_of(pieces);
  if (offered == 0) return inner_->write_gather(pieces);
  if (copied_ == 0 || copied_ == copy_.size()) begin(pieces);
  if (copied_ < copy_.size())
    if (const IoResult result = write_copy(); result.status != IoStatus::ok) return result;
  IoResult result{static_cast<std::size_t>(std::min<std::uint64_t>(offered, size_ - at_)), IoStatus::ok, 0};
  if (!lost_) result = changes_.empty() ? write_as_it_is(pieces) : write_changed(pieces);
  at_ += result.bytes;
  return result;
}

// Looks at the message that begins here, if one does. A message of which nothing could be written may be
// offered again, or another one in its place.
void FaultyStream::begin(Pieces pieces) {
  if (at_ != 0 && at_ != size_) return;
  std::vector<std::uint8_t> start = flattened(pieces, start_octets);
  if (at_ != size_ && start == start_) return;
  start_ = std::move(start);
  const std::size_t offered = size_of(pieces);
  const auto size = start_.size() < giop::header_size ? std::optional<std::uint64_t>() : message_size(start_);
  size_ = size.value_or(offered);
  at_ = 0;
  lost_ = size && is_part_of_lost(start_);
  changes_.clear();
  copy_.clear();
  copied_ = 0;
  if (size && !lost_)
    decide(flattened(pieces, static_cast<std::size_t>(std::min<std::uint64_t>(size_, most_head))),
           size_ <= std::min(offered, most_head));
}

// Whether it is a fragment of a message that is lost.
bool FaultyStream::is_part_of_lost(const std::vector<std::uint8_t>& start) {
  giop::MessageHeader header;
  if (giop::read_header(start.data(), header) != giop::HeaderError::none ||
      header.type != giop::MessageType::fragment)
    return false;
  if (header.version.minor < 2) {
    const bool loses = loses_fragments_;
    loses_fragments_ = loses && header.more_fragments;
    return loses;
  }
  if (start.size() < giop::header_size + sizeof(std::uint32_t)) return false;
  const auto id = giop::load_u32(start.data() + giop::header_size, header.order != cdr::native_order);
  const bool loses = lost_in_parts_.contains(id);
  if (loses && !header.more_fragments) lost_in_parts_.erase(id);
  return loses;
}

void FaultyStream::decide(const std::vector<std::uint8_t>& head, bool is_whole) {
  ParsedHead parsed;
  if (!parse_head(head, parsed)) return;
  const bool is_request = parsed.event.kind == giop::EventKind::request;
  const std::string answered = is_request || !watches_ ? std::string() : watch_.take(parsed.event.request_id);
  const std::string_view operation = is_request ? parsed.event.operation : std::string_view(answered);
  const bool can_double = is_request && is_whole && !parsed.header.more_fragments;
  const MessageFate fate =
      source_->fate_of(is_request ? Message::request : Message::reply, operation, can_double);
  if (fate.delay.count() > 0) std::this_thread::sleep_for(fate.delay);
  if (fate.lost) return lose(parsed);
  if (fate.twice) copy_ = unanswered_copy(head, parsed);
  choose_changes(fate, parsed);
}

void FaultyStream::lose(const ParsedHead& parsed) {
  lost_ = true;
  if (!parsed.header.more_fragments) return;
  if (parsed.header.version.minor < 2)
    loses_fragments_ = true;
  else
    lost_in_parts_.insert(parsed.event.request_id);
}

void FaultyStream::choose_changes(const MessageFate& fate, const ParsedHead& parsed) {
  const std::uint64_t from = parsed.event.body_index, octets = size_ > from ? size_ - from : 0;
  for (std::uint32_t i = 0; i < fate.corrupted && octets != 0; ++i) {
    const std::uint64_t draw = drawn(fate.number, i, 0);
    const std::uint64_t at = from + draw % octets;
    if (std::ranges::find(changes_, at, &Change::at) != changes_.end()) continue;
    changes_.push_back({at, static_cast<std::uint8_t>(1 + (draw >> 56) % 255)});
  }
}

IoResult FaultyStream::write_copy() {
  IoResult result{0, IoStatus::ok, 0};
  while (copied_ < copy_.size() && result.status == IoStatus::ok) {
    result = inner_->write(ByteView(copy_).subspan(copied_));
    copied_ += result.bytes;
  }
  noted_write();
  return result;
}

IoResult FaultyStream::write_changed(Pieces pieces) {
  constexpr std::uint64_t most = std::uint64_t{64} * 1024;
  std::vector<std::uint8_t> octets = flattened(pieces, static_cast<std::size_t>(std::min(most, size_ - at_)));
  for (const Change& change : changes_)
    if (change.at >= at_ && change.at - at_ < octets.size())
      octets[static_cast<std::size_t>(change.at - at_)] ^= change.by;
  const IoResult result = inner_->write(octets);
  noted_write();
  return result;
}

IoResult FaultyStream::write_as_it_is(Pieces pieces) {
  constexpr std::size_t most_pieces = 64;
  std::array<ByteView, most_pieces> part;
  std::size_t count = 0;
  std::uint64_t left = size_ - at_;
  for (const ByteView piece : pieces) {
    if (left == 0 || count == most_pieces) break;
    part[count] = piece.first(static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), left)));
    left -= part[count++].size();
  }
  const IoResult result = inner_->write_gather(Pieces(part).first(count));
  noted_write();
  return result;
}

}  // namespace

std::unique_ptr<transport::Stream> faulty_stream(std::unique_ptr<transport::Stream> stream,
                                                 std::shared_ptr<FaultSource> source) {
  return std::make_unique<FaultyStream>(std::move(stream), std::move(source));
}

}  // namespace takt::faults
