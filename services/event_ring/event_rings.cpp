#include "event_ring/event_rings.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/encoder.h>
#include <takt/corba.h>

#include "Takt_EventRingS.h"
#include "event_ring/handover/reader_server.h"
#include "event_ring/memory/ring_writer.h"
#include "event_ring/memory/shared_memory.h"
#include "octets/random.h"
#include "rt_events/model/designators.h"

namespace takt::event_ring {
namespace {

constexpr const char* key = "TaktEventRing";

// The figures of a level's ring, or of its rings one after the other.
struct Totals {
  std::atomic<std::uint64_t> events{0}, lost{0}, too_long{0}, reader_losses{0};
  std::atomic<std::uint64_t> readers{0}, octets{0}, occupied{0};  // now
};

// Writes the events of a level into its ring. Allocates for events that are longer than those before.
class RingOutput final : public EventConsumer {
 public:
  RingOutput(SharedMemory memory, std::uint32_t bytes, Totals& totals)
      : memory_(std::move(memory)), writer_(memory_.data(), bytes), totals_(totals) {}

  void attach(EventConnection& connection) { connection_.store(&connection); }
  bool takes_several() const override { return true; }
  void push(const EventList& events) override {
    skip_discarded();
    for (std::size_t i = 0; i < events.size(); ++i) write(events, i);
    publish();
  }
  // No call of push() runs, and there will be none.
  void end() {
    writer_.end();
    ring_bell(writer_.bell());
  }

 private:
  // Events that the channel's queue has given up are a loss of all readers.
  void skip_discarded() {
    const EventConnection* const connection = connection_.load();
    if (!connection) return;
    const std::uint64_t discarded = connection->counts().discarded;
    if (discarded == discarded_) return;
    totals_.lost.fetch_add(discarded - discarded_, std::memory_order_relaxed);
    writer_.skip(discarded - discarded_);
    discarded_ = discarded;
  }
  void write(const EventList& events, std::size_t i) {
    if (!encode(events, i)) {
      writer_.skip(1);
      totals_.lost.fetch_add(1, std::memory_order_relaxed);
    } else if (writer_.put({buffer_.owned(), buffer_.owned_size()})) {
      totals_.events.fetch_add(1, std::memory_order_relaxed);
    } else {
      totals_.lost.fetch_add(1, std::memory_order_relaxed);
      totals_.too_long.fetch_add(1, std::memory_order_relaxed);
    }
  }
  bool encode(const EventList& events, std::size_t i) {
    try {
      buffer_.clear();
      cdr::Encoder encoder(buffer_);
      encoder.set_borrowing(false);
      events.write(encoder, i);
      return encoder.ok();
    } catch (const std::bad_alloc&) {
      return false;
    }
  }
  void publish() {
    writer_.publish();
    totals_.occupied.store(writer_.used_bytes(), std::memory_order_relaxed);
    ring_bell(writer_.bell());
  }

  const SharedMemory memory_;
  RingWriter writer_;
  Totals& totals_;
  GatherBuffer buffer_;
  std::uint64_t discarded_ = 0;
  std::atomic<EventConnection*> connection_{nullptr};
};

struct LevelRing {
  std::size_t readers = 0;
  Descriptor memory;
  std::shared_ptr<RingOutput> output;
  std::unique_ptr<EventConnection> connection;
};

}  // namespace

class EventRings::Parts final : public RingOwner {
 public:
  Parts(EventChannel& channel, EventRingOptions options)
      : channel_(channel),
        options_(std::move(options)),
        totals_(channel.levels().size()),
        rings_(channel.levels().size()) {}

