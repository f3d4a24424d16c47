// A stream around another one whose octets pass as they are.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <takt/transport/stream.h>

namespace takt::transport {

// The behaviour common to such streams: all but reading and writing is left to the inner stream. A derived
// class calls noted_read() and noted_write() with each result of the inner stream.
class WrappedStream : public Stream, public ArrivalStamps {
 public:
  bool stamp_arrivals() override { return inner_->stamp_arrivals(); }
  bool has_room_for_small_write() override { return inner_->has_room_for_small_write(); }
  void set_blocking(bool blocking) override { inner_->set_blocking(blocking); }
  bool set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) override {
    return inner_->set_timeouts(read, write);
  }
  bool set_write_timeout(std::chrono::nanoseconds write) override { return inner_->set_write_timeout(write); }
  bool set_silence_limit(std::chrono::nanoseconds silence) override {
    return inner_->set_silence_limit(silence);
  }
  int native_handle() const override { return inner_->native_handle(); }
  void shut_down() override { inner_->shut_down(); }
  void shut_down_reading() override { inner_->shut_down_reading(); }
  void shut_down_writing() override { inner_->shut_down_writing(); }
  std::string describe() const override { return inner_->describe(); }

 protected:
  // The capabilities are those of the inner stream, with arrival stamps through this one.
  explicit WrappedStream(std::unique_ptr<Stream> inner)
      : Stream(inner->capabilities().read_through(this)), inner_(std::move(inner)) {}
  // `zero_copy` replaces the inner stream's memory without copies, if it has any; null: there is none.
  WrappedStream(std::unique_ptr<Stream> inner, ZeroCopy* zero_copy)
      : Stream(with(inner->capabilities().read_through(this), zero_copy)), inner_(std::move(inner)) {}

  // The same, with writes that may wait.
  WrappedStream(std::unique_ptr<Stream> inner, Deferring& deferring)
      : Stream(with(inner->capabilities().read_through(this), deferring)), inner_(std::move(inner)) {}

  void noted_read() { holds_octets_ = inner_->holds_octets(); }
  void noted_write() {
    if (inner_->holds_octets()) holds_octets_ = true;
  }
  // Calls take(view) for each part of the pieces among the first `written` octets.
  template <class Take>
  static void for_written(std::span<const ByteView> pieces, std::size_t written, Take&& take) {
    for (const ByteView piece : pieces) {
      if (written == 0) return;
      const ByteView part = piece.first(std::min(written, piece.size()));
      take(part);
      written -= part.size();
    }
  }

  const std::unique_ptr<Stream> inner_;

 private:
  static StreamCapabilities with(StreamCapabilities all, ZeroCopy* zero_copy) {
    if (all.zero_copy) all.zero_copy = zero_copy;
    return all;
  }
  static StreamCapabilities with(StreamCapabilities all, Deferring& deferring) {
    all.deferring = &deferring;
    return all;
  }
};

}  // namespace takt::transport
