// Shared buffers of events: readers that are overtaken, memory that lies, and how it is handed over.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <memory>
#include <new>
#include <random>
#include <thread>

#include <takt/corba.h>

#include "../../eventually.h"
#include "event_ring/event_decoder.h"
#include "event_ring/handover/reader_server.h"
#include "event_ring/memory/ring_reader.h"
#include "event_ring/memory/ring_writer.h"
#include "event_ring/memory/shared_memory.h"
#include "octets/random.h"

namespace takt::event_ring {
namespace {

using namespace std::chrono_literals;
using takt::test::eventually;
using Octets = std::vector<std::uint8_t>;
using Next = RingReader::Next;
constexpr std::uint32_t ring_bytes = least_ring_bytes;

// Memory of this process with the layout of a ring.
struct Memory {
  struct Free {
    void operator()(std::uint8_t* octets) const { ::operator delete(octets, std::align_val_t(4096)); }
  };
  static constexpr std::size_t bytes = controls_bytes + ring_bytes;

  Memory() { std::fill_n(octets.get(), bytes, std::uint8_t{0}); }
  RingControls& controls() const { return *reinterpret_cast<RingControls*>(octets.get()); }
  std::uint64_t* units() const { return reinterpret_cast<std::uint64_t*>(octets.get() + controls_bytes); }

