#include "orb/wiring/plugins.h"

#include <algorithm>
#include <stdexcept>

#include <takt/cdr/exception.h>
#include <takt/orb/plugin.h>

#include "coded/coded_transport.h"
#include "config/option_values.h"
#include "orb/plugins/plugin_code.h"
#include "orb/wiring/orb_parts.h"

namespace takt::orb {

namespace {

class Registry final : public PluginRegistry {
 public:
  Registry(OrbParts& parts, std::string_view arguments) : parts_(parts), arguments_(arguments) {}

  void add_transport(std::unique_ptr<transport::Transport> transport) override {
    if (!transport) refuse("it registers a null transport");
    add("transport", std::move(transport));
  }
  void add_messaging(std::unique_ptr<const giop::MessagingProtocol> protocol) override {
    if (!protocol) refuse("it registers a null messaging protocol");
    add("messaging protocol", std::make_unique<coded::CodedTransport>(std::move(protocol), parts_.client));
  }
  void add_policy_control(std::unique_ptr<const reference::PolicyControl> control) override {
    if (!control) refuse("it registers a null policy control");
    if (parts_.references.controls.all().size() + controls_.size() == parts_.references.most_controls)
      refuse("an ORB has at most " + std::to_string(parts_.references.most_controls) + " policy controls");
    controls_.push_back(std::move(control));
  }
  void add_compression(std::unique_ptr<const giop::CompressionMethod> method) override {
    if (!method) refuse("it registers a null method of compression");
    const std::string name(method->name());
    require_plain("method of compression", name);
    if (method->number() < method->first_of_plugins)
      refuse("number " + std::to_string(method->number()) + " of its method '" + name + "' is not from " +
             std::to_string(method->first_of_plugins) + " to 255");
    const auto clashes = [&](const auto& one) {
      return one->name() == name || one->number() == method->number();
    };
    const auto there = parts_.protocol.all_methods->all();
    if (std::ranges::any_of(there.all(), clashes) || std::ranges::any_of(compressing_, clashes))
      refuse("there is a method of compression of the name '" + name + "' or with the number " +
             std::to_string(method->number()) + " already");
    if (there.all().size() + compressing_.size() == giop::compression::most_methods)
      refuse("an ORB has at most " + std::to_string(giop::compression::most_methods) +
             " methods of compression");
    compressing_.push_back(std::move(method));
  }
  void add_request_order(std::unique_ptr<const server::RequestOrder> order) override {
    if (!order) refuse("it registers a null queue order");
    std::string name(order->name());
    add_strategy("queue order", std::move(name), std::move(order), strategies_.orders,
                 parts_.strategies.orders);
  }
  void add_stream_wrapper(std::unique_ptr<const transport::StreamWrapper> wrapper) override {
    if (!wrapper) refuse("it registers a null stream wrapper");
    if (parts_.stream_wrappers.of_plugins.all().size() + wrappers_.size() == StreamWrappers::most)
      refuse("an ORB has at most " + std::to_string(StreamWrappers::most) + " stream wrappers");
    wrappers_.push_back(std::move(wrapper));
  }
  transport::Transport* find_transport(std::string_view name) override {
    for (const auto& one : brought_)
      if (one->name() == name) return one.get();
    return parts_.references.transports.find(name);
  }
  std::string_view arguments() const override { return arguments_; }

  // The reason of a refusal, even if the plug-in has ignored it.
  const std::string& refusal() const { return refusal_; }
  // Moves everything that the plug-in has provided into the ORB.
  void take_over() {
    for (auto& one : brought_) parts_.references.transports.add(std::move(one));
    for (auto& one : compressing_) parts_.protocol.all_methods->add(std::move(one));
    parts_.strategies.take_over(std::move(strategies_));
    for (auto& one : controls_) parts_.references.controls.add(std::move(one));
    if (!controls_.empty()) parts_.references.begin_generation();
    for (auto& one : wrappers_) parts_.stream_wrappers.of_plugins.add(std::move(one));
  }

 private:
  void require_plain(const std::string& what, const std::string& name) {
    const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    if (name.empty() || !std::ranges::all_of(name, is_plain))
      refuse("its " + what + "'s name, '" + name + "', is not one of lower-case letters and digits");
  }
  // `what` is its kind in error texts; for the ORB it is a transport.
  void add(const std::string& what, std::unique_ptr<transport::Transport> transport) {
    const std::string name(transport->name());
    require_plain(what, name);
    const std::uint32_t tag = transport->profile_form().tag;
    const auto clashes = [&](const auto& one) {
      return one->name() == name || one->profile_form().tag == tag;
    };
    if (std::ranges::any_of(parts_.references.transports.all(), clashes) ||
        std::ranges::any_of(brought_, clashes))
      refuse("there is a transport of the name '" + name + "' or with the profile tag " +
             std::to_string(tag) + " already");
    if (parts_.references.transports.all().size() + brought_.size() == parts_.references.transports.most)
      refuse("an ORB has at most " + std::to_string(parts_.references.transports.most) + " transports");
    brought_.push_back(std::move(transport));
  }
  void add_strategy(const std::string& what, std::string name, std::shared_ptr<const void> strategy,
                    NameTable& brought, const NameTable& there) {
    if (!is_strategy_name(name))
      refuse("its " + what + " has the name '" + name.substr(0, 100) +
             "', which is not of lower-case letters, digits and hyphens");
    if (brought.find(name) || there.find(name)) refuse("there is a " + what + " '" + name + "' already");
    brought.add(std::move(name), std::move(strategy));
  }
  [[noreturn]] void refuse(const std::string& why) {
    if (refusal_.empty()) refusal_ = why;
    throw std::invalid_argument(why);
  }

  OrbParts& parts_;
  const std::string_view arguments_;
  std::vector<std::unique_ptr<transport::Transport>> brought_;
  std::vector<std::unique_ptr<const giop::CompressionMethod>> compressing_;
  std::vector<std::unique_ptr<const reference::PolicyControl>> controls_;
  std::vector<std::unique_ptr<const transport::StreamWrapper>> wrappers_;
  StrategyTables strategies_;
  std::string refusal_;
};

void load(const std::string& text, OrbParts& parts) {
  const PluginCode code = find_plugin(text);
  Registry registry(parts, code.arguments);
  run_plugin(code, code.plugin, registry, registry.refusal());
  registry.take_over();
}

}  // namespace

void load_plugins(const std::vector<std::string>& texts, OrbParts& parts) {
  for (const std::string& text : texts) load(text, parts);
}

}  // namespace takt::orb
