#include "frames/protocol/frame_assembler.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace takt::frames {

using std::chrono::nanoseconds;

namespace {

// Window in which the fastest packet counts. The previous window counts too. Bounded, because clocks drift.
constexpr std::chrono::seconds window{5};

// Time of packets that all come after their frames' times, after which only later ones count: the sender's
// clock has stood still, or the way from it has become longer.
constexpr std::chrono::seconds longest_overdue{1};

// Longest stream, in seconds of its clock: about three years. A packet may move the timestamp by 2^31 units,
// and times in nanoseconds must not overflow.
constexpr std::int64_t longest_stream_s = 100'000'000;

// Timestamps of successive packets that go back by more than this, or by more than the delay, begin anew.
constexpr nanoseconds longest_step_back = std::chrono::seconds(1);

}  // namespace

bool FrameAssembler::take(ByteView datagram, TimePoint now, bool from_another) {
  const auto packet = RtpPacket::decode(datagram);
  const bool is_ours = packet && packet->source == source_;
  if (!is_ours || !received(*packet, now, from_another)) {
    ++counts_.refused;
    return false;
  }
  std::int64_t timestamp = extended(packet->timestamp);
  const std::int64_t number = reception_.number_of(packet->sequence);
  if (begins_anew(timestamp, *packet)) {
    begin_anew();
    timestamp = packet->timestamp;
    first_number_ = number;
  }
  begins_ = reception_.begins();
  if (std::abs(timestamp) / options_.clock_rate > longest_stream_s ||
      number < first_number_.value_or(number)) {
    ++counts_.refused;
    return false;
  }
  last_ = timestamp;
  last_arrival_ = now;
  if (reception_.is_newest(packet->sequence)) newest_ = timestamp;
  if (is_done(timestamp)) return true;
  if (options_.late == LateFrames::drop && is_over(timestamp)) {
    ++counts_.late;
    note_done(timestamp);
    return true;
  }
  if (add(timestamp, *packet, now)) return true;
  ++counts_.refused;
  return false;
}

// Passes the packet to the reception, and keeps the loss that this forgets.
bool FrameAssembler::received(const RtpPacket& packet, TimePoint now, bool from_another) {
  const unsigned begins = reception_.begins();
  const std::uint64_t lost = reception_.lost();
  if (from_another) reception_.restart();
  if (!reception_.take(packet.sequence, packet.timestamp, now)) return false;
  if (reception_.begins() == begins) return true;
  lost_before_ += lost;
  if (begins != 0 && !from_another && goes_on(packet, now)) lost_before_ += reception_.leap() - 1U;
  return true;
}

// Whether a packet with a number that leaps has the timestamp that the same sender has after an outage. One
// that has restarted has another clock.
bool FrameAssembler::goes_on(const RtpPacket& packet, TimePoint now) const {
  const auto silence = now - last_arrival_;
  const nanoseconds advance = media_time(extended(packet.timestamp) - last_);
  return advance > nanoseconds(0) && std::chrono::abs(advance - silence) < longest_step_back + silence / 100;
}

// Whether the sender has restarted, or has set its clock back.
bool FrameAssembler::begins_anew(std::int64_t timestamp, const RtpPacket& packet) const {
  if (!newest_) return false;
  if (reception_.begins() != begins_) return true;
  return reception_.is_newest(packet.sequence) &&
         media_time(*newest_ - timestamp) > std::max(longest_step_back, options_.delay);
}

void FrameAssembler::begin_anew() {
  while (!kept_.empty()) give_up(kept_.begin());
  given_.reset();
  done_.fill(std::nullopt);
  latest_done_.reset();
  quickest_.reset();
  quickest_before_.reset();
  overdue_since_.reset();
}

// The extended timestamp that is nearest to the last one.
std::int64_t FrameAssembler::extended(std::uint32_t timestamp) const {
  return last_ + static_cast<std::int32_t>(timestamp - static_cast<std::uint32_t>(last_));
}

