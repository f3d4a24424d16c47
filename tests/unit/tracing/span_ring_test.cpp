// Files of spans: what a process has written, and what a reader makes of any file.
#include "tracing/span_ring.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace takt::tracing {
namespace {

using Octets = std::vector<std::uint8_t>;

EndedSpan span_of(std::uint64_t number, std::string_view name = "op") {
  EndedSpan span{};
  span.ids.trace[0] = 1;
  std::memcpy(span.ids.span.data(), &number, sizeof number);
  span.kind = SpanKind::client;
  span.start = std::chrono::nanoseconds(1000 + number);
  span.duration = std::chrono::nanoseconds(number);
  span.name = name;
  return span;
}

std::uint64_t number_of(const ReadSpan& span) {
  std::uint64_t number = 0;
  std::memcpy(&number, span.span.data(), sizeof number);
  return number;
}

class SpanRings : public testing::Test {
 protected:
  SpanRings() {
    char name[] = "/tmp/takt-spans-XXXXXX";
    EXPECT_NE(::mkdtemp(name), nullptr);
    folder = name;
    path = folder + "/spans";
  }
  ~SpanRings() override { std::filesystem::remove_all(folder); }
  std::unique_ptr<SpanRing> make(std::size_t spans) {
    auto ring = SpanRing::create(path, spans, {"program", "orb", "host"});
    EXPECT_TRUE(ring) << ring.error();
    return ring ? std::move(*ring) : nullptr;
  }
  std::string refusal() const {
    const auto ring = SpanRing::create(path, 16, {});
    return ring ? std::string() : ring.error();
  }
  Octets file() const {
    std::ifstream in(path, std::ios::binary);
    return Octets(std::istreambuf_iterator<char>(in), {});
  }
  SpanFile read() const {
    std::ifstream in;
    in.rdbuf()->pubsetbuf(nullptr, 0);  // each read is one of the file
    in.open(path, std::ios::binary);
    auto result = read_span_file([&](std::uint64_t offset, std::span<std::uint8_t> to) {
      in.seekg(static_cast<std::streamoff>(offset));
      return static_cast<bool>(
          in.read(reinterpret_cast<char*>(to.data()), static_cast<std::streamsize>(to.size())));
    });
    EXPECT_TRUE(result) << result.error();
    return result ? std::move(*result) : SpanFile();
  }

  std::string folder, path;
};

TEST_F(SpanRings, HaveWhatWasPut) {
  const auto ring = make(16);
  EndedSpan span = span_of(7, "where");
  span.parent[3] = 9;
  span.failed = true;
  span.failure = "IDL:omg.org/CORBA/TRANSIENT:1.0";
  span.peer = "tcp host:1";
  ring->put(span);
  const SpanFile file = read();
  EXPECT_EQ(file.process, static_cast<std::uint64_t>(::getpid()));
  EXPECT_EQ(file.program + " " + file.orb + " " + file.host, "program orb host");
  EXPECT_EQ(file.ended, 1u);
  ASSERT_EQ(file.spans.size(), 1u);
  const ReadSpan& found = file.spans[0];
  EXPECT_EQ(found.trace, span.ids.trace);
  EXPECT_EQ(found.span, span.ids.span);
  EXPECT_EQ(found.parent, span.parent);
  EXPECT_EQ(found.name, "where");
  EXPECT_EQ(found.failure, span.failure);
  EXPECT_EQ(found.peer, span.peer);
  EXPECT_EQ(found.start_ns, 1007);
  EXPECT_EQ(found.duration_ns, 7);
  EXPECT_EQ(found.kind, 3);
  EXPECT_TRUE(found.failed);
}

TEST_F(SpanRings, KeepTheNewest) {
  const auto ring = make(16);
  for (std::uint64_t i = 1; i <= 100; ++i) ring->put(span_of(i));
  const SpanFile file = read();
  EXPECT_EQ(file.ended, 100u);
  ASSERT_EQ(file.spans.size(), 16u);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(number_of(file.spans[i]), 85 + i);
}

TEST_F(SpanRings, SurviveAKilledProcess) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto ring = SpanRing::create(path, 64, {"killed", "", ""});
    for (std::uint64_t i = 1; i <= 40 && ring; ++i) (*ring)->put(span_of(i));
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const SpanFile file = read();
  EXPECT_EQ(file.program, "killed");
  EXPECT_EQ(file.spans.size(), 40u);
  EXPECT_NE(make(16), nullptr) << "the file of a process that has ended is replaced";
}

// A reader meanwhile finds only whole spans: each has its number in three places.
TEST_F(SpanRings, HaveWholeSpansWhileThreadsWrite) {
  const auto ring = make(32);
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (std::uint64_t writer = 1; writer <= 3; ++writer)
    writers.emplace_back([&, writer] {
      for (std::uint64_t i = 1; !stop; ++i) {
        const std::uint64_t number = writer << 32 | i;
        ring->put(span_of(number, std::to_string(number)));
      }
    });
  std::size_t seen = 0;
  for (int round = 0; round < 200 || seen == 0; ++round)
    for (const ReadSpan& span : read().spans) {
      ++seen;
      EXPECT_EQ(span.name, std::to_string(number_of(span)));
      EXPECT_EQ(static_cast<std::uint64_t>(span.duration_ns), number_of(span));
      EXPECT_EQ(static_cast<std::uint64_t>(span.start_ns), number_of(span) + 1000);
    }
  stop = true;
  for (auto& writer : writers) writer.join();
}

