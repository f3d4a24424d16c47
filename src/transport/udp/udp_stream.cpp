#include "transport/udp/udp_stream.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>

#include "base/owned_by_thread.h"
#include "os/net/datagram_sockets.h"
#include "os/poll/wait.h"
#include "os/shared_memory/futex.h"

namespace takt::transport {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t longest_datagram = 64 * 1024;
constexpr std::size_t most_held = 256 * 1024;
constexpr int looks_at_once = 64;
// A peer that has gone may have left a full buffer, in which what is new comes after repetitions. Each that
// is acknowledged gives an error, too.
constexpr int looks_after_failure = 4096;
constexpr auto shortest_given_up = 1s;  // minimum for Stream::set_silence_limit()
constexpr auto longest_end = 300ms;     // limit of the wait in UdpStream::send_rest()

// A buffer for arriving datagrams, used before it is known how much of them are headers.
MutableBytes arrival_space() {
  struct Space {
    std::vector<std::uint8_t> octets = std::vector<std::uint8_t>(longest_datagram);
  };
  return owned_by_thread<Space>().octets;
}

}  // namespace

UdpStream::UdpStream(os::Socket socket, const UdpEnd& end, const UdpOptions& options, StreamEnds ends,
                     std::string peer_host)
    : Stream({.self_pacing = this, .marking = this, .peer = this}),
      socket_(std::move(socket)),
      end_(end),
      options_(options),
      ends_(std::move(ends)),
      peer_host_(std::move(peer_host)),
      longest_bytes_(Datagram::head_bytes + options.limits.datagram_bytes),
      flow_(end.token, options.limits),
      most_bundled_(std::min(os::most_bundled_bytes / longest_bytes_, os::most_bundled)),
      quiet_until_(options.repeat_after) {
  set_read_timeout(0ns);
  os::take_bundles(socket_);
}

UdpStream::~UdpStream() {
  if (end_.client) send_rest();
  shut_down();
}

// The peer's window may not have let all octets of a long oneway leave, and the thread that wrote it may not
// have received since.
void UdpStream::send_rest() noexcept {
  const auto until = os::Clock::now() + longest_end;
  for (Lock state(state_); !writing_over_ && failure_ == 0 && !flow_.peer_deaf() && flow_.unsent();) {
    const bool progress = take_heads();
    const auto now = os::Clock::now();
    if (!progress) repeat_if_due(now, state);
    if (transmit(state) != 0 || now >= until) return;
    if (progress) continue;
    state.unlock();
    await_datagram(now, std::min<std::chrono::nanoseconds>(until - now, options_.repeat_after));
    state.lock();
  }
}

// Takes what has arrived, without the bodies, because no thread will read them. Returns whether there is more
// room.
bool UdpStream::take_heads() {
  const std::size_t room = flow_.room();
  Datagram::Head head;
  const MutableBytes whole = head;
  for (int looks = 0; looks < looks_at_once; ++looks) {
    const IoResult received = os::receive_datagram(socket_, {&whole, 1}, false);
    if (received.status == IoStatus::failed) note_failure(received.error);
    if (received.status != IoStatus::ok) break;
    const auto datagram = received.bytes == head.size() ? Datagram::decode(head) : std::nullopt;
    if (!datagram || datagram->token != end_.token) continue;
    if (datagram->kind == Datagram::Kind::data) flow_.receive(*datagram, 0);
    if (datagram->kind == Datagram::Kind::gone) failure_ = ECONNRESET;
  }
  if (flow_.room() == room) return false;
  note_progress();
  return true;
}

// A client's thread wakes up periodically to repeat, a server's to probe. The timeout is divided into equal
// parts.
bool UdpStream::set_read_timeout(std::chrono::nanoseconds timeout) {
  read_timeout_ = timeout;
  const auto step = end_.client ? options_.repeat_after : options_.probe_after;
  if (timeout.count() <= 0 || (end_.client && timeout > step))
    timeout = step;
  else if (timeout > step)
    timeout /= (timeout + step - 1ns) / step;
  if (timeout == system_timeout_) return true;
  system_timeout_ = timeout;
  return socket_.set_receive_timeout(timeout);
}