  std::expected<Ring, std::string> join(std::uint32_t level) override {
    std::string fault = "there is no level " + std::to_string(level);
    if (level < rings_.size()) fault = rings_[level].readers == 0 ? open(level) : "";
    if (!fault.empty()) {
      report("a reader gets no shared buffer: " + fault);
      return std::unexpected(std::move(fault));
    }
    totals_[level].readers = ++rings_[level].readers;
    return Ring{&rings_[level].memory, static_cast<std::uint32_t>(options_.bytes)};
  }
  void leave(std::uint32_t level) noexcept override {
    LevelRing& ring = rings_[level];
    totals_[level].readers = --ring.readers;
    if (ring.readers > 0) return;
    ring.connection->disconnect();
    ring.output->end();
    ring = {};
    totals_[level].octets = 0;
    totals_[level].occupied = 0;
  }
  void note_losses(std::uint32_t level, std::uint64_t events) noexcept override {
    totals_[level].reader_losses += events;
  }

  std::string serve() {
    auto server = ReaderServer::start(*this, octets::random_token(), options_.readers);
    if (!server) return std::move(server.error());
    server_ = *std::move(server);
    token_ = server_->token();
    return {};
  }
  void stop() {
    const std::lock_guard one(stops_);
    std::unique_ptr<ReaderServer> ends;  // without mutex_: its thread may be in a call of the program
    {
      const std::lock_guard lock(mutex_);
      ends = std::move(server_);
    }
  }
  EventRingCounts counts() const {
    const std::lock_guard lock(mutex_);
    const auto readers = server_ ? server_->counts() : ReaderServer::Counts{};
    EventRingCounts counts{.readers = readers.readers, .refused = readers.refused};
    for (const Totals& each : totals_) {
      counts.events += each.events;
      counts.lost += each.lost;
      counts.too_long += each.too_long;
      counts.reader_losses += each.reader_losses;
    }
    return counts;
  }
  Takt::RtEvents::RingsState look(std::uint32_t most_readers) const {
    Takt::RtEvents::RingsState rings;
    for (std::size_t i = 0; i < totals_.size(); ++i)
      rings.buffers().push_back(state_of(static_cast<std::uint32_t>(i), totals_[i]));
    std::vector<ReaderFigures> readers;
    {
      const std::lock_guard lock(mutex_);
      if (!server_) return rings;
      rings.refused(server_->counts().refused);
      readers = server_->readers();
    }
    std::ranges::stable_sort(readers, std::greater(), [](const auto& each) { return each.report.lost; });
    readers.resize(std::min<std::size_t>(readers.size(), most_readers));
    for (const ReaderFigures& each : readers) rings.readers().push_back(state_of(each));
    return rings;
  }
  const std::string& token() const { return token_; }
  std::size_t levels() const { return rings_.size(); }

 private:
  static Takt::RtEvents::Ring state_of(std::uint32_t level, const Totals& totals) {
    Takt::RtEvents::Ring ring{};
    ring.level(level);
    ring.readers(totals.readers);
    ring.events(totals.events);
    ring.lost(totals.lost);
    ring.too_long(totals.too_long);
    ring.octets(totals.octets);
    ring.occupied(totals.occupied);
    ring.reader_losses(totals.reader_losses);
    return ring;
  }
  static Takt::RtEvents::RingReader state_of(const ReaderFigures& figures) {
    Takt::RtEvents::RingReader reader{};
    reader.number(figures.number);
    reader.level(figures.level);
    reader.process(figures.process);
    reader.read(figures.report.read);
    reader.lost(figures.report.lost);
    return reader;
  }
  void report(const std::string& text) const {
    if (!options_.report) return;
    try {
      options_.report(text);
    } catch (...) {  // the program may throw anything
    }
  }
  std::string open(std::uint32_t level) {
    auto memory = SharedMemory::create(static_cast<std::uint32_t>(options_.bytes));
    if (!memory) return "its memory cannot be made: " + std::generic_category().message(memory.error());
    auto output = std::make_shared<RingOutput>(std::move(memory->first),
                                               static_cast<std::uint32_t>(options_.bytes), totals_[level]);
    auto connection = channel_.connect(output, {.filter = rt_events::filters::event(rt_events::any_type),
                                                .level = level,
                                                .name = "shared buffer",
                                                .queued_events = options_.queued_events});
    if (!connection) return std::move(connection.error());
    output->attach(**connection);
    totals_[level].octets = options_.bytes;
    rings_[level] = {0, std::move(memory->second), std::move(output), *std::move(connection)};
    return {};
  }

