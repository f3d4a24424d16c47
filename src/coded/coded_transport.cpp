#include "coded/coded_transport.h"

#include <cerrno>
#include <exception>
#include <string>
#include <utility>

#include "coded/coded_stream.h"
#include "os/net/address.h"

namespace takt::coded {

using transport::AcceptError;
using transport::Acceptor;
using transport::AcceptResult;
using transport::ConnectError;
using transport::ConnectResult;
using transport::Endpoint;
using transport::ListenResult;
using transport::Stream;

namespace {

// The endpoint's host is the carrier's name followed by text that its parse() reads.
Endpoint over(const Endpoint& carried, const transport::Transport& carrier,
              const giop::MessagingProtocol& protocol) {
  const std::string place =
      carrier.profile_form().has_port ? "//" + os::host_and_port(carried.host, carried.port) : carried.host;
  return {std::string(protocol.name()), carried.protocol + ":" + place, 0};
}

using Protocol = std::shared_ptr<const giop::MessagingProtocol>;

// The error says why the protocol refuses the connection.
Expected<std::unique_ptr<Stream>, std::string> coded(std::unique_ptr<Stream> inner, const Protocol& protocol,
                                                     giop::Connection::Role role,
                                                     const giop::Limits& limits) {
  try {
    auto coder = protocol->open(role == giop::Connection::Role::client);
    if (!coder) return Unexpected(std::string("it has no coder for it"));
    return std::make_unique<CodedStream>(std::move(inner), protocol, std::move(coder), role, limits);
  } catch (const std::exception& thrown) {
    return Unexpected(std::string(thrown.what()));
  } catch (...) {
    return Unexpected(std::string("it throws an exception that is not a std::exception"));
  }
}

class CodedAcceptor final : public Acceptor {
 public:
  CodedAcceptor(std::unique_ptr<Acceptor> inner, Protocol protocol, const transport::Transport& carrier,
                const client::Client& client)
      : inner_(std::move(inner)), protocol_(std::move(protocol)), carrier_(carrier), client_(client) {}

  // If the protocol refuses a connection, it is closed and reported, and the next one is accepted.
  AcceptResult accept() override {
    do {
      auto stream = inner_->accept();
      if (!stream) return stream;
      const std::string which = (*stream)->describe();
      auto made =
          coded(std::move(*stream), protocol_, giop::Connection::Role::server, *client_.protocol.limits);
      if (made) return std::move(*made);
      if (client_.report)
        client_.report(std::string(protocol_->name()) + ": the connection " + which +
                       " is refused: " + made.error());
    } while (blocking_);
    return Unexpected(AcceptError::would_block);
  }
  void set_blocking(bool blocking) override {
    blocking_ = blocking;
    inner_->set_blocking(blocking);
  }
  int native_handle() const override { return inner_->native_handle(); }
  Endpoint local_endpoint() const override { return over(inner_->local_endpoint(), carrier_, *protocol_); }
  void stop_new_attempts() override { inner_->stop_new_attempts(); }
  void close() override { inner_->close(); }

 private:
  const std::unique_ptr<Acceptor> inner_;
  const Protocol protocol_;
  const transport::Transport& carrier_;
  const client::Client& client_;
  bool blocking_ = false;
};

}  // namespace

[[gnu::cold]] Expected<CodedTransport::Carrier, std::string> CodedTransport::carrier_of(
    std::string_view address) const {
  const auto refuse = [&](const std::string& why) {
    const std::string protocol(name());
    return Unexpected("write " + protocol + "://HOST:PORT, or " + protocol +
                      ": and another transport's endpoint (" + why + ")");
  };
  const bool is_tcp = address.empty() || address.starts_with("//");
  const auto colon = is_tcp ? 0 : address.find(':');
  if (colon == address.npos) return refuse("it names no transport");
  const std::string_view named = is_tcp ? "iiop" : address.substr(0, colon);
  const std::string_view place = address.empty() ? "//:0" : is_tcp ? address : address.substr(colon + 1);
  transport::Transport* const carrier = client_.references.transports.find(named);
  const auto about = [&](const char* what) { return refuse("'" + std::string(named) + "' " + what); };
  if (!carrier) return about("is not a transport of this ORB");
  if (dynamic_cast<const CodedTransport*>(carrier)) return about("is a messaging protocol, too");
  if (carrier->profile_form().machine_protocol != 0) return about("is for one machine alone");
  auto endpoint = carrier->parse(place);
  if (!endpoint) return refuse(endpoint.error());
  return Carrier{carrier, std::move(*endpoint)};
}

transport::EndpointResult CodedTransport::parse(std::string_view address) const {
  const auto carrier = carrier_of(address);
  if (!carrier) return Unexpected(carrier.error());
  return over(carrier->endpoint, *carrier->transport, *protocol_);
}

bool CodedTransport::is_definite(const Endpoint& endpoint) const {
  const auto carrier = carrier_of(endpoint.host);
  return carrier && carrier->transport->is_definite(carrier->endpoint);
}

Endpoint CodedTransport::beside(const Endpoint& configured) const {
  const auto carrier = carrier_of(configured.host);
  if (!carrier) return configured;
  return over(carrier->transport->beside(carrier->endpoint), *carrier->transport, *protocol_);
}

std::vector<Endpoint> CodedTransport::published(const Endpoint& bound) const {
  const auto carrier = carrier_of(bound.host);
  if (!carrier) return {bound};
  std::vector<Endpoint> endpoints = carrier->transport->published(carrier->endpoint);
  for (Endpoint& endpoint : endpoints) endpoint = over(endpoint, *carrier->transport, *protocol_);
  return endpoints;
}

ListenResult CodedTransport::listen(const Endpoint& on, const transport::ListenOptions& options) {
  const auto carrier = carrier_of(on.host);
  if (!carrier)
    return Unexpected(
        transport::ListenError{EINVAL, "cannot listen on " + to_text(on) + ": " + carrier.error()});
  auto acceptor = carrier->transport->listen(carrier->endpoint, options);
  if (!acceptor) return acceptor;
  return std::make_unique<CodedAcceptor>(std::move(*acceptor), protocol_, *carrier->transport, client_);
}

ConnectResult CodedTransport::connect(const Endpoint& to, os::TimePoint deadline,
                                      const transport::StreamOptions& options) {
  const auto refuse = [&](int error, const std::string& why) {
    return Unexpected(
        ConnectError{ConnectError::Phase::connect, error, "cannot connect to " + to_text(to) + ": " + why});
  };
  const auto carrier = carrier_of(to.host);
  if (!carrier) return refuse(EINVAL, carrier.error());
  auto stream = carrier->transport->connect(carrier->endpoint, deadline, options);
  if (!stream) return stream;
  auto made = coded(std::move(*stream), protocol_, giop::Connection::Role::client, *client_.protocol.limits);
  if (!made) return refuse(EPROTO, made.error());
  return std::move(*made);
}

}  // namespace takt::coded