bool UdpStream::set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) {
  shut_down_on_timeout_ = false;
  write_timeout_ = write;
  return set_read_timeout(read);
}

bool UdpStream::set_write_timeout(std::chrono::nanoseconds write) {
  write_timeout_ = write;
  return true;
}

bool UdpStream::set_silence_limit(std::chrono::nanoseconds silence) {
  shut_down_on_timeout_ = silence >= shortest_given_up;
  return set_read_timeout(silence);
}

IoResult UdpStream::read(MutableBytes into) {
  if (into.empty()) return {0, IoStatus::failed, EINVAL};
  IoResult result;
  {
    const std::lock_guard reading(reading_);
    result = held_.empty() ? read_datagrams(into) : take_held(into);
    holds_octets_ = !held_.empty();
  }
  wake_writer();
  return result;
}

IoResult UdpStream::take_held(MutableBytes into) {
  const auto count = std::min(into.size(), held_.size() - held_from_);
  std::copy_n(held_.begin() + static_cast<std::ptrdiff_t>(held_from_), count, into.begin());
  held_from_ += count;
  if (held_from_ == held_.size()) {
    held_.clear();
    held_from_ = 0;
  }
  return {count, IoStatus::ok, 0};
}

IoResult UdpStream::read_datagrams(MutableBytes into) {
  std::optional<os::TimePoint> since;
  for (int looks = 0;;) {
    if (peer_ended_) return {0, IoStatus::end_of_stream, 0};
    // The system reports a closed port before it delivers datagrams that came from it earlier, such as the
    // last ones of a server that shut down in good order.
    const bool wait = blocking_ && failure_ == 0;
    std::size_t delivered = 0;
    const IoResult received = receive_one(into, wait, delivered);
    if (delivered != 0) return {delivered, IoStatus::ok, 0};
    const bool enough = !wait && ++looks >= (failure_ == 0 ? looks_at_once : looks_after_failure);
    if (received.status == IoStatus::failed && !enough) continue;
    if (const auto ended = without_delivery(received, enough)) return *ended;
    if (wait && after_silence(received.status == IoStatus::timed_out, since) != IoStatus::ok)
      return {0, IoStatus::timed_out, 0};
  }
}

// The result of a read that has received nothing useful; nullopt: try again. `enough`: it has tried often.
std::optional<IoResult> UdpStream::without_delivery(const IoResult& received, bool enough) {
  if (const int error = failure_; error != 0 && (received.status != IoStatus::ok || enough))
    return IoResult{0, IoStatus::failed, error};
  const bool would_block = received.status == IoStatus::would_block;
  if (reading_over_) {
    if (would_block) return IoResult{0, IoStatus::end_of_stream, 0};
    if (received.status == IoStatus::end_of_stream || received.status == IoStatus::timed_out) return received;
  }
  if (!would_block && !enough) return std::nullopt;
  const Lock state(state_);
  if (end_.client) repeat_if_due(os::Clock::now(), state);
  return IoResult{0, IoStatus::would_block, 0};
}

// The clock is read only here, when a read has received nothing useful. `timed_out`: the timeout has passed.
IoStatus UdpStream::after_silence(bool silent, std::optional<os::TimePoint>& since) {
  const auto now = os::Clock::now();
  if (!since) since = silent ? now - system_timeout_ : now;
  if (end_.client) {
    const Lock state(state_);
    if (!quiet_since_) quiet_since_ = since;
    repeat_if_due(now, state);
  } else if (silent) {
    welcome();
  }
  if (read_timeout_.count() <= 0 || now - *since < read_timeout_) return IoStatus::ok;
  if (shut_down_on_timeout_) shut_down_reading();
  return IoStatus::timed_out;
}

