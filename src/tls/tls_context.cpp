#include "tls/tls_context.h"

#include <openssl/x509_vfy.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/items.h"
#include "os/net/address.h"
#include "tls/asked_password.h"
#include "tls/key_password.h"

namespace takt::transport {

namespace {

using Done = std::expected<void, std::string>;

constexpr long longest_chain_bytes = 64 * 1024;
constexpr std::string_view session_context = "Takt";

Done refusal(std::string_view option, const std::string& file, std::string_view advice) {
  const OpenSslError error = take_openssl_error();
  return std::unexpected("option -ORB" + std::string(option) + ": '" + file + "': " + error.text +
                         (error.text.empty() ? "" : "; ") + std::string(advice));
}

// OpenSSL takes the two kinds apart.
struct CipherNames {
  std::vector<std::string> ciphers;  // TLS 1.2
  std::vector<std::string> suites;   // TLS 1.3
};

CipherNames apart(std::string_view names) {
  CipherNames found;
  for (const std::string_view name : items_of(names, ":,; "))
    (name.starts_with("TLS_") ? found.suites : found.ciphers).emplace_back(name);
  return found;
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list.append(list.empty() ? "" : ":") += name;
  return list;
}

Done set_ciphers(SSL_CTX* context, const std::string& names) {
  const auto [ciphers, suites] = apart(names);
  const bool set = (ciphers.empty() || SSL_CTX_set_cipher_list(context, listed(ciphers).c_str()) == 1) &&
                   (suites.empty() || SSL_CTX_set_ciphersuites(context, listed(suites).c_str()) == 1);
  if (set) return {};
  return refusal("TLSCiphers", names, "`openssl ciphers -v` lists the names");
}

// OpenSSL leaves out names that it does not know.
void warn_of_unknown_ciphers(const TlsOptions& options) {
  if (options.ciphers.empty() || !options.report) return;
  const Owned<SSL_CTX> context(SSL_CTX_new(TLS_method()));
  const auto report = [&](const std::string& name) {
    options.report("option -ORBTLSCiphers: OpenSSL has no cipher '" + name +
                   "', which is left out; `openssl ciphers -v` lists the names");
  };
  const auto [ciphers, suites] = apart(options.ciphers);
  constexpr std::string_view operators = "!-+@";  // they take what there is of a kind away, or order it
  for (const std::string& name : ciphers)
    if (!operators.contains(name[0]) && SSL_CTX_set_cipher_list(context.get(), name.c_str()) != 1)
      report(name);
  for (const std::string& name : suites)
    if (SSL_CTX_set_ciphersuites(context.get(), name.c_str()) != 1) report(name);
  ERR_clear_error();
}

Done set_authorities(SSL_CTX* context, const std::string& place) {
  if (place.empty()) {
    SSL_CTX_set_default_verify_paths(context);
    return {};
  }
  std::error_code none;
  const int set = std::filesystem::is_directory(place, none)
                      ? SSL_CTX_load_verify_dir(context, place.c_str())
                      : SSL_CTX_load_verify_file(context, place.c_str());
  if (set == 1) return {};
  return refusal("TLSAuthorities", place, "it takes a PEM file of certificates, or a folder of such");
}

Done set_revoked(SSL_CTX* context, const std::string& file) {
  if (file.empty()) return {};
  X509_STORE* const store = SSL_CTX_get_cert_store(context);
  X509_LOOKUP* const lookup = X509_STORE_add_lookup(store, X509_LOOKUP_file());
  if (!lookup || X509_load_crl_file(lookup, file.c_str(), X509_FILETYPE_PEM) < 1)
    return refusal("TLSRevoked", file,
                   "it takes a PEM file of revocation lists, as `openssl ca -gencrl` writes");
  X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
  return {};
}

Done refuse_key(const TlsOptions& options, const std::string& key) {
  const std::string_view option = options.key_file.empty() ? "TLSCertificate" : "TLSKey";
  if (options.key_password)
    return refusal(option, key,
                   "either it has no private key in PEM, or " + options.key_password_file +
                       " is not the key's password");
  if (!options.key_password_file.empty())
    return refusal(option, key,
                   "either it has no private key in PEM, or the first line of '" + options.key_password_file +
                       "' (-ORBTLSKeyPasswordFile) is not the key's password");
  return options.key_file.empty()
             ? refusal(option, key,
                       "it has no private key to use: if the key has a password, set "
                       "-ORBTLSKeyPasswordFile; if it is in another file, set -ORBTLSKey")
             : refusal(option, key,
                       "it takes the certificate's private key as PEM; one with a password needs "
                       "-ORBTLSKeyPasswordFile");
}

Done set_certificate(SSL_CTX* context, const TlsOptions& options, const KeyPassword& password) {
  if (options.certificate_file.empty()) {
    if (options.key_file.empty()) return {};
    return std::unexpected("option -ORBTLSKey: a key needs its certificate: set -ORBTLSCertificate too");
  }
  const std::string& key = options.key_file.empty() ? options.certificate_file : options.key_file;
  if (SSL_CTX_use_certificate_chain_file(context, options.certificate_file.c_str()) != 1)
    return refusal("TLSCertificate", options.certificate_file,
                   "it takes a PEM file: the certificate first, then those that lead to its authority");
  const AskedPassword asked(context, password);
  if (!options.key_password_file.empty() && password.is_empty())
    return std::unexpected("option -ORBTLSKeyPasswordFile: '" + options.key_password_file +
                           "' cannot be read, or its first line is empty; it takes the key's password there");
  if (SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1)
    return refuse_key(options, key);
  if (SSL_CTX_check_private_key(context) != 1)
    return refusal("TLSKey", key, "it is not the key of -ORBTLSCertificate");
  return {};
}

bool takes_password_from_pipe(const TlsOptions& options) {
  if (options.key_password || options.key_password_file.empty()) return false;
  std::error_code error;
  const auto status = std::filesystem::status(options.key_password_file, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

// A process that can read the key, or its password, can impersonate this one.
void warn_of_open_file(const TlsOptions& options, std::string_view what, const std::string& file) {
  using std::filesystem::perms;
  if (file.empty() || !options.report) return;
  std::error_code error;
  const perms allowed = std::filesystem::status(file, error).permissions();
  const bool open =
      (allowed & (perms::others_read | perms::group_write | perms::others_write)) != perms::none;
  if (!error && open)
    options.report("TLS: the " + std::string(what) + " in " + file +
                   " can be read or written by other users: chmod 600 " + file);
}

void warn_of_open_files(const TlsOptions& options) {
  warn_of_open_file(options, "private key",
                    options.key_file.empty() ? options.certificate_file : options.key_file);
  if (!options.key_password) warn_of_open_file(options, "password of the key", options.key_password_file);
}

std::string text_of(const ASN1_TIME* time) {
  const Owned<BIO> out(BIO_new(BIO_s_mem()));
  if (!out || ASN1_TIME_print(out.get(), time) != 1) return "a time that cannot be read";
  char* octets = nullptr;
  const long size = BIO_get_mem_data(out.get(), &octets);
  return std::string(octets, static_cast<std::size_t>(std::max(size, 0L)));
}

// Checks the certificate that this process shows and the chain behind it.
void warn_of_expiry(const X509& certificate, const TlsOptions& options) {
  const ASN1_TIME* const ends = X509_get0_notAfter(&certificate);
  const ASN1_TIME* const begins = X509_get0_notBefore(&certificate);
  const std::string which =
      "TLS: the certificate of " + names_of(certificate).subject + " in " + options.certificate_file;
  int days = 0, seconds = 0;
  if (ASN1_TIME_diff(&days, &seconds, nullptr, begins) == 1 && (days > 0 || seconds > 0))
    options.report(which + " is not valid before " + text_of(begins) + ": peers will refuse it until then");
  if (ASN1_TIME_diff(&days, &seconds, nullptr, ends) != 1) return;
  const auto left = std::chrono::hours(24) * days + std::chrono::seconds(seconds);
  if (left <= std::chrono::seconds(0))
    options.report(which + " has expired, at " + text_of(ends) + ": peers will refuse it");
  else if (left < options.expiry_warning)
    options.report(which + " expires at " + text_of(ends) + ": renew it before");
}

void warn_of_expiry(SSL_CTX* context, const TlsOptions& options) {
  const X509* const own = SSL_CTX_get0_certificate(context);
  if (!own || !options.report) return;
  warn_of_expiry(*own, options);
  STACK_OF(X509)* behind = nullptr;
  if (SSL_CTX_get0_chain_certs(context, &behind) != 1) return;
  for (int i = 0; i < sk_X509_num(behind); ++i) warn_of_expiry(*sk_X509_value(behind, i), options);
}

int number_of(TlsVersion version) { return version == TlsVersion::v1_3 ? TLS1_3_VERSION : TLS1_2_VERSION; }

// Makes the settings common to client and server.
std::expected<Owned<SSL_CTX>, std::string> make(const SSL_METHOD* method, const TlsOptions& options,
                                                const KeyPassword& password) {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);  // TLS serves until the process has ended
  ERR_clear_error();
  Owned<SSL_CTX> context(SSL_CTX_new(method));
  if (!context) return std::unexpected("TLS: " + take_openssl_error().text);
  SSL_CTX_set_min_proto_version(context.get(), number_of(options.lowest));
  SSL_CTX_set_max_proto_version(context.get(), number_of(options.highest));
  SSL_CTX_set_options(context.get(),
                      SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_max_cert_list(context.get(), longest_chain_bytes);
  AskedPassword::ask_nobody(context.get());
  if (auto done = set_ciphers(context.get(), options.ciphers); !done) return std::unexpected(done.error());
  if (auto done = set_authorities(context.get(), options.authorities); !done)
    return std::unexpected(done.error());
  if (auto done = set_revoked(context.get(), options.revoked_file); !done)
    return std::unexpected(done.error());
  if (auto done = set_certificate(context.get(), options, password); !done)
    return std::unexpected(done.error());
  return context;
}

void set_server(SSL_CTX* context, const TlsOptions& options) {
  int verify = SSL_VERIFY_NONE;
  if (options.client_certificates != ClientCertificates::none) verify = SSL_VERIFY_PEER;
  if (options.client_certificates == ClientCertificates::required) verify |= SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
  SSL_CTX_set_verify(context, verify, nullptr);
  SSL_CTX_set_session_id_context(context, reinterpret_cast<const unsigned char*>(session_context.data()),
                                 session_context.size());
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);  // clients keep the sessions, as tickets
  if (!options.resumption) {
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(context, 0);
  } else {
    SSL_CTX_set_num_tickets(context, 1);
  }
  // Tells clients which authorities are accepted.
  if (verify != SSL_VERIFY_NONE && !options.authorities.empty())
    SSL_CTX_set_client_CA_list(context, SSL_load_client_CA_file(options.authorities.c_str()));
  ERR_clear_error();
}

// Attached to a client's SSL, because OpenSSL passes new sessions to a plain function.
struct OfClient {
  TlsSessions* sessions;
  std::string server;
};

int client_index() {
  static const int index = SSL_get_ex_new_index(
      0, nullptr, nullptr, nullptr,
      [](void*, void* mine, CRYPTO_EX_DATA*, int, long, void*) { delete static_cast<OfClient*>(mine); });
  return index;
}

int keep_session(SSL* end, SSL_SESSION* session) {
  const auto* const mine = static_cast<const OfClient*>(SSL_get_ex_data(end, client_index()));
  if (!mine) return 0;
  mine->sessions->put(mine->server, Owned<SSL_SESSION>(session));
  return 1;
}

void set_client(SSL_CTX* context, const TlsOptions& options) {
  SSL_CTX_set_verify(context, options.check_servers ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  if (!options.resumption) return;
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context, keep_session);
}

// Makes the handshake fail unless the server's certificate names the host. False: out of memory.
bool check_host(SSL* end, const std::string& host, bool is_number) {
  if (!is_number) return SSL_set1_host(end, host.c_str()) == 1;
  const std::string address = host.substr(0, host.find('%'));  // certificates name no interface
  return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(end), address.c_str()) == 1;
}

}  // namespace

void TlsSessions::put(const std::string& server, Owned<SSL_SESSION> session) {
  std::lock_guard lock(mutex_);
  const auto [found, is_new] = sessions_.insert_or_assign(server, std::move(session));
  if (!is_new) return;
  order_.push_back(server);
  if (order_.size() <= most) return;
  sessions_.erase(order_.front());
  order_.pop_front();
}

Owned<SSL_SESSION> TlsSessions::take(const std::string& server) {
  std::lock_guard lock(mutex_);
  const auto found = sessions_.find(server);
  if (found == sessions_.end()) return nullptr;
  if (SSL_SESSION_get_protocol_version(found->second.get()) < TLS1_3_VERSION) {
    SSL_SESSION_up_ref(found->second.get());
    return Owned<SSL_SESSION>(found->second.get());
  }
  Owned<SSL_SESSION> session = std::move(found->second);
  sessions_.erase(found);
  std::erase(order_, server);
  return session;
}

std::expected<std::shared_ptr<TlsContext>, std::string> TlsContext::read(const TlsOptions& options,
                                                                         bool is_first) {
  if (!is_first && takes_password_from_pipe(options))
    return std::unexpected("option -ORBTLSKeyPasswordFile: '" + options.key_password_file +
                           "' is a pipe or device, which gives the password once: the certificates can only "
                           "be read again if it is a file");
  const KeyPassword password(options);
  auto server = make(TLS_server_method(), options, password);
  if (!server) return std::unexpected(server.error());
  auto client = make(TLS_client_method(), options, password);
  if (!client) return std::unexpected(client.error());
  warn_of_open_files(options);
  warn_of_unknown_ciphers(options);
  warn_of_expiry(server->get(), options);
  set_server(server->get(), options);
  set_client(client->get(), options);
  std::shared_ptr<TlsContext> context(new TlsContext);
  context->server_ = std::move(*server);
  context->client_ = std::move(*client);
  context->has_certificate_ = !options.certificate_file.empty();
  context->check_hosts_ = options.check_servers && options.check_hosts;
  context->resumption_ = options.resumption;
  return context;
}

[[gnu::cold]] void TlsContext::warn_daily(const TlsOptions& options, os::TimePoint now) {
  auto last = warned_at_.load();
  if (now - last >= std::chrono::hours(24) && warned_at_.compare_exchange_strong(last, now))
    warn_of_expiry(server_.get(), options);
}

Owned<SSL> TlsContext::server_end() const {
  Owned<SSL> end(SSL_new(server_.get()));
  if (end) SSL_set_accept_state(end.get());
  return end;
}

Owned<SSL> TlsContext::client_end(const std::string& host, const std::string& server) {
  Owned<SSL> end(SSL_new(client_.get()));
  if (!end) return nullptr;
  SSL_set_connect_state(end.get());
  const bool is_number = os::Address::parse(host, 0).has_value();
  if (!is_number) SSL_set_tlsext_host_name(end.get(), host.c_str());
  if (check_hosts_ && !check_host(end.get(), host, is_number)) return nullptr;
  if (!resumption_) return end;
  SSL_set_ex_data(end.get(), client_index(), new OfClient{&sessions_, server});
  if (const auto session = sessions_.take(server)) SSL_set_session(end.get(), session.get());
  return end;
}

}  // namespace takt::transport
