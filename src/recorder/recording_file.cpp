#include "recorder/recording_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace takt::recorder {

namespace {

// A whole block; the octets are in Blocks::octets_.
struct KnownBlock {
  std::uint64_t number;
  std::size_t at;
  BlockState state;
};

template <class Struct>
Struct read_struct(const std::uint8_t* at) {
  Struct value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Whole blocks of a file.
class Blocks {
 public:
  // `offset`: where blocks begin in the file. `next_block`: the number of the block after the newest. False:
  // the file ends before.
  bool read(const ReadAt& read_at, std::uint64_t offset, std::uint64_t count,
            std::optional<std::uint64_t> from_block, std::uint64_t next_block) {
    const std::uint64_t wanted =
        from_block ? std::min(count, next_block - std::min(*from_block, next_block)) : count;
    const std::uint64_t first = from_block.value_or(0) % count;
    const std::uint64_t before_end = std::min(wanted, count - first);
    if (!read_places(read_at, offset, count, first, first + before_end) ||
        !read_places(read_at, offset, count, 0, wanted - before_end))
      return false;
    std::erase_if(known_,
                  [from = from_block.value_or(0)](const KnownBlock& block) { return block.number < from; });
    std::ranges::sort(known_, {}, &KnownBlock::number);
    // Where pieces were left out, blocks of earlier rounds of the ring remain.
    if (!known_.empty())
      std::erase_if(known_, [newest = known_.back().number, count](const KnownBlock& block) {
        return newest - block.number >= count;
      });
    return true;
  }
  const std::vector<KnownBlock>& known() const { return known_; }
  const std::uint8_t* octets(const KnownBlock& block) const { return octets_.data() + block.at; }
  std::uint64_t torn() const { return torn_; }

 private:
  static constexpr std::uint64_t blocks_at_once = 512;

  bool read_places(const ReadAt& read_at, std::uint64_t offset, std::uint64_t count, std::uint64_t place,
                   std::uint64_t end) {
    std::vector<std::uint8_t> now, again;
    for (; place < end; place += now.size() / block_bytes) {
      now.resize(std::min<std::uint64_t>(end - place, blocks_at_once) * block_bytes);
      if (!read_at(offset + place * block_bytes, now)) return false;
      if (is_empty(now)) continue;
      again.resize(now.size());
      if (!read_at(offset + place * block_bytes, again)) return false;
      for (std::size_t at = 0; at < now.size(); at += block_bytes)
        take(now.data() + at, again.data() + at, place + at / block_bytes, count);
    }
    return true;
  }

  // Whether no block was written. A new ring has many such blocks, and a file may say that it has any number.
  static bool is_empty(const std::vector<std::uint8_t>& blocks) {
    for (std::size_t at = 0; at < blocks.size(); at += block_bytes)
      if (read_struct<std::uint64_t>(blocks.data() + at) != 0) return false;
    return true;
  }

  void take(const std::uint8_t* now, const std::uint8_t* again, std::uint64_t place, std::uint64_t count) {
    const auto turn = read_struct<std::uint64_t>(now);
    if (turn == 0) return;
    const auto state = static_cast<BlockState>(turn % 4);
    const std::uint64_t number = turn / 4 - 1;
    const bool is_whole = (state == BlockState::first || state == BlockState::next) && turn / 4 != 0 &&
                          number % count == place && std::memcmp(now, again, block_bytes) == 0;
    if (!is_whole) {
      ++torn_;
      return;
    }
    known_.push_back({number, octets_.size(), state});
    octets_.insert(octets_.end(), now, now + block_bytes);
  }

  std::vector<std::uint8_t> octets_;  // the whole blocks, one after the other
  std::vector<KnownBlock> known_;
  std::uint64_t torn_ = 0;
};

bool is_valid(const FirstBlock& first) {
  return first.direction <= static_cast<std::uint8_t>(Direction::sent) &&
         first.kind <= static_cast<std::uint8_t>(PieceKind::other) && first.time_ns >= 0 &&
         first.size <= first.message_bytes && first.offset <= first.message_bytes - first.size &&
         first.stream_offset >= first.offset && first.connection != 0 && first.size != 0;
}

// Joins the pieces of messages.
class Messages {
 public:
  explicit Messages(Recording& recording) : recording_(recording) {}

  // `first` is the first block of a piece of these octets. False: the message's start is not known.
  bool take(const FirstBlock& first, ByteView octets) {
    std::size_t& last = last_[{first.connection, first.direction}];  // one more than its index
    auto& messages = recording_.messages;
    if (first.offset == 0) {
      messages.push_back({.connection = first.connection,
                          .thread = first.thread,
                          .direction = static_cast<Direction>(first.direction),
                          .is_message = first.kind == static_cast<std::uint8_t>(PieceKind::message),
                          .time_ns = first.time_ns,
                          .stream_offset = first.stream_offset,
                          .message_bytes = first.message_bytes,
                          .secret_bytes = first.secret_bytes,
                          .octets = {octets.begin(), octets.end()}});
      last = messages.size();
      return true;
    }
    if (last == 0) return false;
    ReadMessage& message = messages[last - 1];
    if (message.stream_offset != first.stream_offset - first.offset ||
        message.octets.size() != first.offset || message.message_bytes != first.message_bytes)
      return false;
    message.octets.insert(message.octets.end(), octets.begin(), octets.end());
    return true;
  }

 private:
  Recording& recording_;
  std::map<std::pair<std::uint32_t, std::uint8_t>, std::size_t> last_;
};

// Appends the octets of the piece that begins with the block; false if a block of it is missing.
bool join(const Blocks& blocks, std::size_t index, const FirstBlock& first, std::vector<std::uint8_t>& to) {
  const auto& known = blocks.known();
  std::size_t count = std::min<std::size_t>(first.size, FirstBlock::most_octets);
  to.assign(first.octets, first.octets + count);
  for (std::size_t left = first.size - count; left != 0; left -= count) {
    const std::uint64_t number = known[index].number;
    if (++index == known.size() || known[index].number != number + 1 ||
        known[index].state != BlockState::next)
      return false;
    count = std::min(left, NextBlock::most_octets);
    const std::uint8_t* const octets = blocks.octets(known[index]) + offsetof(NextBlock, octets);
    to.insert(to.end(), octets, octets + count);
  }
  return true;
}

void read_messages(const Blocks& blocks, Recording& recording) {
  Messages messages(recording);
  std::vector<std::uint8_t> octets;
  recording.torn = blocks.torn();
  const auto& known = blocks.known();
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].state != BlockState::first) continue;
    const auto first = read_struct<FirstBlock>(blocks.octets(known[i]));
    if (first.kind == static_cast<std::uint8_t>(PieceKind::nothing)) continue;
    if (!is_valid(first) || !join(blocks, i, first, octets) || !messages.take(first, octets))
      ++recording.torn;
  }
}

