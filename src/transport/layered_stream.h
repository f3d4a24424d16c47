// A stream that transforms the octets of another stream.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <takt/base/live_setting.h>
#include <takt/transport/stream.h>

namespace takt::transport {

// The behaviour common to such streams. It reads until the arrived octets can be converted. A peer that
// trickles octets gets no more time than a silent one. It keeps what the inner stream does not take at once.
// Some octets of such a write count as not moved: the last one, or after a timeout the part that the inner
// stream has not taken yet. The next writes must begin with them, as every continued write does. A derived
// class supplies both conversions and any locks.
class LayeredStream : public Stream, public ArrivalStamps {
 public:
  IoResult read(MutableBytes into) final { return read_with(into, nullptr); }
  // `age` is that of the inner stream's octets.
  IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) final;
  IoResult write(ByteView octets) final { return write_gather({&octets, 1}); }
  bool stamp_arrivals() override { return inner_->stamp_arrivals(); }
  void set_blocking(bool blocking) override;
  bool set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) override;
  bool set_write_timeout(std::chrono::nanoseconds write) override;
  bool set_silence_limit(std::chrono::nanoseconds silence) override;
  int native_handle() const override { return inner_->native_handle(); }
  void shut_down() override { inner_->shut_down(); }
  void shut_down_reading() override { inner_->shut_down_reading(); }

 protected:
  // The capabilities are those of the inner stream, but for memory without copies.
  explicit LayeredStream(std::unique_ptr<Stream> inner);
  // `peer` replaces what the inner stream knows of the peer; null: it does not.
  LayeredStream(std::unique_ptr<Stream> inner, const PeerIdentity* peer,
                const MessageAssembly* messages = nullptr);

  // The reader's side. input_space() is the buffer for the inner stream's next octets, never empty.
  // input_arrived() reports how many arrived. converted() delivers what they make and updates holds_octets_;
  // nullopt means that it needs more input.
  virtual MutableBytes input_space() = 0;
  virtual void input_arrived(std::size_t count) = 0;
  virtual std::optional<IoResult> converted(MutableBytes into) = 0;

  // The writer's side. Append octets to send to this buffer.
  std::vector<std::uint8_t>& kept() { return kept_; }
  // Memory of that buffer; small once everything has been sent.
  std::size_t kept_bytes() const { return kept_.capacity(); }
  bool keeps() const { return !kept_.empty(); }
  // Begins a write of `size` octets by sending what earlier ones left. nullopt: the write goes on; else this
  // is its result.
  std::optional<IoResult> begin_write(std::size_t size);
  // Sends the kept octets, for as long as a write may take since the last begin_write(). `ok`: all of them
  // have been sent.
  IoResult send_kept();
  // The result of a write of which `done` octets were taken, given the result of sending them.
  IoResult written(std::size_t done, const IoResult& sent);

  bool blocking() const { return blocking_; }

  const std::unique_ptr<Stream> inner_;

 private:
  using Clock = std::chrono::steady_clock;

  IoResult read_with(MutableBytes into, std::chrono::nanoseconds* age);
  IoResult moved(std::size_t size, const IoResult& sent);

  // Owned by the reader.
  std::chrono::nanoseconds patience_{0};
  bool shut_down_on_timeout_ = false;  // whether to give up the stream after patience_
  LiveSetting<bool> blocking_ = true;
  LiveSetting<std::chrono::nanoseconds> write_timeout_ = std::chrono::nanoseconds(0);
  std::vector<std::uint8_t> kept_;  // not sent yet, from kept_from_ on
  std::size_t kept_from_ = 0;
  std::size_t withheld_ = 0;   // octets of the writer that were converted and not reported as moved,
  std::size_t kept_then_ = 0;  // and the octets that were kept at the last report
  Clock::time_point write_ends_ = Clock::time_point::max();
};

std::size_t size_of(std::span<const ByteView> pieces);

}  // namespace takt::transport