  std::unique_ptr<std::uint8_t, Free> octets{
      static_cast<std::uint8_t*>(::operator new(bytes, std::align_val_t(4096)))};
};

// Octets that tell which record they belong to.
Octets record(std::uint64_t number, std::size_t length) {
  Octets octets(length);
  for (std::size_t i = 0; i < length; ++i) octets[i] = static_cast<std::uint8_t>(number * 131 + i * 7);
  return octets;
}

TEST(EventRing, CarriesRecordsOfAllLengthsThroughTheEndOfTheRing) {
  const Memory memory;
  RingWriter writer(memory.octets.get(), ring_bytes);
  RingReader reader(memory.octets.get(), ring_bytes);
  EXPECT_EQ(reader.next(), Next::none);
  std::uint64_t number = 0;
  for (int round = 0; round < 40; ++round)
    for (const std::size_t length : {0, 1, 7, 8, 9, 16, 17, 100, 4'097, 16'384}) {
      const Octets written = record(++number, length);
      ASSERT_TRUE(writer.put(written));
      EXPECT_EQ(reader.next(), Next::none) << "a record is seen before it is published";
      writer.publish();
      ASSERT_EQ(reader.next(), Next::record);
      ASSERT_TRUE(std::ranges::equal(reader.record(), written)) << length;
    }
  EXPECT_EQ(reader.lost(), 0u);
  writer.end();
  EXPECT_EQ(reader.next(), Next::ended);
}

TEST(EventRing, AnOvertakenReaderCountsItsLossAndGoesOnWithTheNewestRecord) {
  const Memory memory;
  RingWriter writer(memory.octets.get(), ring_bytes);
  RingReader reader(memory.octets.get(), ring_bytes);
  const auto write = [&](std::uint64_t number) {
    ASSERT_TRUE(writer.put(record(number, 1'000)));
    writer.publish();
  };
  write(0);
  ASSERT_EQ(reader.next(), Next::record);
  for (std::uint64_t number = 1; number <= 500; ++number) write(number);
  ASSERT_EQ(reader.next(), Next::record);
  EXPECT_TRUE(std::ranges::equal(reader.record(), record(500, 1'000)));
  EXPECT_EQ(reader.lost(), 499u);
  EXPECT_EQ(reader.next(), Next::none);
  // Records that fit the ring are all there.
  for (std::uint64_t number = 501; number <= 550; ++number) write(number);
  for (std::uint64_t number = 501; number <= 550; ++number) {
    ASSERT_EQ(reader.next(), Next::record);
    EXPECT_TRUE(std::ranges::equal(reader.record(), record(number, 1'000)));
  }
  EXPECT_EQ(reader.lost(), 499u);
}

TEST(EventRing, WhatTheWriterCouldNotWriteIsALossOfItsReaders) {
  const Memory memory;
  RingWriter writer(memory.octets.get(), ring_bytes);
  RingReader reader(memory.octets.get(), ring_bytes);
  ASSERT_TRUE(writer.put(record(0, 8)));
  EXPECT_FALSE(writer.put(Octets(most_record_bytes(ring_bytes) + 1)));
  writer.skip(5);
  ASSERT_TRUE(writer.put(record(7, 8)));
  writer.publish();
  ASSERT_EQ(reader.next(), Next::record);
  EXPECT_EQ(reader.lost(), 0u);
  ASSERT_EQ(reader.next(), Next::record);
  EXPECT_EQ(reader.lost(), 6u);
}

TEST(EventRing, LossesBeforeTheFirstRecordAndAfterTheLastAreCounted) {
  const Memory memory;
  RingWriter writer(memory.octets.get(), ring_bytes);
  ASSERT_TRUE(writer.put(record(0, 8)));
  writer.skip(3);
  writer.publish();
  RingReader reader(memory.octets.get(), ring_bytes);
  EXPECT_EQ(reader.next(), Next::none);
  EXPECT_EQ(reader.lost(), 0u) << "before the reader";
  writer.skip(2);
  writer.publish();
  EXPECT_EQ(reader.next(), Next::none);
  EXPECT_EQ(reader.lost(), 2u) << "no record has come";
  RingReader overtaken(memory.octets.get(), ring_bytes);
  for (std::uint64_t number = 1; number <= 500; ++number) {
    ASSERT_TRUE(writer.put(record(number, 1'000)));
    writer.publish();
  }
  ASSERT_EQ(overtaken.next(), Next::record);
  EXPECT_EQ(overtaken.lost(), 499u) << "its first record is not the first that came";
  EXPECT_EQ(overtaken.next(), Next::none);
  EXPECT_FALSE(writer.put(Octets(most_record_bytes(ring_bytes) + 1)));
  writer.end();
  EXPECT_EQ(overtaken.next(), Next::ended);
  EXPECT_EQ(overtaken.lost(), 500u) << "no record follows";
}

TEST(EventRing, AReaderThatIsMadeDuringAPublicationReadsOn) {
  const Memory memory;
  RingWriter writer(memory.octets.get(), ring_bytes);
  ASSERT_TRUE(writer.put(record(0, 8)));
  writer.publish();
  memory.controls().next_before = 7;  // the writer is stopped there
  RingReader reader(memory.octets.get(), ring_bytes);
  EXPECT_EQ(reader.next(), Next::none);
  writer.skip(4);
  ASSERT_TRUE(writer.put(record(5, 8)));
  writer.publish();
  ASSERT_EQ(reader.next(), Next::record);
  EXPECT_EQ(reader.lost(), 0u) << "it cannot know";
}

TEST(EventRing, RecordsOfAWriterThatOvertakesItsReadersAreNeverTorn) {
  const Memory memory;
  RingWriter writer(memory.octets.get(), ring_bytes);
  constexpr std::uint64_t records = 4'000;
  using Units = std::array<std::uint64_t, 1'024>;
  constexpr std::uint64_t occupied = occupied_bytes(sizeof(Units));
  const auto read = [&](RingReader reader) {
    std::uint64_t received = 0, torn = 0;
    Units units{};
    Next next = Next::none;
    while ((next = reader.next()) != Next::ended && next != Next::broken) {
      if (next == Next::none) continue;
      ++received;
      std::memcpy(units.data(), reader.record().data(), sizeof units);
      torn += std::ranges::any_of(units, [&](std::uint64_t unit) { return unit != units[0]; });
      // Reads where the writer is about to write.
      for (const std::uint64_t position = units[0] * occupied; memory.controls().ended == 0;)
        if (memory.controls().written - position + 2 * occupied > ring_bytes) break;
    }
    EXPECT_EQ(next, Next::ended);
    EXPECT_EQ(torn, 0u);
    EXPECT_EQ(units[0], records) << "the last record is never lost";
    EXPECT_GT(received, 0u);
    EXPECT_LE(received + reader.lost(), records);  // losses before its first record are not counted
  };
  std::jthread thread([&, reader = RingReader(memory.octets.get(), ring_bytes)] { read(reader); });
  Units units{};
  for (std::uint64_t number = 1; number <= records; ++number) {
    units.fill(number);
    ASSERT_TRUE(writer.put({reinterpret_cast<const std::uint8_t*>(units.data()), sizeof units}));
    writer.publish();
    if (number % 64 == 0) std::this_thread::yield();
  }
  writer.end();
}

// The writer overtakes a reader that is in the middle of a record: a page of it is closed, and the access to
// it is where the writer goes on.
Memory* overtaken = nullptr;
void write_meanwhile(int) {
  ::mprotect(overtaken->octets.get() + 2 * controls_bytes, controls_bytes, PROT_READ | PROT_WRITE);
  overtaken->controls().claimed = overtaken->controls().claimed + ring_bytes;
  std::fill_n(overtaken->octets.get() + controls_bytes, ring_bytes / 2, std::uint8_t{1});
}

TEST(EventRing, ARecordThatIsOverwrittenWhileItIsReadIsNotDelivered) {
  Memory memory;
  RingWriter writer(memory.octets.get(), ring_bytes);
  RingReader reader(memory.octets.get(), ring_bytes);
  ASSERT_TRUE(writer.put(record(1, 10'000)));
  writer.publish();
  overtaken = &memory;
  struct sigaction before{}, meanwhile{};
  meanwhile.sa_handler = write_meanwhile;
  ::sigaction(SIGSEGV, &meanwhile, &before);
  ::mprotect(memory.octets.get() + 2 * controls_bytes, controls_bytes, PROT_NONE);
  const Next next = reader.next();
  ::sigaction(SIGSEGV, &before, nullptr);
  EXPECT_EQ(next, Next::none);
  EXPECT_EQ(memory.units()[100], 0x0101010101010101u) << "nothing was overwritten";
}

TEST(EventRing, AWriterThatLiesEndsTheReading) {
  struct Case {
    const char* name;
    void (*lie)(Memory&);
  };
  constexpr Case cases[] = {
      {"a length beyond what is written", [](Memory& memory) { memory.units()[4] = 1'000; }},
      {"a length beyond the longest", [](Memory& memory) { memory.units()[4] = ~std::uint64_t{0}; }},
      {"a length that overflows", [](Memory& memory) { memory.units()[4] = ~std::uint64_t{0} - 14; }},
      {"a sequence that goes back", [](Memory& memory) { memory.units()[5] = 0; }},
      {"a position within a record", [](Memory& memory) { memory.controls().written += 8; }},
      {"a position that goes back",
       [](Memory& memory) {
         memory.controls().written = 16;
         memory.controls().newest = 0;
       }},
      {"a number of the next event that goes back",
       [](Memory& memory) {
         memory.controls().written = 32;
         memory.controls().next_before = memory.controls().next_after = 0;
       }},
      {"a newest record within another",
       [](Memory& memory) {
         memory.controls().written = std::uint64_t{1} << 40;
         memory.controls().newest = (std::uint64_t{1} << 40) - 8;
       }},
  };
  for (const Case& each : cases) {
    Memory memory;
    RingWriter writer(memory.octets.get(), ring_bytes);
    RingReader reader(memory.octets.get(), ring_bytes);
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(writer.put(record(1, 16)));
    writer.publish();
    ASSERT_EQ(reader.next(), Next::record);
    each.lie(memory);
    EXPECT_EQ(reader.next(), Next::broken) << each.name;
    memory.controls().written = 64;
    EXPECT_EQ(reader.next(), Next::broken) << each.name << ", later";
  }
}

TEST(EventRing, AnyMemoryCostsABoundedTime) {
  std::mt19937_64 random(7);
  Memory memory;
  for (int round = 0; round < 300; ++round) {
    for (std::size_t i = 0; i < 2'048; ++i) memory.units()[i] = random() % (round % 2 ? 300 : ~0ull);
    RingControls& controls = memory.controls();
    controls.written = random() % 4'096 * 16;
    RingReader reader(memory.octets.get(), ring_bytes);
    controls.written = controls.written + random() % 64 * 16;
    controls.claimed = random() % 2 ? controls.written.load() : random();
    controls.newest = random() % 3 ? controls.written - 16 : random();
    for (int i = 0; i < 200; ++i) {
      reader.next();
      ASSERT_LE(reader.record().size(), most_record_bytes(ring_bytes));
    }
  }
}

TEST(EventRing, OnlyTheWriterCanWriteToTheMemory) {
  auto made = SharedMemory::create(ring_bytes);
  ASSERT_TRUE(made);
  const auto& [memory, descriptor] = *made;
  EXPECT_EQ(::mmap(nullptr, controls_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.number(), 0),
            MAP_FAILED);
  EXPECT_LT(::pwrite(descriptor.number(), "x", 1, 0), 0);
  EXPECT_NE(::ftruncate(descriptor.number(), 0), 0);
  EXPECT_NE(::fallocate(descriptor.number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, controls_bytes),
            0);
  const auto adopted = SharedMemory::adopt(descriptor, ring_bytes);
  ASSERT_TRUE(adopted);
  EXPECT_NE(::mprotect(adopted->data(), controls_bytes, PROT_READ | PROT_WRITE), 0);
  RingWriter writer(memory.data(), ring_bytes);
  RingReader reader(adopted->data(), ring_bytes);
  ASSERT_TRUE(writer.put(record(1, 40)));
  writer.publish();
  ASSERT_EQ(reader.next(), Next::record);
  EXPECT_TRUE(std::ranges::equal(reader.record(), record(1, 40)));
}

TEST(EventRing, MemoryThatMayDisappearIsRefused) {
  const auto made = SharedMemory::create(ring_bytes);
  ASSERT_TRUE(made);
  EXPECT_EQ(SharedMemory::adopt(made->second, 2 * ring_bytes).error(), EPROTO);
  EXPECT_EQ(SharedMemory::adopt(made->second, 1'000).error(), EPROTO);
  const Descriptor unsealed(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(::ftruncate(unsealed.number(), Memory::bytes), 0);
  EXPECT_EQ(SharedMemory::adopt(unsealed, ring_bytes).error(), EPROTO);
  const Descriptor file(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(SharedMemory::adopt(file, ring_bytes).error(), EPROTO);
}

TEST(EventRing, ABellWakesThoseWhoSleepInReadOnlyMemory) {
  const auto made = SharedMemory::create(ring_bytes);
  const auto adopted = SharedMemory::adopt(made->second, ring_bytes);
  ASSERT_TRUE(adopted);
  RingWriter writer(made->first.data(), ring_bytes);
  std::atomic<bool> sleeps{false};
  std::jthread sleeper([&] {
    RingReader reader(adopted->data(), ring_bytes);
    for (;;) {
      const std::uint32_t bell = reader.bell().load();
      sleeps = true;
      if (reader.next() != Next::none) return;
      wait_for_bell(reader.bell(), bell, 1h);
    }
  });
  EXPECT_TRUE(eventually([&] { return sleeps.load(); }));
  std::this_thread::sleep_for(2ms);
  ASSERT_TRUE(writer.put(record(1, 1)));
  writer.publish();
  ring_bell(writer.bell());
  sleeper.join();
}

TEST(EventRing, DecodesWholeEventsOnly) {
  RtecEventComm::Event event, decoded;
  event.header().type(20);
  event.header().source(3);
  event.data().payload().assign(100, 7);
  event.data().any_value() <<= std::string("rain");
  GatherBuffer buffer;
  cdr::Encoder encoder(buffer);
  cdr::write(encoder, event);
  Octets octets(buffer.owned(), buffer.owned() + buffer.owned_size());
  const EventDecoder decoder;
  EXPECT_EQ(EventDecoder::kind_of(octets)->type, 20);
  EXPECT_EQ(EventDecoder::kind_of(octets)->source, 3);
  ASSERT_TRUE(decoder.decode(octets, decoded));
  std::string text;
  EXPECT_TRUE(decoded.data().any_value() >>= text);
  EXPECT_EQ(text, "rain");
  EXPECT_EQ(decoded.data().payload(), event.data().payload());
  for (std::size_t length = 0; length < octets.size(); ++length)
    EXPECT_FALSE(decoder.decode(ByteView(octets).first(length), decoded)) << length;
  octets.push_back(0);
  EXPECT_FALSE(decoder.decode(octets, decoded));
  EXPECT_FALSE(EventDecoder::kind_of(ByteView(octets).first(7)));
}

// Gives the same memory to readers of level 0.
class OneRing final : public RingOwner {
 public:
  std::expected<Ring, std::string> join(std::uint32_t level) override {
    if (level != 0) return std::unexpected("no such level");
    ++readers;
    return Ring{&memory.second, ring_bytes};
  }
  void leave(std::uint32_t) noexcept override { --readers; }
  void note_losses(std::uint32_t, std::uint64_t events) noexcept override { losses += events; }

  std::pair<SharedMemory, Descriptor> memory = *SharedMemory::create(ring_bytes);
  std::atomic<int> readers{0};
  std::atomic<std::uint64_t> losses{0};
};

TEST(EventRing, TheSocketServesOnlyReadersThatGreet) {
  OneRing owner;
  auto server = *ReaderServer::start(owner, octets::random_token(), 3);
  const auto greeted_with = [&](ByteView octets) {
    auto socket = *connect_to(server->token(), 5s);
    EXPECT_EQ(::send(socket.number(), octets.data(), octets.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(octets.size()));
    return std::pair(std::move(socket), receive_memory(socket).has_value());
  };
  auto wrong = Greeting{0}.encode();
  wrong[3] ^= 1;
  EXPECT_FALSE(greeted_with(wrong).second);
  EXPECT_FALSE(greeted_with(Greeting{1}.encode()).second) << "an unknown level";
  EXPECT_FALSE(greeted_with(Octets(60'000)).second);
  {
    const auto one = greeted_with(Greeting{0}.encode()), other = greeted_with(Greeting{0}.encode());
    EXPECT_TRUE(one.second && other.second);
    EXPECT_EQ(owner.readers, 2);
    // Those who say nothing take a place for a while; beyond the places a reader is sent away.
    const auto silent = *connect_to(server->token(), 5s), beyond = *connect_to(server->token(), 5s);
    EXPECT_TRUE(eventually([&] { return has_closed(beyond); }));
    EXPECT_FALSE(has_closed(silent));
    // One who says more than a greeting is sent away.
    EXPECT_EQ(::send(one.first.number(), "x", 1, MSG_NOSIGNAL), 1);
    EXPECT_TRUE(eventually([&] { return has_closed(one.first) && owner.readers == 1; }));
  }
  EXPECT_TRUE(eventually([&] { return owner.readers == 0; })) << "a reader that closes has left";
  const auto last = greeted_with(Greeting{0}.encode());
  EXPECT_TRUE(last.second);
  EXPECT_TRUE(eventually([&] { return server->counts().refused == 5; })) << "the silent one has left, too";
  server.reset();
  EXPECT_EQ(owner.readers, 0);
  EXPECT_TRUE(has_closed(last.first));
}

TEST(EventRing, AReaderTellsWhatItHasReadAndLost) {
  OneRing owner;
  const auto server = *ReaderServer::start(owner, octets::random_token(), 3);
  const auto joined = [&] {
    auto socket = *connect_to(server->token(), 5s);
    EXPECT_EQ(send_greeting(socket, {0}), 0);
    EXPECT_TRUE(receive_memory(socket));
    return socket;
  };
  auto first = joined();
  const auto second = joined();
  send_report(first, {10, 3});
  send_report(second, {5, 0});
  ASSERT_TRUE(eventually([&] {
    const auto all = server->readers();
    return all.size() == 2 && all[0].report == ReaderReport{10, 3} && all[1].report == ReaderReport{5, 0};
  }));
  EXPECT_EQ(server->readers()[0].process, ::getpid());
  EXPECT_EQ(server->readers()[1].number, 2u);
  send_report(first, {12, 7});
  send_report(first, {12, 2});  // a loss cannot be taken back
  ASSERT_TRUE(eventually([&] { return server->readers()[0].report == ReaderReport{12, 2}; }));
  EXPECT_EQ(owner.losses, 7u);
  first = {};
  ASSERT_TRUE(eventually([&] { return server->readers().size() == 1; }));
  EXPECT_EQ(server->readers()[0].number, 2u);
  EXPECT_EQ(owner.losses, 7u) << "those of a reader that has gone stay";
  EXPECT_FALSE(ReaderReport::decode(Greeting{1}.encode()));
}

TEST(EventRing, AReaderThatTellsMuchCostsLittle) {
  OneRing owner;
  const auto server = *ReaderServer::start(owner, octets::random_token(), 3);
  auto socket = *connect_to(server->token(), 5s);
  ASSERT_EQ(send_greeting(socket, {0}), 0);
  ASSERT_TRUE(receive_memory(socket));
  const auto begun = std::chrono::steady_clock::now();
  for (std::uint64_t i = 1; i <= 2; ++i) send_report(socket, {i, i});
  EXPECT_TRUE(eventually([&] { return owner.losses >= 2; }));
  EXPECT_EQ(owner.losses, 2u);
  EXPECT_GE(std::chrono::steady_clock::now() - begun, 100ms) << "one report at a time, with a pause";
}

// The number of descriptors that this process has.
std::ptrdiff_t descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

// Sends the octets with copies of a descriptor.
void send_with(const Descriptor& socket, ByteView octets, std::size_t copies) {
  constexpr std::size_t most = 4;
  const std::array<int, most> numbers{socket.number(), socket.number(), socket.number(), socket.number()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof numbers)] = {};
  iovec piece{const_cast<std::uint8_t*>(octets.data()), octets.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = CMSG_SPACE(copies * sizeof(int));
  cmsghdr* const part = CMSG_FIRSTHDR(&message);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(copies * sizeof(int));
  std::memcpy(CMSG_DATA(part), numbers.data(), copies * sizeof(int));
  ASSERT_EQ(::sendmsg(socket.number(), &message, MSG_NOSIGNAL), static_cast<ssize_t>(octets.size()));
}

TEST(EventRing, DescriptorsThatNobodyWantsAreNotKept) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  const Descriptor here(ends[0]), there(ends[1]);
  const auto greeting = Greeting{7}.encode();
  const std::ptrdiff_t before = descriptors();
  for (const std::size_t copies : {1, 2, 3, 4}) {
    send_with(there, greeting, copies);
    EXPECT_EQ(receive_greeting(here).error(), EPROTO) << "the channel wants none";
    EXPECT_EQ(descriptors(), before) << copies;
    send_with(there, greeting, copies);
    const auto received = receive_memory(here);
    EXPECT_EQ(received.has_value() && received->memory.is_open(), copies == 1) << copies;
    EXPECT_EQ(descriptors(), before + (copies == 1 ? 1 : 0)) << copies;
    send_with(there, ByteView(greeting).first(3), copies);
    EXPECT_EQ(receive_memory(here).error(), EPROTO) << "another protocol";
  }
  EXPECT_EQ(descriptors(), before);
  ASSERT_EQ(send_greeting(there, {7}), 0);
  EXPECT_EQ(receive_greeting(here)->number, 7u);
}

TEST(EventRing, APatienceOfNothingDoesNotWaitForever) {
  const std::string token = octets::random_token();
  const auto listener = listen_at(token);
  for (const auto patience : {0ms, -5ms}) {
    const auto socket = connect_to(token, patience);
    ASSERT_TRUE(socket);
    EXPECT_EQ(receive_memory(*socket).error(), EAGAIN);
  }
}

// Readers wait until it opens, and then get no ring.
class ClosedRing final : public RingOwner {
 public:
  std::expected<Ring, std::string> join(std::uint32_t) override {
    waits = true;
    open.wait(false);
    return std::unexpected("no ring");
  }
  void leave(std::uint32_t) noexcept override {}
  void note_losses(std::uint32_t, std::uint64_t) noexcept override {}

  std::atomic<bool> waits{false}, open{false};
};

TEST(EventRing, ManyWhoAreRefusedTakeTurnsWithTheOthers) {
  ClosedRing owner;
  const auto server = *ReaderServer::start(owner, octets::random_token(), 1);
  const auto one = *connect_to(server->token(), 5s);
  ASSERT_EQ(send_greeting(one, {0}), 0);
  EXPECT_TRUE(eventually([&] { return owner.waits.load(); }));
  std::vector<Descriptor> crowd;  // all of them are there before the first is accepted
  for (int i = 0; i < 30; ++i) crowd.push_back(*connect_to(server->token(), 5s));
  const auto begun = std::chrono::steady_clock::now();
  owner.open = true;
  owner.open.notify_all();
  EXPECT_TRUE(eventually([&] { return server->counts().refused >= 30; }));
  EXPECT_EQ(server->counts().refused, 30u) << "one has the place, after the first has lost it";
  EXPECT_GE(std::chrono::steady_clock::now() - begun, 100ms) << "there was no pause";
}

TEST(EventRing, AnotherUserGetsNothingAndTakesNothing) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  OneRing owner;
  const auto server = *ReaderServer::start(owner, octets::random_token(), 3);
  std::jthread([&] {
    constexpr long unchanged = -1, nobody = 65'534;
    ASSERT_EQ(::syscall(SYS_setresuid, unchanged, nobody, unchanged), 0);  // this thread only
    EXPECT_EQ(connect_to(server->token(), 5s).error(), EACCES) << "the reader trusts no other user";
  }).join();
  EXPECT_TRUE(eventually([&] { return server->counts().refused != 0; }));
  EXPECT_EQ(server->counts().refused, 1u) << "nor does the channel";
  EXPECT_EQ(owner.readers, 0);
}

TEST(EventRing, OnlyTokensNameSockets) {
  EXPECT_TRUE(is_token(octets::random_token()));
  for (const char* const text :
       {"", "../../run/other", "0123456789abcdef0123456789abcdeG", "0123456789abcdef0123456789abcdef0"})
    EXPECT_FALSE(is_token(text)) << text;
}

}  // namespace
}  // namespace takt::event_ring