// By their times. Those of a direction keep their order, also if the clock was set back meanwhile.
void sort(std::vector<ReadMessage>& messages) {
  std::map<std::pair<std::uint32_t, Direction>, std::int64_t> latest;
  std::vector<std::pair<std::int64_t, std::size_t>> order;
  order.reserve(messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    std::int64_t& time = latest[{messages[i].connection, messages[i].direction}];
    time = std::max(time, messages[i].time_ns);
    order.emplace_back(time, i);
  }
  if (std::ranges::is_sorted(order)) return;
  std::ranges::sort(order);
  std::vector<ReadMessage> sorted;
  sorted.reserve(messages.size());
  for (const auto& [time, i] : order) sorted.push_back(std::move(messages[i]));
  messages = std::move(sorted);
}

// False: the file ends before.
bool read_connections(const ReadAt& read_at, std::uint32_t count, Recording& recording) {
  std::array<std::uint8_t, sizeof(ConnectionEntry)> octets, again;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t offset = head_bytes + i * sizeof(ConnectionEntry);
    if (!read_at(offset, octets) || !read_at(offset, again)) return false;
    const auto entry = read_struct<ConnectionEntry>(octets.data());
    if (entry.number == 0 || entry.turn % 2 != 0 || octets != again) continue;
    recording.connections[entry.number] = {
        .is_accepted = entry.is_accepted != 0,
        .opened_ns = entry.opened_ns,
        .closed_ns = entry.closed_ns,
        .text = {entry.text, std::min<std::size_t>(entry.text_size, ConnectionEntry::most_text)}};
  }
  return true;
}

}  // namespace

std::expected<Recording, std::string> read_recording(const ReadAt& read_at,
                                                     std::optional<std::uint64_t> from_block) {
  std::array<std::uint8_t, head_bytes> octets;
  if (!read_at(0, octets) || std::memcmp(octets.data(), recording_magic.data(), recording_magic.size()) != 0)
    return std::unexpected("it is not a file of -ORBRecorder");
  const auto head = read_struct<RecordingHead>(octets.data());
  if (head.version != recording_version)
    return std::unexpected("it is of another version of Takt, or of a machine with another byte order");
  constexpr std::uint64_t most_blocks = std::uint64_t{1} << 40;
  if (head.blocks == 0 || head.blocks > most_blocks)
    return std::unexpected("it says that it has more messages than a file can have, or none");
  if (head.connections > most_connections)
    return std::unexpected("it says that it has more connections than a file can have");
  Recording recording;
  recording.process = head.origin.process;
  recording.start_ns = head.origin.start_ns;
  recording.copied_ns = head.copied_ns;
  recording.copied_because = {head.reason,
                              std::min<std::size_t>(head.reason_size, RecordingHead::most_reason)};
  recording.owner = head.origin.owner();
  recording.message_bytes = head.message_bytes;
  recording.left_out = head.left_out;
  recording.next_block = head.next_block;
  recording.overwritten = head.next_block > head.blocks ? head.next_block - head.blocks : 0;
  Blocks blocks;
  const std::uint64_t offset = head_bytes + head.connections * sizeof(ConnectionEntry);
  if (!read_connections(read_at, head.connections, recording) ||
      !blocks.read(read_at, offset, head.blocks, from_block, head.next_block))
    return std::unexpected("it has been cut: it ends before its last message");
  read_messages(blocks, recording);
  sort(recording.messages);
  return recording;
}

std::expected<Recording, std::string> read_recording(ByteView file) {
  return read_recording([file](std::uint64_t offset, std::span<std::uint8_t> to) {
    if (offset > file.size() || to.size() > file.size() - offset) return false;
    std::ranges::copy(file.subspan(static_cast<std::size_t>(offset), to.size()), to.begin());
    return true;
  });
}

}  // namespace takt::recorder