// Receives one datagram, or several that arrived together, useful or not. `delivered` counts the octets that
// continue the stream.
IoResult UdpStream::receive_one(MutableBytes into, bool wait, std::size_t& delivered) {
  const MutableBytes space = arrival_space();
  std::size_t each = 0;
  IoResult received = os::receive_bundle(socket_, space, wait, each);
  if (received.status == IoStatus::failed) received.error = note_failure(received.error);
  if (received.status != IoStatus::ok) return received;
  const Lock state(state_);
  for (ByteView left = ByteView(space).first(received.bytes); !left.empty();) {
    const ByteView octets = left.first(std::min(each, left.size()));
    if (!take_datagram(octets, into, delivered, state)) return {0, IoStatus::failed, failure_};
    left = left.subspan(octets.size());
  }
  if (const int error = transmit(state)) failure_ = error;
  return received;
}

// False: the connection is over.
bool UdpStream::take_datagram(ByteView octets, MutableBytes into, std::size_t& delivered, const Lock&) {
  const auto datagram = Datagram::decode(octets);
  if (!datagram) return true;
  using Kind = Datagram::Kind;
  if (datagram->kind == Kind::open && !end_.client && datagram->token == end_.number) welcome();
  if (datagram->token != end_.token) return true;
  heard_.store(true, std::memory_order_relaxed);
  if (datagram->kind == Kind::data)
    take_body(*datagram, octets.subspan(Datagram::head_bytes), into, delivered);
  if (datagram->kind != Kind::gone || !end_.client) return true;
  failure_ = ECONNRESET;
  return false;
}

// Holds what does not fit for the next read. If too much is held, because this end writes without reading, it
// drops the octets, which will be repeated. It still processes the header, or neither end would make
// progress.
void UdpStream::take_body(Datagram head, ByteView body, MutableBytes into, std::size_t& delivered) {
  if (held_.size() >= most_held) {
    body = {};
    head.flags &= static_cast<std::uint8_t>(~(Datagram::end | Datagram::deaf));
  }
  const std::size_t room = flow_.room();
  const auto fresh = flow_.receive(head, body.size());
  peer_ended_ = flow_.peer_ended();
  if (fresh.count != 0 || flow_.room() != room) note_progress();
  const ByteView octets = body.subspan(fresh.skip, fresh.count);
  const std::size_t fits = std::min(octets.size(), into.size() - delivered);
  std::copy_n(octets.begin(), fits, into.begin() + static_cast<std::ptrdiff_t>(delivered));
  delivered += fits;
  held_.insert(held_.end(), octets.begin() + static_cast<std::ptrdiff_t>(fits), octets.end());
}

void UdpStream::welcome() {
  const auto head = Datagram{Datagram::Kind::welcome, 0, end_.number, 0, 0}.encode();
  const auto token = encode_token(end_.token);
  const ByteView pieces[] = {head, token};
  os::send_datagram(socket_, pieces);
}

int UdpStream::note_failure(int error) {
  if (error == ECONNREFUSED) error = ECONNRESET;  // the peer's port is closed, so the peer is gone
  return failure_ = error;
}

void UdpStream::note_progress() {
  quiet_since_.reset();
  quiet_until_ = options_.repeat_after;
  if (writer_waits_) {
    room_made_.fetch_add(1);
    os::wake_futex(room_made_);
  }
}

void UdpStream::repeat_if_due(os::TimePoint now, const Lock& state) {
  if (!quiet_since_) quiet_since_ = now;
  if (now - *quiet_since_ < quiet_until_) return;
  quiet_until_ += std::min(quiet_until_, std::max(options_.longest_repeat, options_.repeat_after));
  flow_.repeat();
  transmit(state);
}

os::TimePoint UdpStream::next_read_deadline() {
  if (!end_.client) return os::no_deadline;
  const Lock state(state_);
  if (!quiet_since_) quiet_since_ = os::Clock::now();
  return *quiet_since_ + quiet_until_;
}

