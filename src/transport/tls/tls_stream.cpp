#include "transport/tls/tls_stream.h"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <utility>

namespace takt::transport {

namespace {

// What a peer may make us answer, by alerts and new keys, without asking for anything.
constexpr std::size_t most_answered = 1024;
// A write may take so many times as long as the peer may leave it alone.
constexpr int sips = 10;

std::size_t size_of(std::span<const ByteView> pieces) {
  std::size_t size = 0;
  for (const ByteView piece : pieces) size += piece.size();
  return size;
}

}  // namespace

TlsStream::TlsStream(std::unique_ptr<Stream> inner, std::shared_ptr<TlsContext> context,
                     std::unique_ptr<TlsEngine> engine)
    : inner_(std::move(inner)),
      context_(std::move(context)),
      engine_(std::move(engine)),
      peer_(engine_->peer()) {}

// Nobody waits for a peer that does not take its farewell.
TlsStream::~TlsStream() {
  inner_->set_blocking(false);
  shut_down_writing();
}

IoResult TlsStream::read(MutableBytes into) { return read_with(into, nullptr); }

IoResult TlsStream::read_stamped(MutableBytes into, std::chrono::nanoseconds& age) {
  age = std::chrono::nanoseconds(0);
  return read_with(into, &age);
}

// A peer that sends a record bit by bit has no more time for it than a silent one has for its next octet.
IoResult TlsStream::read_with(MutableBytes into, std::chrono::nanoseconds* age) {
  if (into.empty()) return {0, IoStatus::failed, EINVAL};
  if (holds_octets())
    if (const auto result = decrypted(into)) return *result;
  std::optional<Clock::time_point> until;
  for (;;) {
    const MutableBytes space = engine_->input_space();
    const IoResult arrived = age ? inner_->read_stamped(space, *age) : inner_->read(space);
    if (arrived.status != IoStatus::ok) return arrived;
    engine_->input_arrived(arrived.bytes);
    if (const auto result = decrypted(into)) return *result;
    if (patience_.count() == 0) continue;
    const auto now = Clock::now();
    if (!until) until = now + patience_;
    if (now < *until) continue;
    if (gives_up_) inner_->shut_down_reading();
    return {0, IoStatus::timed_out, 0};
  }
}

// Nothing: it takes more input.
std::optional<IoResult> TlsStream::decrypted(MutableBytes into) {
  TlsEngine::Moved moved{};
  bool answers = false, storm = false;
  {
    std::lock_guard lock(engine_mutex_);
    moved = engine_->read(into);
    holds_octets_ = moved.step == TlsEngine::Step::done && engine_->holds();
    answers = engine_->answered() != 0;
    storm = engine_->answered() > most_answered;
  }
  if (answers) send_answers();
  if (storm) return IoResult{0, IoStatus::failed, EPROTO};
  switch (moved.step) {
    case TlsEngine::Step::done:
      return IoResult{moved.octets, IoStatus::ok, 0};
    case TlsEngine::Step::wants_input:
      return std::nullopt;
    case TlsEngine::Step::closed:
      return IoResult{0, IoStatus::end_of_stream, 0};
    case TlsEngine::Step::failed:
      break;
  }
  send_answers();  // the alert
  return failed();
}

IoResult TlsStream::failed() const {
  std::lock_guard lock(engine_mutex_);
  return {0, IoStatus::failed, engine_->distrusted() ? EACCES : EPROTO};
}

// Whoever is sending takes them along with what comes next.
void TlsStream::send_answers() {
  if (!sending_.try_lock()) return;
  const std::lock_guard sending(sending_, std::adopt_lock);
  {
    std::lock_guard lock(engine_mutex_);
    engine_->take_output(encrypted_);
  }
  static_cast<void>(send_encrypted());
}

// With the lock of whoever sends. ok: all of it.
IoResult TlsStream::send_encrypted() {
  std::optional<Clock::time_point> until;
  while (encrypted_from_ < encrypted_.size()) {
    const IoResult result = inner_->write(ByteView(encrypted_).subspan(encrypted_from_));
    if (result.status != IoStatus::ok) return result;
    encrypted_from_ += result.bytes;
    if (encrypted_from_ == encrypted_.size() || write_timeout_.count() == 0) continue;
    const auto now = Clock::now();
    if (!until) until = now + sips * write_timeout_;
    if (now >= *until) return {0, IoStatus::timed_out, 0};
  }
  encrypted_.clear();
  encrypted_from_ = 0;
  return {0, IoStatus::ok, 0};
}

// What it becomes is far less than a socket calls room.
bool TlsStream::has_room_for_few() {
  const std::unique_lock sending(sending_, std::try_to_lock);
  return sending && encrypted_.empty() && inner_->has_room_for_few();
}

IoResult TlsStream::write_gather(std::span<const ByteView> pieces) {
  const std::size_t size = size_of(pieces);
  if (size == 0) return {0, IoStatus::failed, EINVAL};
  std::lock_guard sending(sending_);
  if (const IoResult before = send_encrypted(); before.status != IoStatus::ok) return before;
  const std::size_t known = std::exchange(withholds_, false) ? 1 : 0;
  if (known == size) return {known, IoStatus::ok, 0};
  TlsEngine::Moved moved{};
  {
    std::lock_guard lock(engine_mutex_);
    moved = engine_->write(pieces, known);
    engine_->take_output(encrypted_);
  }
  if (moved.step != TlsEngine::Step::done) {
    static_cast<void>(send_encrypted());
    return failed();
  }
  const IoResult sent = send_encrypted();
  const std::size_t done = known + moved.octets;
  if (sent.status == IoStatus::ok) return {done, IoStatus::ok, 0};
  if (sent.status == IoStatus::failed) return sent;
  withholds_ = true;
  return done > 1 ? IoResult{done - 1, IoStatus::ok, 0} : sent;
}

bool TlsStream::set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) {
  patience_ = read;
  gives_up_ = false;
  write_timeout_ = write;
  return inner_->set_timeouts(read, write);
}

bool TlsStream::give_up_reading_after(std::chrono::nanoseconds silence) {
  patience_ = silence;
  gives_up_ = true;
  return inner_->give_up_reading_after(silence);
}

void TlsStream::shut_down_writing() {
  if (sending_.try_lock()) {
    const std::lock_guard sending(sending_, std::adopt_lock);
    {
      std::lock_guard lock(engine_mutex_);
      engine_->close();
      engine_->take_output(encrypted_);
    }
    static_cast<void>(send_encrypted());
  }
  inner_->shut_down_writing();
}

std::string TlsStream::describe() const {
  std::string text = inner_->describe();
  text.replace(0, text.find(' '), "tls");
  std::lock_guard lock(engine_mutex_);
  if (engine_->resumed()) text += " (resumed)";
  if (!engine_->reason().empty()) text += " (TLS: " + engine_->reason() + ")";
  return text;
}

}  // namespace takt::transport
