#include "event_ring/ring_consumer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <takt/corba.h>

#include "RtecEventCommS.h"
#include "Takt_EventRingC.h"
#include "event_ring/event_decoder.h"
#include "event_ring/handover/local_socket.h"
#include "event_ring/memory/ring_reader.h"
#include "event_ring/memory/shared_memory.h"
#include "rt_events/model/filter.h"

namespace takt::event_ring {
namespace {

namespace admin = RtecEventChannelAdmin;
using ObjectRef = CORBA::object_reference<CORBA::Object>;
using ChannelRef = CORBA::object_reference<admin::EventChannel>;
using Events = std::span<const RtecEventComm::Event>;
constexpr std::size_t most_together = 256;
constexpr std::size_t most_octets_together = 64 * 1024;  // records that are read, without the last one
constexpr std::size_t kept_octets = 4 * 1024;  // events of longer records are freed after their call

// Calls the program, and counts.
class Recipient {
 public:
  Recipient(RingConsumer::Receive receive, std::function<void(const std::string&)> ended)
      : receive_(std::move(receive)), ended_(std::move(ended)) {}

  void receive(Events events) {
    try {
      receive_(events);
    } catch (...) {  // the program may throw anything
      add(failures, 1);
    }
    add(received, events.size());
  }
  void end(const std::string& why) {
    if (has_ended_.exchange(true) || !ended_) return;
    try {
      ended_(why);
    } catch (...) {  // the program may throw anything
      add(failures, 1);
    }
  }
  static void add(std::atomic<std::uint64_t>& count, std::uint64_t more) {
    count.fetch_add(more, std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> received{0}, failures{0};

 private:
  const RingConsumer::Receive receive_;
  const std::function<void(const std::string&)> ended_;
  std::atomic<bool> has_ended_{false};
};

struct Handover {
  Descriptor socket;
  SharedMemory memory;
  std::uint32_t ring_bytes = 0;
};

std::expected<Handover, std::string> obtain(const std::string& token, std::uint32_t level,
                                            std::chrono::milliseconds patience) {
  const auto because = [](int error) {
    if (error == EACCES) return std::string("the channel belongs to another user");
    if (error == ECONNREFUSED) return std::string("the channel's process is not on this machine");
    if (error == EPIPE || error == ECONNRESET)
      return std::string("the channel has no room for another reader, or no memory");
    if (error == EPROTO) return std::string("the channel offers something that is no shared buffer");
    return "the shared buffer cannot be had: " + std::generic_category().message(error);
  };
  if (!is_token(token)) return std::unexpected(because(EPROTO));
  auto socket = connect_to(token, patience);
  if (!socket) return std::unexpected(because(socket.error()));
  if (const int error = send_greeting(*socket, {level})) return std::unexpected(because(error));
  const auto greeted = receive_memory(*socket);
  if (!greeted) return std::unexpected(because(greeted.error()));
  if (!greeted->memory.is_open()) return std::unexpected(because(EMFILE));
  const std::uint32_t ring_bytes = greeted->greeting.number;
  auto memory = SharedMemory::adopt(greeted->memory, ring_bytes);
  if (!memory) return std::unexpected(because(memory.error()));
  return Handover{*std::move(socket), *std::move(memory), ring_bytes};
}

class SharedConsumer final : public RingConsumer {
 public:
  SharedConsumer(Handover from, rt_events::Filter filter, const ObjectRef& source,
                 RingConsumerOptions options, Receive receive)
      : from_(std::move(from)),
        filter_(std::move(filter)),
        reader_(from_.memory.data(), from_.ring_bytes),
        decoder_(source),
        recipient_(std::move(receive), std::move(options.ended)),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}
  ~SharedConsumer() override {
    thread_.request_stop();
    ring_bell(reader_.bell());  // other readers wake, too, and sleep again
  }

  bool shares() const override { return true; }
  RingConsumerCounts counts() const override {
    return {recipient_.received.load(), filtered_.load(), lost_.load(), malformed_.load(),
            recipient_.failures.load()};
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds look_again{100};  // whether the channel's process lives
  static constexpr std::chrono::milliseconds report_period{500};

  void run(const std::stop_token& stop) {
    try {
      read(stop);
    } catch (const std::bad_alloc&) {
      recipient_.end("there is no memory for an event");
    } catch (...) {
      recipient_.end("an event cannot be read");
    }
  }
  void read(const std::stop_token& stop) {
    bool closed = false;
    while (!stop.stop_requested()) {
      const std::uint32_t bell = reader_.bell().load(std::memory_order_acquire);
      const RingReader::Next next = take();
      lost_.store(reader_.lost(), std::memory_order_relaxed);
      if (count_ > 0) recipient_.receive(Events(events_.data(), count_));
      free_long_events();
      report();
      if (next == RingReader::Next::record) continue;
      if (next == RingReader::Next::broken) return recipient_.end("the shared buffer is damaged");
      if (next == RingReader::Next::ended) return recipient_.end("the channel has ended");
      if (closed) return recipient_.end("the channel's process has ended");
      std::this_thread::yield();  // while events come fast, more of them are there afterwards
      wait_for_bell(reader_.bell(), bell, look_again);
      closed = reader_.bell().load(std::memory_order_relaxed) == bell && has_closed(from_.socket);
    }
  }
  // Takes events into events_.
  RingReader::Next take() {
    count_ = 0;
    std::size_t octets = 0;
    for (std::size_t seen = 0; seen < most_together && octets < most_octets_together; ++seen) {
      const RingReader::Next next = reader_.next();
      if (next != RingReader::Next::record) return next;
      octets += reader_.record().size();
      take_record();
    }
    return RingReader::Next::record;
  }
  void take_record() {
    const auto kind = EventDecoder::kind_of(reader_.record());
    if (kind && !filter_.accepts(kind->type, kind->source)) return Recipient::add(filtered_, 1);
    if (events_.size() == count_) events_.emplace_back();
    if (kind && decoder_.decode(reader_.record(), events_[count_])) {
      octets_[count_++] = reader_.record().size();
    } else {
      events_[count_] = {};
      Recipient::add(malformed_, 1);
    }
  }
  // For the operators of the channel.
  void report() {
    const auto now = Clock::now();
    if (now < report_after_) return;
    const ReaderReport next{recipient_.received.load(std::memory_order_relaxed) + filtered_ + malformed_,
                            reader_.lost()};
    if (next == reported_) return;
    report_after_ = now + report_period;
    reported_ = next;
    send_report(from_.socket, next);
  }
  void free_long_events() {
    for (std::size_t i = 0; i < count_; ++i)
      if (octets_[i] > kept_octets) events_[i] = {};
  }

  const Handover from_;
  const rt_events::Filter filter_;
  RingReader reader_;
  const EventDecoder decoder_;
  Recipient recipient_;
  std::vector<RtecEventComm::Event> events_;
  std::array<std::size_t, most_together> octets_{};  // each event's record
  std::size_t count_ = 0;
  ReaderReport reported_;
  Clock::time_point report_after_;
  std::atomic<std::uint64_t> filtered_{0}, lost_{0}, malformed_{0};
  std::jthread thread_;  // the last: it uses the others
};

// Gets events by calls of the channel.
class CalledConsumer final : public RingConsumer {
 public:
  CalledConsumer(const CORBA::object_reference<CORBA::ORB>& orb, const ChannelRef& channel,
                 RingConsumerOptions options, Receive receive)
      : servant_(CORBA::make_reference<Servant>(std::move(receive), std::move(options.ended))),
        root_(IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"))),
        id_(root_->activate_object(servant_)) {
    try {
      proxy_ = channel->for_consumers()->obtain_push_supplier();
      proxy_->connect_push_consumer(
          IDL::traits<RtecEventComm::PushConsumer>::unchecked_narrow(root_->id_to_reference(id_)),
          wanted(options));
    } catch (...) {
      deactivate();
      throw;
    }
  }
  ~CalledConsumer() override {
    try {
      proxy_->disconnect_push_supplier();
    } catch (const CORBA::Exception&) {  // the channel has gone
    }
    deactivate();
    servant_->stop();
  }

  bool shares() const override { return false; }
  RingConsumerCounts counts() const override {
    return {servant_->recipient.received.load(), 0, 0, 0, servant_->recipient.failures.load()};
  }

 private:
  class Servant final : public virtual CORBA::servant_traits<RtecEventComm::PushConsumer>::base_type {
   public:
    Servant(Receive receive, std::function<void(const std::string&)> ended)
        : recipient(std::move(receive), std::move(ended)) {}
    void push(const RtecEventComm::EventSet& events) override {
      const std::lock_guard lock(mutex_);
      if (stopped_) return;
      for (std::size_t i = 0; i < events.size(); i += most_together)
        recipient.receive(Events(events).subspan(i, std::min(most_together, events.size() - i)));
    }
    void disconnect_push_consumer() override {
      const std::lock_guard lock(mutex_);
      if (!stopped_) recipient.end("the channel has ended");
    }
    void stop() {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }

    Recipient recipient;

   private:
    std::mutex mutex_;
    bool stopped_ = false;
  };

  static admin::ConsumerQOS wanted(const RingConsumerOptions& options) {
    admin::ConsumerQOS qos;
    for (const auto& entry : options.filter) {
      admin::Dependency& dependency = qos.dependencies().emplace_back();
      dependency.event().header().type(entry.type);
      dependency.event().header().source(entry.source);
      dependency.event().header().creation_time(entry.time);
      dependency.rt_info(static_cast<std::int32_t>(options.level + 1));
    }
    return qos;
  }
  void deactivate() noexcept {
    try {
      root_->deactivate_object(id_);
    } catch (const CORBA::Exception&) {  // the ORB ends
    }
  }

  const CORBA::servant_reference<Servant> servant_;
  const CORBA::object_reference<PortableServer::POA> root_;
  const PortableServer::ObjectId id_;
  CORBA::object_reference<admin::ProxyPushSupplier> proxy_;
};

// The channel's rings, or why there are none.
std::expected<Handover, std::string> share(Takt::EventRing::Source* source, const rt_events::Filter& filter,
                                           const RingConsumerOptions& options) {
  if (!source) return std::unexpected("the channel has no shared buffer");
  if (!filter.is_plain())
    return std::unexpected("the channel evaluates filters that collect events or have timers");
  const Takt::EventRing::Offer offer = source->rings();
  return obtain(offer.token(), static_cast<std::uint32_t>(options.level), options.patience);
}

}  // namespace

std::expected<std::unique_ptr<RingConsumer>, std::string> RingConsumer::connect(
    const CORBA::object_reference<CORBA::ORB>& orb, const CORBA::object_reference<CORBA::Object>& source,
    RingConsumerOptions options, Receive receive) try {
  if (!source || !receive) return std::unexpected("there is no channel, or no function for its events");
  auto filter = rt_events::Filter::parse(options.filter);
  if (!filter)
    return std::unexpected("entry " + std::to_string(filter.error().entry) +
                           " of the filter: " + filter.error().text);
  const auto rings = IDL::traits<Takt::EventRing::Source>::narrow(source);
  if (rings && options.level >= rings->rings().levels())
    return std::unexpected("level " + std::to_string(options.level) + " does not exist");
  if (auto shared = share(rings.get(), *filter, options))
    return std::make_unique<SharedConsumer>(*std::move(shared), *std::move(filter), source,
                                            std::move(options), std::move(receive));
  else if (options.report)
    options.report("events come by calls, because " + shared.error());
  const ChannelRef channel = rings ? rings->channel() : IDL::traits<admin::EventChannel>::narrow(source);
  if (!channel) return std::unexpected("the reference is not that of a channel");
  return std::make_unique<CalledConsumer>(orb, channel, std::move(options), std::move(receive));
} catch (const admin::TypeError&) {
  return std::unexpected("the channel does not take the filter, or has no such level");
} catch (const CORBA::Exception& failure) {
  return std::unexpected(std::string(failure.what()));
} catch (const std::system_error& failure) {
  return std::unexpected(std::string("the consumer has no thread: ") + failure.what());
}

}  // namespace takt::event_ring