nanoseconds FrameAssembler::media_time(std::int64_t timestamp) const {
  const std::int64_t rate = options_.clock_rate;
  return std::chrono::seconds(timestamp / rate) + nanoseconds(timestamp % rate * 1'000'000'000 / rate);
}

FrameAssembler::TimePoint FrameAssembler::due(std::int64_t timestamp, TimePoint now) {
  if (options_.delay.count() == 0) return now;
  const nanoseconds behind = now.time_since_epoch() - media_time(timestamp);
  if (now - window_began_ > window) {
    quickest_before_ = now - window_began_ > 2 * window ? std::nullopt : quickest_;
    quickest_.reset();
    window_began_ = now;
  }
  quickest_ = std::min(quickest_.value_or(behind), behind);
  nanoseconds base = std::min(*quickest_, quickest_before_.value_or(*quickest_));
  if (behind - base <= options_.delay) {
    overdue_since_.reset();
  } else if (now - overdue_since_.value_or(now) >= longest_overdue) {
    quickest_before_.reset();
    base = quickest_.emplace(behind);
    overdue_since_.reset();
  } else if (!overdue_since_) {
    overdue_since_ = now;
  }
  return TimePoint(
      std::chrono::duration_cast<TimePoint::duration>(media_time(timestamp) + base + options_.delay));
}

void FrameAssembler::note_done(std::int64_t timestamp) {
  done_[next_done_++ % done_.size()] = timestamp;
  latest_done_ = std::max(latest_done_.value_or(timestamp), timestamp);
}

bool FrameAssembler::is_done(std::int64_t timestamp) const {
  return latest_done_ && timestamp <= *latest_done_ &&
         std::ranges::find(done_, std::optional(timestamp)) != done_.end();
}

// The frame that is kept, or a new one.
std::pair<FrameAssembler::Frames::iterator, bool> FrameAssembler::frame_of(std::int64_t timestamp) {
  if (!spare_) return kept_.try_emplace(timestamp);
  spare_.key() = timestamp;
  auto [frame, is_new, node] = kept_.insert(std::move(spare_));
  spare_ = std::move(node);
  return {frame, is_new};
}

// Returns false if the packet contradicts another one of its frame.
bool FrameAssembler::add(std::int64_t timestamp, const RtpPacket& packet, TimePoint now) {
  const auto [frame, is_new] = frame_of(timestamp);
  Kept& kept = frame->second;
  const TimePoint due_by = due(timestamp, now);
  if (is_new) {
    kept.first = packet.first();
    kept.count = packet.parts;
    kept.due = due_by;
  } else if (kept.first != packet.first() || kept.count != packet.parts) {
    return false;
  }
  bytes_ -= kept.parts.bytes();
  const bool fresh = kept.parts.add(packet.part, packet.payload);
  bytes_ += kept.parts.bytes();
  if (kept.parts.octets() > options_.frame_bytes) {
    give_up(frame);
    return true;
  }
  if (fresh && kept.complete() && (is_over(timestamp) || (options_.delay.count() != 0 && now > kept.due))) {
    ++counts_.late;
    kept.late = true;
    if (options_.late == LateFrames::drop) forget(frame);
  }
  keep_within_limits();
  return true;
}

void FrameAssembler::keep_within_limits() {
  while (kept_.size() > options_.frames || bytes_ > options_.bytes) give_up(kept_.begin());
}

FrameAssembler::Frames::iterator FrameAssembler::give_up(Frames::iterator frame) {
  if (!frame->second.complete())
    ++counts_.incomplete;
  else if (!frame->second.late)
    ++counts_.late;
  return forget(frame);
}

FrameAssembler::Frames::iterator FrameAssembler::forget(Frames::iterator frame) {
  note_done(frame->first);
  bytes_ -= frame->second.parts.bytes();
  const auto next = std::next(frame);
  spare_ = kept_.extract(frame);
  spare_.mapped().clear();
  return next;
}

// Gives up frames that would be late even if they became complete.
void FrameAssembler::drop_hopeless(TimePoint now) {
  if (options_.late == LateFrames::give) return;
  for (auto frame = kept_.begin(); frame != kept_.end();) {
    const bool overdue = options_.delay.count() != 0 && frame->second.due < now;
    if (!frame->second.complete() && (overdue || is_over(frame->first)))
      frame = give_up(frame);
    else
      ++frame;
  }
}

FrameAssembler::Frames::const_iterator FrameAssembler::first_complete() const {
  return std::ranges::find_if(kept_, [](const auto& frame) { return frame.second.complete(); });
}

bool FrameAssembler::has_next(TimePoint now) const {
  const auto first = first_complete();
  return first != kept_.end() &&
         (first->second.late || options_.delay.count() == 0 || first->second.due <= now || lacks_room());
}

// Whether the next frame might make others be given up, although they are complete and not yet due.
bool FrameAssembler::lacks_room() const {
  const std::size_t for_next = std::min(options_.frame_bytes, options_.bytes / 2);
  return kept_.size() >= options_.frames || bytes_ > options_.bytes - for_next;
}

std::optional<Frame> FrameAssembler::next(TimePoint now) {
  if (!has_next(now)) {
    drop_hopeless(now);
    return std::nullopt;
  }
  const auto first = kept_.find(first_complete()->first);
  Frame frame{static_cast<std::uint32_t>(first->first), first->second.late, {}};
  bytes_ -= first->second.parts.bytes();
  frame.octets = first->second.parts.take_all();
  given_ = std::max(given_.value_or(first->first), first->first);
  ++counts_.frames;
  forget(first);
  drop_hopeless(now);
  return frame;
}

std::optional<FrameAssembler::TimePoint> FrameAssembler::next_deadline() const {
  const auto first = first_complete();
  if (first == kept_.end()) return std::nullopt;
  return first->second.due;
}

FrameReport FrameAssembler::report() {
  FrameReport report = reception_.report();
  report.frames = counts_.frames;
  report.incomplete = counts_.incomplete;
  report.late = counts_.late;
  report.refused = counts_.refused;
  report.lost = lost_before_ + reception_.lost();
  return report;
}

}  // namespace takt::frames
