// A stream within another, in which what goes through it looks otherwise.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <takt/base/changeable.h>
#include <takt/transport/stream.h>

namespace takt::transport {

// What every such stream does: it reads until what has arrived makes sense, has a peer that sends or takes
// octets one by one no more time than a silent one, and keeps what the inner stream does not take at once. Of
// a write with such a rest the last octet counts as not moved, until the next write, which has to begin with
// it as any write that goes on does. A derived class has the two ways of looking, and what locks it needs.
class LayeredStream : public Stream {
 public:
  IoResult read(MutableBytes into) final { return read_with(into, nullptr); }
  // Of the inner stream's octets.
  IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) final;
  IoResult write(ByteView octets) final { return write_gather({&octets, 1}); }
  bool stamp_arrivals() override { return inner_->stamp_arrivals(); }
  void set_blocking(bool blocking) override;
  bool set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) override;
  bool give_up_reading_after(std::chrono::nanoseconds silence) override;
  int native_handle() const override { return inner_->native_handle(); }
  os::TimePoint read_again_by() override { return inner_->read_again_by(); }
  bool room_comes_by_reading() const override { return inner_->room_comes_by_reading(); }
  bool holds_unsent() override { return inner_->holds_unsent(); }
  void probe_silent_peer(os::TimePoint now) override { inner_->probe_silent_peer(now); }
  void mark(const Marking& marking, MarkedBy by) override { inner_->mark(marking, by); }
  void shut_down() override { inner_->shut_down(); }
  void shut_down_reading() override { inner_->shut_down_reading(); }
  std::string peer_host() const override { return inner_->peer_host(); }
  std::optional<os::ProcessIdentity> peer_process() const override { return inner_->peer_process(); }

 protected:
  explicit LayeredStream(std::unique_ptr<Stream> inner) : inner_(std::move(inner)) {}

  // The reader's: where the inner stream's next octets go, never empty; that they have come; and what they
  // make, of which holds_octets_ then says whether there is more. Nothing: it takes more of them.
  virtual MutableBytes input_space() = 0;
  virtual void input_arrived(std::size_t count) = 0;
  virtual std::optional<IoResult> converted(MutableBytes into) = 0;

  // The writer's. What is to leave goes behind this.
  std::vector<std::uint8_t>& kept() { return kept_; }
  // What it takes; little once all of it has left.
  std::size_t kept_bytes() const { return kept_.capacity(); }
  bool keeps() const { return !kept_.empty(); }
  // ok: all of it has left.
  IoResult send_kept();
  // How many octets of a write that begins were taken by the one before.
  std::size_t taken_before() { return std::exchange(withholds_, false) ? 1 : 0; }
  // The result of a write of which `done` octets were taken, and `sent` says what became of them.
  IoResult written(std::size_t done, const IoResult& sent);

  const std::unique_ptr<Stream> inner_;

 private:
  using Clock = std::chrono::steady_clock;

  IoResult read_with(MutableBytes into, std::chrono::nanoseconds* age);

  // The reader's, who sets the third for the writer.
  std::chrono::nanoseconds patience_{0};
  bool gives_up_ = false;  // the stream, when that is over
  Changeable<bool> blocking_ = true;
  Changeable<std::chrono::nanoseconds> write_timeout_ = std::chrono::nanoseconds(0);
  std::vector<std::uint8_t> kept_;  // and not sent, from here on:
  std::size_t kept_from_ = 0;
  bool withholds_ = false;  // the last octet of a write
};

std::size_t size_of(std::span<const ByteView> pieces);

}  // namespace takt::transport