TEST_F(SpanRings, CountSpansOfAllThreads) {
  const auto ring = make(1 << 14);
  std::vector<std::thread> writers;
  for (std::uint64_t writer = 1; writer <= 4; ++writer)
    writers.emplace_back([&, writer] {
      for (std::uint64_t i = 1; i <= 1000; ++i) ring->put(span_of(writer << 32 | i));
    });
  for (auto& writer : writers) writer.join();
  const SpanFile file = read();
  EXPECT_EQ(file.ended, 4000u);
  EXPECT_EQ(file.spans.size(), 4000u);
}

TEST_F(SpanRings, AreOfOneOrbAtATime) {
  const auto first = make(16);
  EXPECT_NE(refusal().find("another ORB"), std::string::npos) << refusal();
}

TEST_F(SpanRings, HaveTheProcessInTheirNameIfAsked) {
  path = folder + "/%p.%p";
  const auto ring = make(16);
  const std::string number = std::to_string(::getpid());
  EXPECT_TRUE(std::filesystem::exists(folder + "/" + number + "." + number));
}

TEST_F(SpanRings, ReplaceNoOtherFile) {
  std::ofstream(path) << "a letter";
  EXPECT_NE(refusal().find("not a file of spans"), std::string::npos) << refusal();
  EXPECT_EQ(file().size(), 8u);
  std::filesystem::remove(path);
  std::filesystem::create_symlink(folder + "/elsewhere", path);
  EXPECT_NE(refusal(), "");
  EXPECT_FALSE(std::filesystem::exists(folder + "/elsewhere"));
  path = folder;
  EXPECT_NE(refusal(), "");
  path = "/dev/null";
  EXPECT_NE(refusal(), "");
  path = folder + "/no/such/folder";
  EXPECT_NE(refusal(), "");
}

TEST_F(SpanRings, AreReadableForTheirOwnerAlone) {
  const auto ring = make(16);
  EXPECT_EQ(std::filesystem::status(path).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(SpanRings, AreReadableForTheirOwnerAloneAlsoIfTheFileWasThere) {
  std::ofstream(path) << "TAKTSPAN";
  std::filesystem::permissions(path, std::filesystem::perms(0666));
  make(16);
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0600));
}

// The owner of the file could read the spans, and end the process by cutting the file.
TEST_F(SpanRings, AreNoFilesOfOtherUsers) {
  std::ofstream(path) << "TAKTSPAN";
  if (::chown(path.c_str(), 65534, 65534) != 0) GTEST_SKIP() << "only root can give files away";
  EXPECT_EQ(refusal(), "it belongs to another user; name another one");
  EXPECT_EQ(file().size(), 8u);
}

TEST_F(SpanRings, CutTheTextsOfPeers) {
  const auto ring = make(16);
  OpenSpan span;
  const auto tracer = std::make_shared<Tracer>(1);
  std::string name(63, 'x');
  name += "\xc3\xa4";  // a character of two octets, which the limit would divide
  span.begin(*tracer, SpanKind::server, name, nullptr);
  ring->put({.ids = span.position().ids,
             .parent = {},
             .kind = SpanKind::server,
             .failed = false,
             .start = {},
             .duration = {},
             .name = std::string(1000, 'n'),
             .failure = std::string(1000, 'f'),
             .peer = std::string(1000, 'p')});
  const SpanFile file = read();
  ASSERT_EQ(file.spans.size(), 1u);
  EXPECT_EQ(file.spans[0].name, std::string(64, 'n'));
  EXPECT_EQ(file.spans[0].failure, std::string(64, 'f'));
  EXPECT_EQ(file.spans[0].peer, std::string(48, 'p'));
}

TEST_F(SpanRings, ThatAreNoneAreRefused) {
  EXPECT_FALSE(read_span_file(Octets()));
  EXPECT_FALSE(read_span_file(Octets(5000, 0)));
  {
    const auto ring = make(16);
    ring->put(span_of(1));
  }
  const Octets good = file();
  EXPECT_TRUE(read_span_file(good));
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{8}, std::size_t{4095}, std::size_t{4096}, good.size() - 1})
    EXPECT_FALSE(read_span_file(Octets(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))))
        << size;
}

// Each octet of the file changed in turn, and many at random.
TEST_F(SpanRings, OfAnyContentsAreReadOrRefused) {
  {
    const auto ring = make(16);
    for (std::uint64_t i = 1; i <= 20; ++i) ring->put(span_of(i, "name"));
  }
  const Octets good = file();
  for (std::size_t at = 0; at < good.size(); ++at) {
    Octets changed = good;
    changed[at] ^= 0xff;
    if (const auto read = read_span_file(changed)) {
      EXPECT_LE(read->spans.size(), 16u);
    }
  }
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    Octets changed = good;
    for (int i = 0; i < 200; ++i)
      changed[8 + random() % (changed.size() - 8)] = static_cast<std::uint8_t>(random());
    (void)read_span_file(changed);
  }
}

}  // namespace
}  // namespace takt::tracing