void UdpStream::probe_silent_peer(os::TimePoint now) {
  if (end_.client) return;
  if (heard_.exchange(false, std::memory_order_relaxed)) heard_at_ = now;
  if (now - heard_at_ < options_.probe_after) return;
  heard_at_ = now;
  welcome();
}

bool UdpStream::holds_unsent() {
  const Lock state(state_);
  return failure_ == 0 && !flow_.peer_deaf() && flow_.unsent();
}

// Sends what there is to send, as far as the peer's window allows. What exceeds the system's buffer counts as
// lost. Returns an errno value.
int UdpStream::transmit(const Lock& state) {
  DatagramFlow::Outgoing datagram;
  while (flow_.next(datagram)) {
    const bool whole = datagram.size() == longest_bytes_;
    const IoResult sent = whole && most_bundled_ > 1 ? send_bundle(datagram, state) : send(datagram);
    if (sent.status != IoStatus::failed || sent.error == ENOBUFS || sent.error == ENOMEM) continue;
    if (sent.error == EPIPE) return EPIPE;
    if (sent.error == ECONNREFUSED) return ECONNRESET;
    return sent.error;
  }
  return 0;
}

IoResult UdpStream::send(const DatagramFlow::Outgoing& datagram) {
  const ByteView pieces[] = {datagram.head, datagram.first, datagram.second};
  return os::send_datagram(socket_, pieces);
}

// Sends the datagram together with following ones of the same length and a last, shorter one. Once the system
// has refused bundles, each datagram is sent alone.
IoResult UdpStream::send_bundle(const DatagramFlow::Outgoing& first, const Lock&) {
  std::array<DatagramFlow::Outgoing, os::most_bundled> datagrams;
  std::array<ByteView, os::most_bundled_pieces> pieces;
  std::size_t count = 0, piece_count = 0;
  datagrams[count++] = first;
  while (datagrams[count - 1].size() == longest_bytes_ && count < most_bundled_ &&
         flow_.next(datagrams[count]))
    ++count;
  if (count > 1) {
    for (const auto& one : std::span(datagrams).first(count))
      for (const ByteView piece : {ByteView(one.head), one.first, one.second}) pieces[piece_count++] = piece;
    const IoResult sent = os::send_bundle(socket_, std::span(pieces).first(piece_count), longest_bytes_);
    if (sent.status != IoStatus::failed || sent.error != ENOTSUP) return sent;
    most_bundled_ = 1;
  }
  IoResult sent{0, IoStatus::ok, 0};
  for (const auto& one : std::span(datagrams).first(count)) sent = send(one);
  return sent;
}

IoResult UdpStream::write_gather(std::span<const ByteView> pieces) {
  if (std::ranges::all_of(pieces, &ByteView::empty)) return {0, IoStatus::failed, EINVAL};
  Lock state(state_);
  if (!flow_.acknowledged()) poll_acknowledgements();
  if (flow_.room() == 0 && !blocking_) receive_until_room(state);
  if (flow_.room() == 0 && blocking_)
    if (const IoResult waited = await_room(state); waited.status != IoStatus::ok) return waited;
  if (writing_over_ || flow_.peer_deaf()) return {0, IoStatus::failed, EPIPE};
  if (const int error = failure_) return {0, IoStatus::failed, error};
  if (flow_.room() == 0) return {0, IoStatus::would_block, 0};
  const bool first = flow_.acknowledged();
  const std::size_t count = flow_.put(pieces);
  if (first)
    note_progress();
  else
    repeat_if_due(os::Clock::now(), state);
  if (const int error = transmit(state)) {
    failure_ = error;
    return {0, IoStatus::failed, error};
  }
  return {count, IoStatus::ok, 0};
}

