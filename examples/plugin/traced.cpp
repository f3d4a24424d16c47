// A transport in a plug-in, loaded while an ORB starts: TCP that writes a line to a file for each read and
// write.
//
//   -ORBPlugin ./traced.so:trace.txt -ORBListenEndpoints traced://:0
//
// Without a file it only forwards calls, which shows the cost of a plug-in.
// Explained in docs/user/writing-a-transport.md.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

#include <takt/orb/plugin.h>
#include <takt/transport/wrapped_stream.h>

namespace {

using namespace takt::transport;
using takt::ByteView;
using takt::MutableBytes;

constexpr std::string_view name = "traced";
// Use a tag of your own: the OMG assigns ranges of tags. This one is from Takt's range, for examples.
constexpr std::uint32_t profile_tag = 0x54414b7f;

// Writes each line in one write(), so that streams need neither a lock nor a buffer.
class Trace {
 public:
  explicit Trace(const std::string& path)
      : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
    if (file_ < 0) throw std::runtime_error("cannot open " + path);
  }
  ~Trace() { ::close(file_); }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  unsigned next_stream() { return streams_.fetch_add(1, std::memory_order_relaxed); }
  // Writes "3 <- 84: 47494f5001020100...", with the first of the octets.
  void moved(unsigned stream, const char* direction, std::size_t bytes, ByteView octets) {
    char line[96];
    int size = std::snprintf(line, sizeof line, "%u %s %zu: ", stream, direction, bytes);
    for (const std::uint8_t octet : octets.first(std::min({octets.size(), bytes, shown})))
      size += std::snprintf(line + size, sizeof line - static_cast<std::size_t>(size), "%02x", octet);
    line[size++] = '\n';
    [[maybe_unused]] const auto written = ::write(file_, line, static_cast<std::size_t>(size));
  }

 private:
  static constexpr std::size_t shown = 16;
  const int file_;
  std::atomic<unsigned> streams_{1};
};

// Replaces the inner transport's name in a text, as in "cannot connect to iiop 127.0.0.1:1 ...".
std::string renamed(std::string text, std::string_view from) {
  if (const auto at = text.find(from); at != std::string::npos) text.replace(at, from.size(), name);
  return text;
}

// Passes every call on to the inner stream.
class PassingStream : public WrappedStream {
 public:
  explicit PassingStream(std::unique_ptr<Stream> inner) : WrappedStream(std::move(inner)) {}

  std::string describe() const override { return renamed(inner_->describe(), "tcp"); }
};

class TracedStream final : public PassingStream {
 public:
  TracedStream(std::unique_ptr<Stream> inner, std::shared_ptr<Trace> trace)
      : PassingStream(std::move(inner)), trace_(std::move(trace)), number_(trace_->next_stream()) {}

  IoResult read(MutableBytes into) override { return told("<-", PassingStream::read(into), into); }
  IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) override {
    return told("<-", PassingStream::read_stamped(into, age), into);
  }
  IoResult write(ByteView octets) override { return told("->", PassingStream::write(octets), octets); }
  IoResult write_gather(std::span<const ByteView> pieces) override {
    const auto first = std::find_if(pieces.begin(), pieces.end(), [](ByteView one) { return !one.empty(); });
    return told("->", PassingStream::write_gather(pieces), first == pieces.end() ? ByteView() : *first);
  }

 private:
  IoResult told(const char* direction, IoResult result, ByteView octets) {
    trace_->moved(number_, direction, result.bytes, octets);
    return result;
  }

  const std::shared_ptr<Trace> trace_;
  const unsigned number_;
};

std::unique_ptr<Stream> wrapped(std::unique_ptr<Stream> stream, const std::shared_ptr<Trace>& trace) {
  if (!trace) return std::make_unique<PassingStream>(std::move(stream));
  return std::make_unique<TracedStream>(std::move(stream), trace);
}

// The same endpoint with the name of the other transport.
Endpoint named(Endpoint endpoint, std::string_view protocol) {
  endpoint.protocol = protocol;
  return endpoint;
}

std::string text_of(const Endpoint& endpoint) {
  return std::string(name) + " " + endpoint.host + ":" + std::to_string(endpoint.port);
}

class TracedAcceptor final : public Acceptor {
 public:
  TracedAcceptor(std::unique_ptr<Acceptor> inner, std::shared_ptr<Trace> trace)
      : inner_(std::move(inner)), trace_(std::move(trace)) {}

