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
constexpr std::chrono::milliseconds after_failure{50};  // such as for want of descriptors
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
  thread_ = std::thread([this] { run(); });
}

ReaderServer::~ReaderServer() {
  constexpr std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(stop_.number(), &one, sizeof one);
  thread_.join();
  for (const Reader& each : all_)
    if (each.joined) owner_.leave(each.level);
}

void ReaderServer::run() {
  for (;;) {
    const bool accepts = Clock::now() >= accept_after_;
    polled_.assign(
        {{stop_.number(), POLLIN, 0}, {listener_.number(), static_cast<short>(accepts ? POLLIN : 0), 0}});
    for (const Reader& each : all_) polled_.push_back({each.socket.number(), POLLIN, 0});
    const auto patience = accepts ? look_again : after_failure;
    if (::poll(polled_.data(), polled_.size(), static_cast<int>(patience.count())) < 0 && errno != EINTR)
      std::this_thread::sleep_for(after_failure);  // no memory
    if (polled_[0].revents != 0) return;
    std::size_t place = 2;
    std::erase_if(all_, [&](Reader& each) { return !serve(each, polled_[place++].revents != 0); });
    if (polled_[1].revents != 0) accept_readers();
    readers_.store(all_.size());
  }
}

void ReaderServer::accept_readers() {
  for (int accepted = 0, refused = 0; accepted < most_accepted && refused < most_refused; ++accepted) {
    auto socket = accept_reader(listener_);
    if (socket && all_.size() < most_readers_) {
      all_.push_back({*std::move(socket), Clock::now()});  // in memory that is reserved
      continue;
    }
    if (socket || socket.error() == EACCES) {
      refused_.fetch_add(1);
      if (++refused == most_refused) accept_after_ = Clock::now() + after_failure;
      continue;
    }
    if (socket.error() != EAGAIN) accept_after_ = Clock::now() + after_failure;
    return;
  }
}

bool ReaderServer::serve(Reader& reader, bool readable) {
  if (!readable) return reader.joined || Clock::now() - reader.since < greeting_patience;
  if (reader.joined) {
    owner_.leave(reader.level);
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
  reader.level = greeted->number;
  reader.joined = send_greeting(reader.socket, {ring->bytes}, *ring->memory) == 0;
  if (!reader.joined) owner_.leave(reader.level);
  return reader.joined;
}

}  // namespace takt::event_ring