// Takes acknowledgements for which no thread has waited, as after oneways or overlapping replies. Receives
// only datagrams without octets, so that pollers still see the others. Called with state_ locked.
void UdpStream::poll_acknowledgements() {
  const ReaderTurn::Guest guest(reading_);
  if (!guest.inside()) return;  // the reader takes them
  Datagram::Head head;
  for (int looks = 0; looks < looks_at_once; ++looks) {
    const IoResult peeked = os::peek_datagram(socket_, head);
    if (peeked.status == IoStatus::failed) note_failure(peeked.error);
    if (peeked.status != IoStatus::ok || peeked.bytes != head.size()) break;
    const MutableBytes whole = head;
    if (os::receive_datagram(socket_, {&whole, 1}, false).bytes != head.size()) break;
    const auto datagram = Datagram::decode(head);
    if (!datagram || datagram->kind != Datagram::Kind::data || datagram->token != end_.token) continue;
    const std::size_t room = flow_.room();
    flow_.receive(*datagram, 0);
    if (flow_.room() != room) note_progress();
  }
}

// False: nothing had arrived. Unlocks state_ meanwhile; the caller holds reading_.
bool UdpStream::receive_for_room(Lock& state) {
  state.unlock();
  std::size_t delivered = 0;
  const IoResult received = receive_one({}, false, delivered);  // octets that continue the stream are held
  state.lock();
  return received.status == IoStatus::ok;
}

// Receives everything that has arrived, so that a poller waits for what comes next.
void UdpStream::receive_until_room(Lock& state) {
  // If the turn is taken, a reader receives and makes room for us.
  if (const ReaderTurn::Guest guest(reading_); guest.inside()) {
    for (int looks = 0; flow_.room() == 0 && looks < looks_at_once && receive_for_room(state);) ++looks;
    if (!held_.empty()) holds_octets_ = true;
  }
  repeat_if_due(os::Clock::now(), state);
}

bool UdpStream::has_room_for_small_write() {
  const Lock state(state_);
  return flow_.room() >= few_octets;
}

IoResult UdpStream::await_room(Lock& state) {
  const auto most = write_timeout_.load();
  const auto until = most.count() > 0 ? os::Clock::now() + most : os::no_deadline;
  for (;;) {
    if (writing_over_ || flow_.peer_deaf()) return {0, IoStatus::failed, EPIPE};
    if (const int error = failure_) return {0, IoStatus::failed, error};
    if (flow_.room() != 0) return {0, IoStatus::ok, 0};
    ReaderTurn::Guest guest(reading_);
    if (guest.inside() && receive_for_room(state) && (flow_.room() != 0 || os::Clock::now() < until))
      continue;
    const auto now = os::Clock::now();
    repeat_if_due(now, state);
    if (now >= until) return {0, IoStatus::timed_out, 0};
    const auto step = std::min<std::chrono::nanoseconds>(os::remaining(until, now), options_.repeat_after);
    const bool receives = guest.inside();
    guest.leave();
    const std::uint32_t seen = room_made_;
    writer_waits_ = true;
    state.unlock();
    if (!receives)
      os::wait_on_futex(room_made_, seen, step);
    else
      await_datagram(now, step);
    state.lock();
    writer_waits_ = false;
  }
}

// A socket whose reading is over is always readable.
void UdpStream::await_datagram(os::TimePoint now, std::chrono::nanoseconds most) {
  if (reading_over_)
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(most, 1ms));
  else
    os::wait_ready(socket_.fd(), os::Interest::read, now + most);
}

// A reader has left, so no thread receives any more.
void UdpStream::wake_writer() {
  if (!writer_waits_) return;
  room_made_.fetch_add(1);
  os::wake_futex(room_made_);
}

void UdpStream::end(bool deaf) {
  const Lock state(state_);
  if (writing_over_.exchange(true) && !deaf) return;
  flow_.end(deaf);
  transmit(state);
}

void UdpStream::shut_down() {
  if (!reading_over_ || !writing_over_) end(true);
  reading_over_ = true;
  socket_.shut_down();
  wake_writer();
}

void UdpStream::shut_down_reading() {
  reading_over_ = true;
  socket_.shut_down_reading();
}

void UdpStream::shut_down_writing() {
  end(false);
  wake_writer();
}

}  // namespace takt::transport