  AcceptResult accept() override {
    auto stream = inner_->accept();
    if (!stream) return stream;
    return wrapped(std::move(*stream), trace_);
  }
  void set_blocking(bool blocking) override { inner_->set_blocking(blocking); }
  int native_handle() const override { return inner_->native_handle(); }
  Endpoint local_endpoint() const override { return named(inner_->local_endpoint(), name); }
  void stop_new_attempts() override { inner_->stop_new_attempts(); }
  void close() override { inner_->close(); }

 private:
  const std::unique_ptr<Acceptor> inner_;
  const std::shared_ptr<Trace> trace_;
};

// A connection's settings may name a trace file of its own; there are no other settings.
class TracedTransport final : public Transport {
 public:
  // `inner` belongs to the ORB, which keeps it as long as this transport.
  TracedTransport(Transport& inner, std::shared_ptr<Trace> trace) : inner_(inner), trace_(std::move(trace)) {}

  std::string_view name() const override { return ::name; }
  ProfileForm profile_form() const override { return {.tag = profile_tag, .has_port = true}; }

  EndpointResult parse(std::string_view address) const override {
    auto endpoint = inner_.parse(address);
    if (!endpoint) return takt::Unexpected("write traced://HOST:PORT (" + endpoint.error() + ")");
    return named(*endpoint, ::name);
  }
  bool is_definite(const Endpoint& endpoint) const override {
    return inner_.is_definite(named(endpoint, inner_.name()));
  }
  Endpoint beside(const Endpoint& configured) const override {
    return named(inner_.beside(named(configured, inner_.name())), ::name);
  }
  std::vector<Endpoint> published(const Endpoint& bound) const override {
    auto endpoints = inner_.published(named(bound, inner_.name()));
    for (Endpoint& endpoint : endpoints) endpoint.protocol = ::name;
    return endpoints;
  }

  std::string validate(std::string_view settings) const override {
    const auto trace = trace_for(std::string(settings));
    return trace ? std::string() : trace.error();
  }

  ListenResult listen(const Endpoint& on, const ListenOptions& options) override {
    auto trace = trace_for(options.stream.settings);
    if (!trace)
      return takt::Unexpected(ListenError{EINVAL, "cannot listen on " + text_of(on) + ": " + trace.error()});
    auto acceptor = inner_.listen(named(on, inner_.name()), options);
    if (!acceptor) {
      acceptor.error().text = renamed(acceptor.error().text, inner_.name());
      return acceptor;
    }
    return std::make_unique<TracedAcceptor>(std::move(*acceptor), std::move(*trace));
  }
  ConnectResult connect(const Endpoint& to, takt::os::TimePoint deadline,
                        const StreamOptions& options) override {
    const auto trace = trace_for(options.settings);
    if (!trace)
      return takt::Unexpected(ConnectError{ConnectError::Phase::connect, EINVAL,
                                           "cannot connect to " + text_of(to) + ": " + trace.error()});
    auto stream = inner_.connect(named(to, inner_.name()), deadline, options);
    if (!stream) {
      stream.error().text = renamed(stream.error().text, inner_.name());
      return stream;
    }
    return wrapped(std::move(*stream), *trace);
  }

 private:
  takt::Expected<std::shared_ptr<Trace>, std::string> trace_for(const std::string& settings) const {
    if (settings.empty()) return trace_;
    try {
      return std::make_shared<Trace>(settings);
    } catch (const std::runtime_error& wrong) {
      return takt::Unexpected(std::string(wrong.what()));
    }
  }

  Transport& inner_;
  const std::shared_ptr<Trace> trace_;
};

}  // namespace

std::uint32_t takt_plugin(std::uint32_t interface, takt::PluginRegistry& registry) {
  if (interface != takt::plugin_interface) return takt::plugin_interface;
  Transport* const tcp = registry.find_transport("iiop");
  if (!tcp) throw std::runtime_error("this ORB has no TCP");
  std::shared_ptr<Trace> trace;
  if (const std::string file(registry.arguments()); !file.empty()) trace = std::make_shared<Trace>(file);
  registry.add_transport(std::make_unique<TracedTransport>(*tcp, std::move(trace)));
  return takt::plugin_interface;
}
