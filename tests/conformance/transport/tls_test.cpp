// Properties of TLS: which peers it trusts, and what it refuses.
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tls/refusal_report.h"
#include "tls/tls_engine.h"
#include "tls_fixture.h"
#include "transport/tcp/tcp_transport.h"

namespace takt::transport {
namespace {

TEST_F(TlsTest, AnExpiredCertificateIsRefusedAndSaysSo) {
  TlsOptions options = server_options();
  const auto old = authority_.issue({.name = "server", .begins_s = -7200, .ends_s = -3600});
  options.certificate_file = old.certificate_file;
  options.key_file = old.key_file;
  serve(options);
  const ConnectError error = failure(client_options());
  EXPECT_EQ(error.phase, ConnectError::Phase::tls);
  EXPECT_EQ(error.error, EACCES);
  expect_in(error.text, "TLS: the peer's certificate is refused: certificate has expired");
  expect_in(refused(), "certificate");  // the client's alert
}

TEST_F(TlsTest, ACertificateOfAnotherHostIsRefusedUnlessHostsAreNotChecked) {
  TlsOptions options = server_options();
  const auto other = authority_.issue({.name = "other", .hosts = "DNS:other.example"});
  options.certificate_file = other.certificate_file;
  options.key_file = other.key_file;
  serve(options);
  const ConnectError error = failure(client_options());
  EXPECT_EQ(error.error, EACCES);
  expect_in(error.text, "IP address mismatch; it must name the host");
  TlsOptions careless = client_options();
  careless.check_hosts = false;
  EXPECT_EQ(failure(careless).text, "");
}

TEST_F(TlsTest, AnAddressWithAnInterfaceIsCheckedLikeOneWithout) {
  TlsOptions options = server_options();
  const auto other = authority_.issue({.name = "other", .hosts = "DNS:other.example"});
  TlsOptions others = options;
  others.certificate_file = other.certificate_file;
  others.key_file = other.key_file;
  const auto failure_through_loopback = [&](const TlsOptions& server) {
    serve(server, "::1");
    TlsTransport client(client_options());
    Endpoint to = endpoint();
    to.host = "::1%lo";
    std::string text;
    accept_while([&] {
      const auto stream = client.connect(to, soon(), {});
      if (!stream) text = stream.error().text;
    });
    return text;
  };
  expect_in(failure_through_loopback(others), "IP address mismatch; it must name the host");
  EXPECT_EQ(failure_through_loopback(options), "");
}

TEST_F(TlsTest, ASelfSignedCertificateIsRefusedUnlessItIsTrusted) {
  TlsOptions options = server_options();
  const auto own = authority_.self_signed({.name = "server"});
  options.certificate_file = own.certificate_file;
  options.key_file = own.key_file;
  serve(options);
  expect_in(failure(client_options()).text, "self-signed certificate; if it is to be trusted");
  TlsOptions trusting = client_options();
  trusting.authorities = own.certificate_file;
  EXPECT_EQ(failure(trusting).text, "");
}

TEST_F(TlsTest, ARevokedCertificateIsRefused) {
  TlsOptions options = server_options();
  serve(options);
  TlsOptions careful = client_options();
  careful.revoked_file = authority_.revoke({options.certificate_file, options.key_file});
  const ConnectError error = failure(careful);
  EXPECT_EQ(error.error, EACCES);
  expect_in(error.text, "certificate revoked");
}

TEST_F(TlsTest, ACertificateOfARevokedAuthorityIsRefused) {
  const test::Authority between(authority_);
  const auto credentials = between.issue({.name = "server"});
  TlsOptions options = server_options();
  options.certificate_file = credentials.certificate_file;
  options.key_file = credentials.key_file;
  serve(options);
  EXPECT_EQ(failure(client_options()).text, "");
  TlsOptions careful = client_options();
  careful.revoked_file = authority_.folder() + "/both.pem";
  std::ofstream(careful.revoked_file) << std::ifstream(authority_.revoke({between.file(), ""})).rdbuf()
                                      << std::ifstream(between.revoke({})).rdbuf();
  expect_in(failure(careful).text, "certificate revoked");
  careful.revoked_file = between.revoke({});
  expect_in(failure(careful).text, "unable to get certificate CRL");  // the list of the first authority
}

TEST_F(TlsTest, AClientWithoutTheCertificateThatIsRequiredIsRefusedOnBothSides) {
  TlsOptions options = server_options();
  options.client_certificates = ClientCertificates::required;
  serve(options);
  expect_in(first_words(client_options()), "certificate required");
  expect_in(refused(), "the peer has shown no certificate, and -ORBTLSClientCertificates wants one");
  EXPECT_TRUE(accepted_.empty());
  const test::Authority stranger;
  expect_in(first_words(client_options_with(stranger.issue({.name = "client"}))), "unknown ca");
  EXPECT_EQ(failure(client_options_with(authority_.issue({.name = "client"}))).text, "");
  EXPECT_EQ(accepted_.size(), 1u);
}

TEST_F(TlsTest, AServerWithoutTlsIsNamedAsOne) {
  TcpTransport plain;
  auto listening = plain.listen({"iiop", "127.0.0.1", 0}, {});
  ASSERT_TRUE(listening);
  (*listening)->set_blocking(true);
  std::thread server([&] {
    const auto stream = (*listening)->accept();
    std::uint8_t octets[512];
    (*stream)->read(octets);
    (*stream)->write(octets_of(std::string_view("GIOP\1\2\0\6\0\0\0\0", 12)));
  });
  TlsTransport client(client_options());
  Endpoint to = (*listening)->local_endpoint();
  to.protocol = "ssliop";
  const auto stream = client.connect(to, soon(), {});
  server.join();
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().error, EPROTO);
  expect_in(stream.error().text, "the peer does not speak TLS on this port");
}

TEST_F(TlsTest, APlainClientIsRefusedUnlessTheServerTakesBoth) {
  TlsOptions options = server_options();
  for (const bool both : {false, true}) {
    options.plain_too = both;
    serve(options);
    const Endpoint plain = plain_endpoint();
    std::unique_ptr<Stream> stream;
    accept_while([&] {
      stream = TcpTransport().connect(plain, soon(), {}).value();
      stream->write(octets_of("GIOP\1\2"));
      std::this_thread::sleep_for(5ms);
    });
    if (!both) {
      expect_in(refused(), "the peer does not speak TLS on this port");
      EXPECT_TRUE(accepted_.empty());
      EXPECT_EQ(read_text(*stream, 7), std::string("\x15\3\1\0\2\2\x46", 7))
          << "an alert of protocol_version";
      continue;
    }
    ASSERT_EQ(accepted_.size(), 1u);
    EXPECT_EQ(read_text(*accepted_.front(), 4), "GIOP");
    EXPECT_TRUE(accepted_.front()->describe().starts_with("tcp "));
    accepted_.clear();
    TlsTransport client(client_options());
    EXPECT_TRUE(connect(client));
  }
}

TEST_F(TlsTest, WhatIsInTheStreamIsSaidAndComesWithoutTheHandle) {
  serve(server_options());
  TlsTransport client(client_options());
  auto stream = connect(client);
  ASSERT_TRUE(stream);
  for (const char* const word : {"one", "two"}) (*stream)->write(octets_of(word));
  Stream& server = *accepted_.front();
  server.set_blocking(false);
  std::uint8_t octets[2];
  EXPECT_FALSE(server.holds_octets());
  while (server.read(octets).status == IoStatus::would_block) continue;
  EXPECT_TRUE(server.holds_octets());
  EXPECT_EQ(read_text(server, 4), "etwo");
  EXPECT_FALSE(server.holds_octets());
  EXPECT_EQ(server.read(octets).status, IoStatus::would_block);
}

TEST_F(TlsTest, SessionsAreResumed) {
  for (const TlsVersion highest : {TlsVersion::v1_2, TlsVersion::v1_3}) {
    TlsOptions options = server_options();
    options.highest = highest;
    serve(options);
    TlsTransport client(client_options());
    for (int i = 0; i < 3; ++i) {
      auto stream = connect(client);
      ASSERT_TRUE(stream) << stream.error().text;
      accepted_.back()->write(octets_of("x"));
      read_text(**stream, 1);  // the session ticket comes with it
      EXPECT_EQ((*stream)->describe().find("resumed") != std::string::npos, i > 0);
      EXPECT_EQ((*stream)->peer_address(), address_text(endpoint()));
    }
  }
}

TEST_F(TlsTest, FilesThatWillNotDoAreNamed) {
  TlsOptions options = server_options();
  options.key_file = authority_.issue({.name = "other"}).key_file;
  auto refusal = TlsTransport(options).listen({"ssliop", "127.0.0.1", 0}, {});
  ASSERT_FALSE(refusal);
  expect_in(refusal.error().text, "-ORBTLSKey");
  options.key_file.clear();
  expect_in(TlsTransport(options).reload().error(), "if it is in another file, set -ORBTLSKey");
  options.certificate_file = "/nonexistent.pem";
  expect_in(TlsTransport(options).reload().error(), "-ORBTLSCertificate: '/nonexistent.pem'");
  refusal = TlsTransport(client_options()).listen({"ssliop", "127.0.0.1", 0}, {});
  ASSERT_FALSE(refusal);
  expect_in(refusal.error().text, "set -ORBTLSCertificate");
  TlsOptions empty;
  empty.authorities = authority_.folder() + "/none.pem";
  expect_in(TlsTransport(empty).reload().error(), "-ORBTLSAuthorities");
  empty.authorities.clear();
  empty.ciphers = "NONSENSE";
  expect_in(TlsTransport(empty).reload().error(), "-ORBTLSCiphers");
  TlsOptions unrevoked = client_options();
  unrevoked.revoked_file = authority_.file();  // a certificate, no list
  expect_in(TlsTransport(unrevoked).reload().error(), "-ORBTLSRevoked");
  TlsOptions bare = client_options();
  bare.key_file = authority_.issue({.name = "bare"}).key_file;
  expect_in(TlsTransport(bare).reload().error(), "set -ORBTLSCertificate too");
}

TEST_F(TlsTest, AKeyMayHaveAPasswordThatIsInAFile) {
  TlsOptions options = server_options();
  const std::string password = "open sesame";
  test::encrypt(options.key_file, password);
  expect_in(TlsTransport(options).reload().error(), "one with a password needs -ORBTLSKeyPasswordFile");
  TlsOptions in_one_file = options;
  in_one_file.certificate_file = authority_.folder() + "/both.pem";
  in_one_file.key_file.clear();
  std::ofstream(in_one_file.certificate_file)
      << std::ifstream(options.certificate_file).rdbuf() << std::ifstream(options.key_file).rdbuf();
  expect_in(TlsTransport(in_one_file).reload().error(),
            "if the key has a password, set -ORBTLSKeyPasswordFile");
  options.key_password_file = authority_.folder() + "/password";
  expect_in(TlsTransport(options).reload().error(), "/password' cannot be read, or its first line is empty");
  const auto write = [&](const std::string& text) { std::ofstream(options.key_password_file) << text; };
  write("\n" + password);
  expect_in(TlsTransport(options).reload().error(), "/password' cannot be read, or its first line is empty");
  write("another\n");
  expect_in(TlsTransport(options).reload().error(), "-ORBTLSKeyPasswordFile) is not the key's password");
  write(std::string(5000, 'x'));
  expect_in(TlsTransport(options).reload().error(), "-ORBTLSKeyPasswordFile) is not the key's password");
  for (const char* const end : {"", "\n", "\r\nanother line"}) {
    write(password + end);
    EXPECT_TRUE(TlsTransport(options).reload());
  }
  std::vector<std::string> told;
  options.report = [&](const std::string& text) { told.push_back(text); };
  EXPECT_TRUE(TlsTransport(options).reload());
  ASSERT_EQ(told.size(), 1u) << "other users can read it";
  expect_in(told.front(), "the password of the key in " + options.key_password_file);
  std::filesystem::remove(options.key_password_file);
  ASSERT_EQ(::mkfifo(options.key_password_file.c_str(), 0600), 0);
  std::promise<void> read;
  std::thread giving([&] {
    std::ofstream pipe(options.key_password_file);
    pipe << password << std::endl;
    EXPECT_EQ(read.get_future().wait_for(10s), std::future_status::ready)
        << "the pipe stays open after the line";
  });
  EXPECT_TRUE(TlsTransport(options).reload()) << "a pipe gives its octets once";
  read.set_value();
  giving.join();
  EXPECT_EQ(told.size(), 1u);
  options.key_password = std::make_shared<const std::string>(password);
  EXPECT_TRUE(TlsTransport(options).reload()) << "no file is read";
}

TEST_F(TlsTest, CertificatesAreNotReadAgainIfThePasswordCameFromAPipe) {
  TlsOptions options = server_options();
  test::encrypt(options.key_file, "open sesame");
  options.key_password_file = authority_.folder() + "/pipe";
  ASSERT_EQ(::mkfifo(options.key_password_file.c_str(), 0600), 0);
  std::thread giving([&] { std::ofstream(options.key_password_file) << "open sesame\n"; });
  TlsTransport transport(options);
  EXPECT_TRUE(transport.reload());
  giving.join();
  expect_in(transport.reload().error(), "gives the password once");  // and does not wait for a writer
}

TEST_F(TlsTest, AListOfCiphersHoldsForBothVersions) {
  TlsOptions options = server_options();
  options.ciphers = "ECDHE-ECDSA-AES256-GCM-SHA384:TLS_AES_256_GCM_SHA384:ECDHE-RSA-AES256-GCM-SHA384";
  serve(options);
  const auto offered = [this](TlsVersion version, const char* ciphers) {
    TlsOptions client = client_options();
    client.lowest = client.highest = version;
    client.ciphers = ciphers;
    return failure(client).text;
  };
  EXPECT_EQ(offered(TlsVersion::v1_3, "TLS_AES_256_GCM_SHA384"), "");
  EXPECT_NE(offered(TlsVersion::v1_3, "TLS_CHACHA20_POLY1305_SHA256"), "");
  EXPECT_EQ(offered(TlsVersion::v1_2, "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384"), "");
  EXPECT_NE(offered(TlsVersion::v1_2, "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256"), "");
}

TEST_F(TlsTest, CiphersThatOpenSslDoesNotHaveAreSaid) {
  TlsOptions options = client_options();
  std::string told;
  options.report = [&](const std::string& text) { told += text; };
  options.ciphers = "HIGH:!aNULL:!RC4:@STRENGTH:TLS_AES_256_GCM_SHA384";
  EXPECT_TRUE(TlsTransport(options).reload());
  EXPECT_EQ(told, "");
  options.ciphers = "HIGH:nonsense";
  EXPECT_TRUE(TlsTransport(options).reload());
  expect_in(told, "OpenSSL has no cipher 'nonsense'");
  told.clear();
  options.ciphers = "TLS_AES_256_GCM_SHA384:TLS_NONE";
  EXPECT_TRUE(TlsTransport(options).reload());
  expect_in(told, "'TLS_NONE'");
}

TEST_F(TlsTest, AnOwnCertificateOutsideItsTimeOrNearItsEndIsWarnedOf) {
  const auto told_of = [&](const test::Wanted& wanted) {
    const auto credentials = authority_.issue(wanted);
    TlsOptions options = client_options_with(credentials);
    std::string told;
    options.report = [&](const std::string& text) { told += text; };
    EXPECT_TRUE(TlsTransport(options).reload());
    return told;
  };
  constexpr long day = 24 * 3600;
  expect_in(told_of({.name = "old", .begins_s = -2 * day, .ends_s = -day}), "has expired, at ");
  expect_in(told_of({.name = "early", .begins_s = day, .ends_s = 60 * day}), "is not valid before ");
  expect_in(told_of({.name = "near", .ends_s = 13 * day}), "CN=near");
  expect_in(told_of({.name = "near", .ends_s = 13 * day}), "renew it before");
  EXPECT_EQ(told_of({.name = "good", .ends_s = 15 * day}), "");
}

TEST_F(TlsTest, AnOwnCertificateThatComesNearItsEndIsWarnedOfDaily) {
  constexpr long day = 24 * 3600;
  TlsOptions options = client_options_with(authority_.issue({.name = "aging", .ends_s = 14 * day}));
  options.expiry_warning = 13 * 24h;
  std::vector<std::string> told;
  options.report = [&](const std::string& text) { told.push_back(text); };
  const auto context = TlsContext::read(options).value();
  EXPECT_TRUE(told.empty()) << "read with more than 13 days left";
  options.expiry_warning = 15 * 24h;
  const auto now = os::Clock::now() + 25h;
  context->warn_daily(options, now);
  ASSERT_EQ(told.size(), 1u);
  expect_in(told.front(), "the certificate of CN=aging");
  context->warn_daily(options, now + 23h);
  EXPECT_EQ(told.size(), 1u);
  context->warn_daily(options, now + 24h);
  EXPECT_EQ(told.size(), 2u);
}

TEST(RefusalReport, SaysTheFirstOfEachMinuteAndCountsTheOthers) {
  std::vector<std::string> said;
  RefusalReport report([&](const std::string& text) { said.push_back(text); });
  os::TimePoint now = os::Clock::now();
  for (unsigned i = 0; i < 5 * RefusalReport::most; ++i) report.report("no " + std::to_string(i), now += 1ms);
  ASSERT_EQ(said.size(), RefusalReport::most + 1);
  EXPECT_EQ(said.front(), "no 0");
  EXPECT_NE(said.back().find("only counted"), std::string::npos);
  said.clear();
  report.report("again", now += RefusalReport::span);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_NE(said.front().find("80 further connections"), std::string::npos) << said.front();
  EXPECT_EQ(said.back(), "again");
  said.clear();
  report.report("alone", now + RefusalReport::span);
  EXPECT_EQ(said, std::vector<std::string>{"alone"});
}

TEST_F(TlsTest, AKeyThatOtherUsersCanReadIsWarnedOf) {
  TlsOptions options = server_options();
  std::vector<std::string> told;
  options.report = [&](const std::string& text) { told.push_back(text); };
  for (const int closed : {0600, 0400, 0640}) {
    std::filesystem::permissions(options.key_file, std::filesystem::perms(closed));
    EXPECT_TRUE(TlsTransport(options).reload());
  }
  EXPECT_TRUE(told.empty());
  std::filesystem::permissions(options.key_file, std::filesystem::perms(0644));
  EXPECT_TRUE(TlsTransport(options).reload());
  ASSERT_EQ(told.size(), 1u);
  expect_in(told.front(), "chmod 600 " + options.key_file);
}

TEST_F(TlsTest, WhatIsReadAnewIsForNewConnections) {
  TlsOptions options = server_options();
  const auto use = [&](const test::Credentials& credentials) {
    using std::filesystem::copy_file;
    constexpr auto over = std::filesystem::copy_options::overwrite_existing;
    copy_file(credentials.certificate_file, options.certificate_file, over);
    copy_file(credentials.key_file, options.key_file, over);
  };
  serve(options);
  TlsTransport client(client_options());
  auto before = connect(client);
  ASSERT_TRUE(before);
  use(authority_.issue({.name = "server", .hosts = "DNS:elsewhere.example"}));
  ASSERT_TRUE(server_->reload());
  EXPECT_EQ((*before)->write(octets_of("x")).status, IoStatus::ok);
  expect_in(failure(client_options()).text, "mismatch");
  std::filesystem::remove(options.key_file);
  EXPECT_FALSE(server_->reload());
  expect_in(failure(client_options()).text, "mismatch");  // the server keeps its old certificate
}

// A client of TLS 1.2 that starts a new handshake on an open connection.
TEST_F(TlsTest, RenegotiationIsRefused) {
  TlsOptions options = server_options();
  options.highest = TlsVersion::v1_2;
  serve(options);
  std::unique_ptr<Stream> plain;
  Endpoint to = endpoint();
  to.protocol = "iiop";
  const Owned<SSL_CTX> context(SSL_CTX_new(TLS_client_method()));
  const Owned<SSL> end(SSL_new(context.get()));
  accept_while([&] {
    plain = TcpTransport().connect(to, soon(), {}).value();
    SSL_set_fd(end.get(), plain->native_handle());
    EXPECT_EQ(SSL_connect(end.get()), 1);
  });
  ASSERT_EQ(accepted_.size(), 1u);
  plain->set_timeouts(5s, 5s);
  std::thread client([&] {
    SSL_renegotiate(end.get());
    EXPECT_NE(SSL_do_handshake(end.get()), 1);
    ERR_clear_error();
    plain->shut_down();
  });
  EXPECT_EQ(read_text(*accepted_.front(), 1), "");
  client.join();
}

}  // namespace
}  // namespace takt::transport
