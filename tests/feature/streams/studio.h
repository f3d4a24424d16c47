// A camera and screens, each a device in an ORB of its own, and a client that controls them.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "../../eventually.h"
#include "../orb_pair.h"
#include "streams/service/stream_device.h"

namespace feature {

using takt::streams::FlowOffer;
using takt::streams::StreamDevice;
using takt::test::eventually;
using Device = AVStreams::MMDevice;
using Control = AVStreams::StreamCtrl;
using Quality = AVStreams::streamQoS;
using Flows = AVStreams::flowSpec;
template <class T>
using Ref = CORBA::object_reference<T>;

constexpr auto patience = std::chrono::seconds(20);

// Frames of many sizes: the octets of each are its number.
class Camera final : public takt::streams::FrameSource {
 public:
  explicit Camera(std::size_t step = 997) : step_(step) {}
  std::span<const std::uint8_t> frame(std::uint64_t number) override {
    octets_.assign(1 + (number * step_) % 20'000, static_cast<std::uint8_t>(number));
    return octets_;
  }

 private:
  const std::size_t step_;
  std::vector<std::uint8_t> octets_;
};

// The frames that screens have got.
class Shown {
 public:
  void add(const takt::Frame& frame) {
    const std::lock_guard lock(mutex_);
    frames_.push_back(frame);
    changed_.notify_all();
  }
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return frames_.size();
  }
  // Whether `more` frames come before patience ends.
  bool grows_by(std::size_t more) const {
    std::unique_lock lock(mutex_);
    const std::size_t wanted = frames_.size() + more;
    return changed_.wait_for(lock, patience, [&] { return frames_.size() >= wanted; });
  }
  std::vector<takt::Frame> frames() const {
    const std::lock_guard lock(mutex_);
    return frames_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<takt::Frame> frames_;
};

class Screen final : public takt::streams::FrameSink {
 public:
  explicit Screen(std::shared_ptr<Shown> shown) : shown_(std::move(shown)) {}
  void frame(const takt::Frame& frame) override { shown_->add(frame); }

 private:
  const std::shared_ptr<Shown> shown_;
};

inline FlowOffer camera_flow(const std::string& name = "video", double frame_rate = 200) {
  return {.name = name, .source = [] { return std::make_unique<Camera>(); }, .frame_rate = frame_rate};
}
inline FlowOffer screen_flow(const std::shared_ptr<Shown>& shown, const std::string& name = "video") {
  return {.name = name, .sink = [shown] { return std::make_unique<Screen>(shown); }};
}

// A device in an ORB of its own.
class Station {
 public:
  explicit Station(StreamDevice::Options options)
      : pair_({}, {}, OrbPair::loopback, OrbPair::Server::serves_by_its_own_threads),
        device(StreamDevice::start(pair_.server, std::move(options))) {}
  ~Station() { pair_.stop_server(); }

  // As another process sees it.
  Ref<Device> seen_by(const Orb& orb) const {
    return IDL::traits<Device>::narrow(
        orb->string_to_object(pair_.server->object_to_string(device->reference())));
  }
  const Orb& orb() const { return pair_.server; }

 private:
  OrbPair pair_;

 public:
  const std::unique_ptr<StreamDevice> device;
};

template <class T>
CosPropertyService::Property parameter(const std::string& name, const T& value) {
  CORBA::Any any;
  any <<= value;
  return {name, any};
}

inline Quality quality_of(const std::string& flow, CosPropertyService::Properties parameters) {
  return {{flow, std::move(parameters)}};
}

// The exception of a call, with its reason.
inline std::string exception_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const CORBA::UserException& refused) {
    const std::string text = takt::cdr::text_of(takt::cdr::exception_to_any(refused));
    constexpr std::string_view prefix = "any omg.org::AVStreams::";
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
  } catch (const CORBA::SystemException& failure) {
    return std::string(failure._name()) + ": " + std::string(failure.detail());
  }
  return "nothing";
}

}  // namespace feature