  EventChannel& channel_;
  const EventRingOptions options_;
  std::vector<Totals> totals_;    // by level
  std::vector<LevelRing> rings_;  // used by the server's thread, and after its end by the one that ends it
  std::string token_;
  std::mutex stops_;
  mutable std::mutex mutex_;
  std::unique_ptr<ReaderServer> server_;  // with the mutex
};

namespace {

class SourceServant final : public virtual CORBA::servant_traits<Takt::EventRing::Source>::base_type {
 public:
  SourceServant(Takt::EventRing::Offer offer, rt_events::EventChannelService::ChannelRef channel)
      : offer_(std::move(offer)), channel_(std::move(channel)) {}
  Takt::EventRing::Offer rings() override { return offer_; }
  rt_events::EventChannelService::ChannelRef channel() override { return channel_; }

 private:
  const Takt::EventRing::Offer offer_;
  const rt_events::EventChannelService::ChannelRef channel_;
};

}  // namespace

std::expected<std::unique_ptr<EventRings>, std::string> EventRings::start(
    const CORBA::object_reference<CORBA::ORB>& orb, rt_events::EventChannelService& service,
    EventRingOptions options) {
  if (!is_ring_size(options.bytes))
    return std::unexpected("a shared buffer has a power of two of octets, from 64 KiB to 64 MiB");
  constexpr std::size_t most_readers = 65'536;
  if (options.readers == 0 || options.readers > most_readers)
    return std::unexpected("shared buffers have 1 to 65536 readers");
  if (service.is_scheduled())
    return std::unexpected(
        "readers of a shared buffer name no operation of the scheduling service, so its bounds would not "
        "hold for what the channel does for them; without a shared buffer, consumers on this machine get "
        "each event by a call, which the schedule counts");
  try {
    return make(orb, service, std::move(options));
  } catch (const CORBA::Exception& failure) {  // an ORB that ends, or that has such an object
    return std::unexpected(std::string(failure.what()));
  }
}

std::expected<std::unique_ptr<EventRings>, std::string> EventRings::make(
    const CORBA::object_reference<CORBA::ORB>& orb, rt_events::EventChannelService& service,
    EventRingOptions options) {
  using namespace PortableServer;
  auto parts = std::make_unique<Parts>(service.channel(), std::move(options));
  if (std::string fault = parts->serve(); !fault.empty()) return std::unexpected(std::move(fault));
  const auto root = IDL::traits<POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const auto adapter = root->create_POA("EventRing", root->the_POAManager(),
                                        {root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
                                         root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT)});
  Takt::EventRing::Offer offer;
  offer.token(parts->token());
  offer.levels(static_cast<std::uint32_t>(parts->levels()));
  const std::string id = "source";
  adapter->activate_object_with_id({id.begin(), id.end()},
                                   CORBA::make_reference<SourceServant>(offer, service.reference()));
  orb->register_object_key(key, adapter->id_to_reference({id.begin(), id.end()}));
  return std::unique_ptr<EventRings>(new EventRings(service, std::move(parts)));
}

EventRings::EventRings(rt_events::EventChannelService& service, std::unique_ptr<Parts> parts)
    : service_(service), parts_(std::move(parts)) {
  service_.show_rings([parts = parts_.get()](std::uint32_t most) { return parts->look(most); });
}
EventRings::~EventRings() {
  stop();
  service_.show_rings({});
}
EventRingCounts EventRings::counts() const { return parts_->counts(); }
void EventRings::stop() { parts_->stop(); }

}  // namespace takt::event_ring
