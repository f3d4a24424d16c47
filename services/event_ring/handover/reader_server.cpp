#include "event_ring/handover/reader_server.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

namespace takt::event_ring {
namespace {

constexpr std::chrono::seconds greeting_patience{2};
constexpr std::chrono::milliseconds look_again{500};
constexpr std::chrono::milliseconds between_reports{100};  // after a report of a reader
constexpr std::chrono::milliseconds after_failure{50};     // such as for want of descriptors
// Connections in a round, between which other readers are served, and of those that are refused: then those
// who still wait, do so for a while. Any user can make them.
constexpr int most_accepted = 16, most_refused = 8;

std::string text_of(int error) { return std::generic_category().message(error); }

}  // namespace

std::expected<std::unique_ptr<ReaderServer>, std::string> ReaderServer::start(RingOwner& owner,
                                                                              std::string token,
                                                                              std::size_t most_readers) {
  auto listener = listen_at(token);
  if (!listener)
    return std::unexpected("the socket of the shared buffer cannot be made: " + text_of(listener.error()));
  Descriptor stop(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop.is_open()) return std::unexpected("the shared buffer's thread cannot be made: " + text_of(errno));
  try {
    return std::unique_ptr<ReaderServer>(
        new ReaderServer(owner, std::move(token), most_readers, *std::move(listener), std::move(stop)));
  } catch (const std::system_error& failure) {
    return std::unexpected(std::string("the shared buffer's thread cannot be made: ") + failure.what());
  }
}

ReaderServer::ReaderServer(RingOwner& owner, std::string token, std::size_t most_readers, Descriptor listener,
                           Descriptor stop)
    : owner_(owner),
      token_(std::move(token)),
      most_readers_(most_readers),
      listener_(std::move(listener)),
      stop_(std::move(stop)) {
  all_.reserve(most_readers_);
  polled_.reserve(2 + most_readers_);
  shown_.reserve(most_readers_);
  thread_ = std::thread([this] { run(); });
}

ReaderServer::~ReaderServer() {
  constexpr std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(stop_.number(), &one, sizeof one);
  thread_.join();
  for (const Reader& each : all_)
    if (each.joined) owner_.leave(each.figures.level);
}

void ReaderServer::run() {
  for (;;) {
    const bool accepts = Clock::now() >= accept_after_;
    polled_.assign(
        {{stop_.number(), POLLIN, 0}, {listener_.number(), static_cast<short>(accepts ? POLLIN : 0), 0}});
    const auto now = Clock::now();
    for (const Reader& each : all_)
      polled_.push_back({each.socket.number(), static_cast<short>(now < each.heard_after ? 0 : POLLIN), 0});
    const auto patience = accepts ? look_again : after_failure;
    if (::poll(polled_.data(), polled_.size(), static_cast<int>(patience.count())) < 0 && errno != EINTR)
      std::this_thread::sleep_for(after_failure);  // no memory
    if (polled_[0].revents != 0) return;
    std::size_t place = 2;
    std::erase_if(all_, [&](Reader& each) { return !serve(each, polled_[place++].revents != 0); });
    if (polled_[1].revents != 0) accept_readers();
    readers_.store(all_.size());
    show_readers();
  }
}

// In memory that is reserved.
void ReaderServer::show_readers() {
  if (!std::exchange(has_changed_, false)) return;
  const std::lock_guard lock(shown_mutex_);
  shown_.clear();
  for (const Reader& each : all_)
    if (each.joined) shown_.push_back(each.figures);
}

std::vector<ReaderFigures> ReaderServer::readers() const {
  const std::lock_guard lock(shown_mutex_);
  return shown_;
}

void ReaderServer::accept_readers() {
  for (int accepted = 0, refused = 0; accepted < most_accepted && refused < most_refused; ++accepted) {
    auto came = accept_reader(listener_);
    if (came && all_.size() < most_readers_) {
      // In memory that is reserved.
      Reader& reader = all_.emplace_back();
      reader.socket = std::move(came->socket);
      reader.since = Clock::now();
      reader.figures.process = came->process;
      continue;
    }
    if (came || came.error() == EACCES) {
      refused_.fetch_add(1);
      if (++refused == most_refused) accept_after_ = Clock::now() + after_failure;
      continue;
    }
    if (came.error() != EAGAIN) accept_after_ = Clock::now() + after_failure;
    return;
  }
}

bool ReaderServer::serve(Reader& reader, bool readable) {
  if (!readable) return reader.joined || Clock::now() - reader.since < greeting_patience;
  if (reader.joined) {
    if (take_report(reader)) return true;
    owner_.leave(reader.figures.level);
    has_changed_ = true;
    return false;
  }
  if (join(reader)) return true;
  refused_.fetch_add(1);
  return false;
}

std::optional<RingOwner::Ring> ReaderServer::ring_of(std::uint32_t level) {
  try {
    if (const auto ring = owner_.join(level)) return *ring;
  } catch (const std::bad_alloc&) {  // others may give memory back
  }
  return std::nullopt;
}

bool ReaderServer::join(Reader& reader) {
  const auto greeted = receive_greeting(reader.socket);
  if (!greeted) return false;
  const auto ring = ring_of(greeted->number);
  if (!ring) return false;
  const std::uint32_t level = greeted->number;
  reader.figures.level = level;
  reader.joined = send_greeting(reader.socket, {ring->bytes}, *ring->memory) == 0;
  if (!reader.joined) {
    owner_.leave(level);
    return false;
  }
  reader.figures.number = ++joined_;
  has_changed_ = true;
  return true;
}

// One report at a time, so that a reader that sends many delays no other.
bool ReaderServer::take_report(Reader& reader) {
  const auto report = receive_report(reader.socket);
  if (!report) return report.error() == EAGAIN;
  const ReaderReport before = std::exchange(reader.figures.report, *report);
  reader.heard_after = Clock::now() + between_reports;
  if (report->lost > before.lost) owner_.note_losses(reader.figures.level, report->lost - before.lost);
  has_changed_ = true;
  return true;
}

}  // namespace takt::event_ring
