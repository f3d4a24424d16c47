#include "tls/tls_stream.h"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <utility>

namespace takt::transport {

namespace {

// Limit of octets that a peer may cause with alerts and key updates without making a request.
constexpr std::size_t most_answered = 1024;

}  // namespace

TlsStream::TlsStream(std::unique_ptr<Stream> inner, std::shared_ptr<TlsContext> context,
                     std::unique_ptr<TlsEngine> engine)
    : LayeredStream(std::move(inner), this),
      context_(std::move(context)),
      engine_(std::move(engine)),
      peer_(engine_->peer()) {}

// Does not block if the peer does not read the close_notify.
TlsStream::~TlsStream() {
  inner_->set_blocking(false);
  shut_down_writing();
}

std::optional<IoResult> TlsStream::converted(MutableBytes into) {
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

// If another thread is sending, it sends the answers with its own octets.
void TlsStream::send_answers() {
  if (!sending_.try_lock()) return;
  const std::lock_guard sending(sending_, std::adopt_lock);
  {
    std::lock_guard lock(engine_mutex_);
    engine_->take_output(kept());
  }
  static_cast<void>(send_kept());
}

// The encrypted record is much shorter than what a socket reports as room.
bool TlsStream::has_room_for_small_write() {
  const std::unique_lock sending(sending_, std::try_to_lock);
  return sending && !keeps() && inner_->has_room_for_small_write();
}

IoResult TlsStream::write_gather(std::span<const ByteView> pieces) {
  const std::size_t size = size_of(pieces);
  if (size == 0) return {0, IoStatus::failed, EINVAL};
  std::lock_guard sending(sending_);
  if (const auto result = begin_write(size)) return *result;
  TlsEngine::Moved moved{};
  {
    std::lock_guard lock(engine_mutex_);
    moved = engine_->write(pieces);
    engine_->take_output(kept());
  }
  if (moved.step != TlsEngine::Step::done) {
    static_cast<void>(send_kept());
    return failed();
  }
  return written(moved.octets, send_kept());
}

void TlsStream::shut_down_writing() {
  if (sending_.try_lock()) {
    const std::lock_guard sending(sending_, std::adopt_lock);
    {
      std::lock_guard lock(engine_mutex_);
      engine_->close();
      engine_->take_output(kept());
    }
    static_cast<void>(send_kept());
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
