// A plug-in that fails in the way its argument names.
#include <map>
#include <stdexcept>
#include <string>

#include <takt/orb/plugin.h>

namespace {

using namespace takt::transport;

// A transport with a name and a tag, but no implementation.
class Misnamed final : public Transport {
 public:
  Misnamed(std::string name, std::uint32_t tag) : name_(std::move(name)), tag_(tag) {}
  std::string_view name() const override { return name_; }
  ProfileForm profile_form() const override { return {.tag = tag_, .has_port = false}; }
  EndpointResult parse(std::string_view) const override { return Endpoint{name_, "", 0}; }
  bool is_definite(const Endpoint&) const override { return false; }
  Endpoint beside(const Endpoint& configured) const override { return configured; }
  ListenResult listen(const Endpoint&, const ListenOptions&) override {
    return takt::Unexpected(ListenError{1, "listens nowhere"});
  }
  ConnectResult connect(const Endpoint&, takt::os::TimePoint, const StreamOptions&) override {
    return takt::Unexpected(ConnectError{ConnectError::Phase::connect, 1, "connects to nobody"});
  }

 private:
  const std::string name_;
  const std::uint32_t tag_;
};

// A messaging protocol with a name and a tag that refuses every connection.
class NoMessaging final : public takt::giop::MessagingProtocol {
 public:
  NoMessaging(std::string_view name, std::uint32_t tag) : name_(name), tag_(tag) {}
  std::string_view name() const override { return name_; }
  std::uint32_t profile_tag() const override { return tag_; }
  std::unique_ptr<takt::giop::MessageCoder> open(bool of_client) const override {
    if (of_client) throw std::runtime_error("no key for it");
    return nullptr;
  }

 private:
  const std::string_view name_;
  const std::uint32_t tag_;
};

// A compression method with a name and a number that compresses nothing.
class NoMethod final : public takt::giop::CompressionMethod {
 public:
  NoMethod(std::string_view name, std::uint8_t number) : name_(name), number_(number) {}
  std::string_view name() const override { return name_; }
  std::uint8_t number() const override { return number_; }
  std::size_t compress(std::span<const takt::ByteView>, takt::MutableBytes, int) const noexcept override {
    return 0;
  }
  bool expand(takt::ByteView, takt::MutableBytes) const noexcept override { return false; }

 private:
  const std::string_view name_;
  const std::uint8_t number_;
};

using takt::PluginRegistry;

void add_transport(PluginRegistry& registry, const char* name, std::uint32_t tag) {
  registry.add_transport(std::make_unique<Misnamed>(name, tag));
}
class NoWrapper final : public takt::transport::StreamWrapper {
 public:
  std::unique_ptr<takt::transport::Stream> wrap(std::unique_ptr<takt::transport::Stream> stream,
                                                takt::transport::OpenedBy) const override {
    return stream;
  }
};
void add_messaging(PluginRegistry& registry, const char* name, std::uint32_t tag) {
  registry.add_messaging(std::make_unique<NoMessaging>(name, tag));
}
void add_method(PluginRegistry& registry, const char* name, std::uint8_t number) {
  registry.add_compression(std::make_unique<NoMethod>(name, number));
}

const std::map<std::string_view, void (*)(PluginRegistry&)> ways{
    // A plug-in that cannot work.
    {"throws",
     [](PluginRegistry& registry) {
       throw std::runtime_error("no device " + std::string(registry.arguments()));
     }},
    // Fails after registering a transport.
    {"throws_late",
     [](PluginRegistry& registry) {
       add_transport(registry, "early", 77);
       throw std::runtime_error("too late");
     }},
    {"throws_number", [](PluginRegistry&) { throw 5; }},
    {"adds_null", [](PluginRegistry& registry) { registry.add_transport(nullptr); }},
    {"name_taken", [](PluginRegistry& registry) { add_transport(registry, "iiop", 77); }},
    // Uses the tag of TCP and ignores the refusal.
    {"tag_taken",
     [](PluginRegistry& registry) {
       try {
         add_transport(registry, "other", 0);
       } catch (const std::invalid_argument&) {
         return;
       }
     }},
    // The name could be mistaken for an address.
    {"ill_named", [](PluginRegistry& registry) { add_transport(registry, "a:b", 77); }},
    {"null_method", [](PluginRegistry& registry) { registry.add_compression(nullptr); }},
    {"number_of_takt", [](PluginRegistry& registry) { add_method(registry, "mine", 2); }},
    {"method_taken", [](PluginRegistry& registry) { add_method(registry, "zlib", 200); }},
    {"null_wrapper", [](PluginRegistry& registry) { registry.add_stream_wrapper(nullptr); }},
    {"many_wrappers",
     [](PluginRegistry& registry) {
       for (int i = 0; i < 9; ++i) registry.add_stream_wrapper(std::make_unique<NoWrapper>());
     }},
    {"null_messaging", [](PluginRegistry& registry) { registry.add_messaging(nullptr); }},
    // The tag belongs to a transport.
    {"messaging_taken", [](PluginRegistry& registry) { add_messaging(registry, "mine", 0); }},
    // Refuses the connections that are made for it.
    {"takes_none", [](PluginRegistry& registry) { add_messaging(registry, "none", 0x54414b7d); }},
};

}  // namespace

std::uint32_t takt_plugin(std::uint32_t, PluginRegistry& registry) {
  ways.at(registry.arguments())(registry);
  return takt::plugin_interface;
}
