// A server with TLS, whose acceptor the test drives, and its clients.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "certificates.h"
#include "os/poll/wait.h"
#include "tls/tls_transport.h"
#include "transports.h"

namespace takt::transport {

class TlsTest : public ::testing::Test {
 protected:
  TlsOptions server_options() {
    TlsOptions options = client_options();
    const auto credentials = authority_.issue({.name = "server"});
    options.certificate_file = credentials.certificate_file;
    options.key_file = credentials.key_file;
    options.on_refusal = [this](const std::string& why) { refusals_.push_back(why); };
    return options;
  }
  TlsOptions client_options() {
    TlsOptions options;
    options.authorities = authority_.file();
    return options;
  }
  TlsOptions client_options_with(const test::Credentials& credentials) {
    TlsOptions options = client_options();
    options.certificate_file = credentials.certificate_file;
    options.key_file = credentials.key_file;
    return options;
  }
  void serve(const TlsOptions& options, const std::string& host = "127.0.0.1") {
    server_ = std::make_unique<TlsTransport>(options);
    auto listening = server_->listen({"ssliop", host, 0}, {});
    ASSERT_TRUE(listening) << listening.error().text;
    acceptor_ = std::move(*listening);
  }
  Endpoint endpoint() const { return acceptor_->local_endpoint(); }
  // For clients without TLS.
  Endpoint plain_endpoint() const {
    Endpoint plain = endpoint();
    plain.protocol = "iiop";
    return plain;
  }
  // Accepts while `client` runs, until the result is known.
  void accept_while(const std::function<void()>& client) {
    auto running = std::async(std::launch::async, client);
    while (running.wait_for(1ms) != std::future_status::ready) accept_waiting();
    accept_waiting();
    running.get();
  }
  void accept_waiting() {
    while (os::wait_ready(acceptor_->native_handle(), os::Interest::read, os::Clock::now()) ==
           os::WaitResult::ready)
      if (auto stream = acceptor_->accept()) accepted_.push_back(std::move(*stream));
  }
  ConnectResult connect(TlsTransport& client) {
    ConnectResult result = Unexpected(ConnectError{});
    accept_while([&] { result = client.connect(endpoint(), os::Clock::now() + 5s, {}); });
    return result;
  }
  // The error of connecting; empty text: none.
  ConnectError failure(const TlsOptions& options) {
    TlsTransport client(options);
    auto stream = connect(client);
    return stream ? ConnectError{} : stream.error();
  }
  // The result of a connected client's first read.
  std::string first_words(const TlsOptions& options) {
    TlsTransport client(options);
    auto stream = connect(client);
    if (!stream) return stream.error().text;
    std::uint8_t octet;
    const IoResult result = (*stream)->read({&octet, 1});
    EXPECT_EQ(result.error, EACCES);
    return (*stream)->describe();
  }
  static void expect_in(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  std::string refused() const { return refusals_.empty() ? "" : refusals_.back(); }

  test::Authority authority_;
  std::vector<std::string> refusals_;
  std::unique_ptr<TlsTransport> server_;
  std::unique_ptr<Acceptor> acceptor_;
  std::vector<std::unique_ptr<Stream>> accepted_;
};

}  // namespace takt::transport
