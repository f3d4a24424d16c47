// A registry for tests that use some kinds of a plug-in's contributions and ignore the others.
#pragma once

#include <takt/orb/plugin.h>

namespace takt::test {

class PluginRegistry : public takt::PluginRegistry {
 public:
  void add_transport(std::unique_ptr<transport::Transport>) override {}
  void add_compression(std::unique_ptr<const giop::CompressionMethod>) override {}
  void add_messaging(std::unique_ptr<const giop::MessagingProtocol>) override {}
  void add_policy_control(std::unique_ptr<const reference::PolicyControl>) override {}
  void add_request_order(std::unique_ptr<const server::RequestOrder>) override {}
  void add_stream_wrapper(std::unique_ptr<const transport::StreamWrapper>) override {}
  transport::Transport* find_transport(std::string_view) override { return nullptr; }
  std::string_view arguments() const override { return {}; }

 protected:
  ~PluginRegistry() = default;
};

}  // namespace takt::test
