// A compression method in a plug-in, loaded while an ORB starts. Encodes runs of one octet in two octets, for
// messages that are mostly zeros.
//
//   -ORBPlugin ./runs.so -ORBCompression on -ORBCompressionMethods runs,zlib
//
// Explained in docs/user/writing-a-compression-method.md.
#include <algorithm>
#include <cstring>
#include <memory>

#include <takt/orb/plugin.h>

namespace {

using takt::ByteView;
using takt::MutableBytes;

// The format is a sequence of an octet n and, if n < 128, n + 1 plain octets; else one octet that is repeated
// n - 125 times.
constexpr std::size_t most_plain = 128, least_run = 3, most_run = 130;
constexpr std::uint8_t first_run = 128;

class Writer {
 public:
  explicit Writer(MutableBytes room) : room_(room) {}

  void add(ByteView octets) {
    while (!octets.empty() && !full_) {
      const auto end = std::find_if(octets.begin(), octets.begin() + std::min(octets.size(), most_run),
                                    [&](std::uint8_t octet) { return octet != octets.front(); });
      const auto run = static_cast<std::size_t>(end - octets.begin());
      if (run >= least_run)
        put_run(octets.front(), run);
      else
        put_plain(octets.first(run));
      octets = octets.subspan(run);
    }
  }
  // 0: the output buffer was too small.
  std::size_t written() const { return full_ ? 0 : used_; }

 private:
  void put_run(std::uint8_t octet, std::size_t count) {
    plain_ = nullptr;
    put(static_cast<std::uint8_t>(count - least_run + first_run));
    put(octet);
  }
  void put_plain(ByteView octets) {
    for (const std::uint8_t octet : octets) {
      if (full_) return;
      if (!plain_ || *plain_ + 1 == most_plain) {
        plain_ = room_.data() + used_;
        put(0);
      } else {
        ++*plain_;
      }
      put(octet);
    }
  }
  void put(std::uint8_t octet) {
    full_ = full_ || used_ == room_.size();
    if (!full_) room_[used_++] = octet;
  }

  const MutableBytes room_;
  std::size_t used_ = 0;
  // The octet that counts the plain octets before used_; null: a run came last.
  std::uint8_t* plain_ = nullptr;
  bool full_ = false;
};

class Runs final : public takt::giop::CompressionMethod {
 public:
  std::string_view name() const override { return "runs"; }
  std::uint8_t number() const override { return 200; }

  std::size_t compress(std::span<const ByteView> pieces, MutableBytes room, int) const noexcept override {
    Writer writer(room);
    for (const ByteView piece : pieces) writer.add(piece);
    return writer.written();
  }

  bool expand(ByteView compressed, MutableBytes whole) const noexcept override {
    while (!whole.empty()) {
      if (compressed.size() < 2) return false;
      const bool run = compressed[0] >= first_run;
      const std::size_t count = run ? compressed[0] - first_run + least_run : compressed[0] + 1u;
      const std::size_t taken = 1 + (run ? 1 : count);
      if (count > whole.size() || taken > compressed.size()) return false;
      if (run)
        std::memset(whole.data(), compressed[1], count);
      else
        std::memcpy(whole.data(), compressed.data() + 1, count);
      compressed = compressed.subspan(taken);
      whole = whole.subspan(count);
    }
    return true;
  }
};

}  // namespace

std::uint32_t takt_plugin(std::uint32_t interface, takt::PluginRegistry& registry) {
  if (interface == takt::plugin_interface) registry.add_compression(std::make_unique<Runs>());
  return takt::plugin_interface;
}
