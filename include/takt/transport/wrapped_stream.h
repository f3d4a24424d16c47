// The base of streams around another one.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <takt/transport/stream.h>

namespace takt::transport {

// Owns the inner stream, and passes every call on to it. Threads, errors and waits are the inner stream's; it
// takes no lock and allocates nothing. A derived class overrides what it watches or changes. If it calls the
// inner stream's functions that move octets, it calls noted_read() or noted_write() after each.
class WrappedStream : public Stream, public ArrivalStamps {
 public:
  IoResult read(MutableBytes into) override {
    const IoResult result = inner_->read(into);
    noted_read();
    return result;
  }
  IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) override {
    const IoResult result = inner_->read_stamped(into, age);
    noted_read();
    return result;
  }
  IoResult write(ByteView octets) override {
    const IoResult result = inner_->write(octets);
    noted_write();
    return result;
  }
  IoResult write_gather(std::span<const ByteView> pieces) override {
    const IoResult result = inner_->write_gather(pieces);
    noted_write();
    return result;
  }
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
  // The inner stream must not be null. Capabilities are its own, with arrival stamps through this one. Octets
  // that it lends or keeps in place do not pass here.
  explicit WrappedStream(std::unique_ptr<Stream> inner)
      : Stream(inner->capabilities().read_through(this)), inner_(std::move(inner)) {}
  // `zero_copy` replaces the inner stream's memory without copies, if it has any; null: there is none.
  WrappedStream(std::unique_ptr<Stream> inner, ZeroCopy* zero_copy)
      : Stream(with(inner->capabilities().read_through(this), zero_copy)), inner_(std::move(inner)) {}
  // The same, with writes that may wait.
  WrappedStream(std::unique_ptr<Stream> inner, Deferring& deferring)
      : Stream(with(inner->capabilities().read_through(this), deferring)), inner_(std::move(inner)) {}

  void noted_read() { holds_octets_.store(inner_->holds_octets(), std::memory_order_relaxed); }
  void noted_write() {
    if (inner_->holds_octets()) holds_octets_.store(true, std::memory_order_relaxed);
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
