#include "coded/coded_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "giop/message_form.h"

namespace takt::coded {

using transport::IoResult;
using transport::IoStatus;

void CodedOctets::grow(std::size_t count) {
  if (!memory_.resize(2 * (buffer_.owned_size() + count))) throw std::bad_alloc();
  buffer_.ensure(count);
  memory_.shrink(capacity());
}

std::span<const ByteView> CodedOctets::gathered() {
  pieces_.clear();
  buffer_.gather(pieces_);
  return pieces_;
}

CodedStream::CodedStream(std::unique_ptr<transport::Stream> inner,
                         std::shared_ptr<const giop::MessagingProtocol> protocol,
                         std::unique_ptr<giop::MessageCoder> coder, giop::Connection::Role role,
                         const giop::Limits& limits)
    : LayeredStream(std::move(inner), nullptr, this),
      protocol_(std::move(protocol)),
      coder_(std::move(coder)),
      longest_(limits.message_bytes + giop::MessageCoder::max_overhead),
      message_time_(limits.message_time),
      limits_silence_(role == giop::Connection::Role::server),
      memory_of_all_(role == giop::Connection::Role::client ? limits.client_memory : limits.server_memory),
      memory_(limits.connection_memory, memory_of_all_.get()),
      wanted_(giop::header_size) {}

std::string CodedStream::describe() const {
  return std::string(protocol_->name()) + " over " + inner_->describe();
}

// Errors are permanent.
std::optional<IoResult> CodedStream::converted(MutableBytes into) {
  try {
    while (wrong_ == 0) {
      if (const std::size_t count = hand_over(into)) {
        const bool has_more = !left_.empty() || front() != Front::incomplete;
        if (!has_more) await_input();
        holds_octets_ = has_more || inner_->holds_octets();
        return IoResult{count, IoStatus::ok, 0};
      }
      const Front at_front = front();
      if (at_front == Front::wrong || (at_front == Front::whole && !decode_front())) {
        wrong_ = EBADMSG;
      } else if (at_front == Front::incomplete) {
        holds_octets_ = inner_->holds_octets();
        await_input();
        if (is_late())
          wrong_ = ETIMEDOUT;
        else if (!arrived_.make_room(front_bytes_))
          wrong_ = ENOMEM;
        else
          return std::nullopt;
      }
    }
  } catch (const std::bad_alloc&) {
    wrong_ = ENOMEM;
  } catch (...) {
    wrong_ = EBADMSG;
  }
  holds_octets_ = true;
  return IoResult{0, IoStatus::failed, wrong_};
}

std::size_t CodedStream::hand_over(MutableBytes into) {
  std::size_t count = 0;
  while (!left_.empty() && count < into.size()) {
    const ByteView piece = left_.front().subspan(left_from_);
    const std::size_t part = std::min(piece.size(), into.size() - count);
    std::memcpy(into.data() + count, piece.data(), part);
    count += part;
    left_from_ += part;
    if (part < piece.size()) break;
    left_ = left_.subspan(1);
    left_from_ = 0;
    if (left_.empty()) decoded_.clear();
  }
  return count;
}

CodedStream::Front CodedStream::front() {
  const ByteView octets{arrived_.front(), arrived_.available()};
  if (octets.empty()) return Front::incomplete;
  if (front_bytes_ == 0) front_bytes_ = coder_->front_size(octets);
  if (front_bytes_ == 0 && octets.size() <= giop::MessageCoder::max_overhead) return Front::incomplete;
  if (front_bytes_ == 0 || front_bytes_ > longest_) return Front::wrong;
  return front_bytes_ <= octets.size() ? Front::whole : Front::incomplete;
}

bool CodedStream::decode_front() {
  const std::size_t bytes = std::exchange(front_bytes_, 0);
  since_.reset();
  if (!coder_->read({arrived_.take(bytes), bytes}, decoded_)) return false;
  left_ = decoded_.gathered();
  return true;
}

// Called when nothing is left to be handed over before more octets arrive.
void CodedStream::await_input() {
  const bool mid_message = arrived_.available() != 0;
  if (mid_message && !since_) since_ = Clock::now();
  if (limits_silence_ && blocking() && mid_message != awaits_rest_) limit_silence(mid_message);
}

// The user waits in a read for the whole message, so only the inner stream's limit ends the wait for a peer
// that falls silent.
void CodedStream::limit_silence(bool mid_message) {
  awaits_rest_ = mid_message;
  const bool shorter = silence_.count() == 0 || message_time_ < silence_;
  LayeredStream::set_silence_limit(mid_message && shorter ? message_time_ : silence_);
}

bool CodedStream::set_silence_limit(std::chrono::nanoseconds silence) {
  silence_ = silence;
  awaits_rest_ = false;
  const bool set = LayeredStream::set_silence_limit(silence);
  if (limits_silence_ && blocking() && since_) limit_silence(true);
  return set;
}

// Whether the message at the front has taken too long to arrive.
bool CodedStream::is_late() const { return since_ && Clock::now() - *since_ > message_time_; }

IoResult CodedStream::write_gather(std::span<const ByteView> pieces) {
  const std::size_t size = transport::size_of(pieces);
  if (size == 0) return {0, IoStatus::failed, EINVAL};
  if (refused_ != 0) return {0, IoStatus::failed, refused_};
  const IoResult result = write_coded(pieces, size);
  if (inner_->holds_octets()) holds_octets_ = true;
  return result;
}

IoResult CodedStream::write_coded(std::span<const ByteView> pieces, std::size_t size) {
  const auto begun = begin_write(size);
  give_back_memory();
  if (begun) return *begun;
  refused_ = EPROTO;  // until all of it is encoded and sent
  try {
    if (!encode(pieces)) return {0, IoStatus::failed, EPROTO};
    const IoResult result = written(size, send_wire());
    wire_.clear();
    ended_.clear();
    give_back_memory();
    refused_ = 0;
    return result;
  } catch (const std::bad_alloc&) {
    refused_ = ENOMEM;
  } catch (...) {
  }
  return {0, IoStatus::failed, refused_};
}

// Complete messages go into wire_, and the rest is kept.
bool CodedStream::encode(std::span<const ByteView> pieces) {
  for (ByteView piece : pieces) {
    while (!piece.empty()) {
      const std::size_t part = std::min(wanted_ - present_, piece.size());
      add(piece.first(part));
      piece = piece.subspan(part);
      if (present_ == wanted_ && wanted_ == giop::header_size) read_header();
      if (present_ == wanted_ && !finish_message()) return false;
    }
  }
  keep_begun();
  return true;
}

void CodedStream::add(ByteView part) {
  present_ += part.size();
  if (!message_.empty() && message_.back().data() + message_.back().size() == part.data())
    message_.back() = {message_.back().data(), message_.back().size() + part.size()};
  else
    message_.push_back(part);
}

// Called once the header has arrived. Makes it contiguous.
void CodedStream::read_header() {
  if (!begun_.empty() || message_.size() > 1) keep_begun();
  const std::uint8_t* const header = begun_.empty() ? message_.front().data() : begun_.data();
  wanted_ = giop::whole_message_bytes(header);
}

bool CodedStream::finish_message() {
  if (!begun_.empty()) {
    ended_.push_back(std::exchange(begun_, {}));
    message_.insert(message_.begin(), ended_.back());
  }
  const bool encoded = coder_->write(message_, wire_);
  message_.clear();
  present_ = 0;
  wanted_ = giop::header_size;
  return encoded;
}

void CodedStream::keep_begun() {
  if (message_.empty()) return;
  const std::size_t wanted = begun_.size() + transport::size_of(message_);
  if (wanted > begun_.capacity()) {
    if (!writer_memory_.resize(writer_bytes() + 2 * wanted)) throw std::bad_alloc();
    begun_.reserve(std::max(wanted, 2 * begun_.capacity()));
    writer_memory_.shrink(writer_bytes());
  }
  for (const ByteView part : message_) begun_.insert(begun_.end(), part.begin(), part.end());
  message_.clear();
}

// Copies what the inner stream does not take at once.
IoResult CodedStream::send_wire() {
  const std::span<const ByteView> pieces = wire_.gathered();
  if (pieces.empty()) return {0, IoStatus::ok, 0};
  const IoResult sent = inner_->write_gather(pieces);
  if (sent.status == IoStatus::failed) return sent;
  const std::size_t rest = transport::size_of(pieces) - sent.bytes;
  if (rest == 0) return {0, IoStatus::ok, 0};
  if (!writer_memory_.resize(writer_bytes() + rest)) throw std::bad_alloc();
  kept().reserve(rest);
  std::size_t gone = sent.bytes;
  for (const ByteView piece : pieces) {
    const std::size_t passed = std::min(gone, piece.size());
    gone -= passed;
    kept().insert(kept().end(), piece.begin() + static_cast<std::ptrdiff_t>(passed), piece.end());
  }
  return sent.status == IoStatus::ok ? send_rest() : sent;
}

IoResult CodedStream::send_rest() {
  const IoResult sent = send_kept();
  give_back_memory();
  return sent;
}

void CodedStream::give_back_memory() {
  if (writer_memory_.bytes() != 0) [[unlikely]]
    writer_memory_.shrink(writer_bytes());
}

std::size_t CodedStream::writer_bytes() const {
  std::size_t bytes = begun_.capacity() + kept_bytes();
  for (const auto& message : ended_) bytes += message.capacity();
  return bytes;
}

}  // namespace takt::coded
