// A plug-in whose streams have other texts for people, each time another.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include <takt/orb/linked_plugin.h>
#include <takt/transport/wrapped_stream.h>

namespace feature {

class RenamedStream final : public takt::transport::WrappedStream {
 public:
  explicit RenamedStream(std::unique_ptr<takt::transport::Stream> inner) : WrappedStream(std::move(inner)) {}
  std::string describe() const override {
    static std::atomic<int> times{0};
    return "renamed " + std::to_string(++times) + " -> somewhere";
  }
};

class Renaming final : public takt::transport::StreamWrapper {
  std::unique_ptr<takt::transport::Stream> wrap(std::unique_ptr<takt::transport::Stream> stream,
                                                takt::transport::OpenedBy) const override {
    return std::make_unique<RenamedStream>(std::move(stream));
  }
};

inline std::uint32_t renaming_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_stream_wrapper(std::make_unique<Renaming>());
  return takt::plugin_interface;
}

// For -ORBPlugin.
inline std::string renaming() {
  takt::add_plugin("renaming", &renaming_plugin);
  return "renaming";
}

}  // namespace feature
