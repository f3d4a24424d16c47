// Options of TLS.
#pragma once

#include "orb/options/common.h"

namespace takt::orb::table {

constexpr Named<transport::ClientCertificates> client_certificates[] = {
    {"none", transport::ClientCertificates::none},
    {"optional", transport::ClientCertificates::optional},
    {"required", transport::ClientCertificates::required}};
constexpr Named<bool> server_certificates[] = {{"none", false}, {"required", true}};
constexpr Named<transport::TlsVersion> tls_versions[] = {{"1.2", transport::TlsVersion::v1_2},
                                                         {"1.3", transport::TlsVersion::v1_3}};
constexpr Named<reference::TlsUse::When> tls_uses[] = {{"required", reference::TlsUse::When::required},
                                                       {"offered", reference::TlsUse::When::offered},
                                                       {"always", reference::TlsUse::When::always}};

constexpr Conflict certificate_conflicts[] = {
    {"TLSKey", [](const S& s) { return s.tls.certificate_file.empty() && !s.tls.key_file.empty(); },
     "none; a file", "a key without its certificate does not identify the ORB to peers",
     "give TLSCertificate the certificate's file, or no TLSKey"},
};
constexpr Conflict server_certificate_conflicts[] = {
    {"TLSRevoked",
     [](const S& s) {
       return !s.tls.check_servers && s.tls.client_certificates == transport::ClientCertificates::none &&
              !s.tls.revoked_file.empty();
     },
     "`none`, as TLSClientCertificates; a file", "no certificate is checked, so none could be refused",
     "give TLSServerCertificates required, or TLSClientCertificates optional or required, or no TLSRevoked"},
};
constexpr Conflict plain_conflicts[] = {
    {"TLSClientCertificates",
     [](const S& s) {
       return s.tls.plain_too && s.tls.client_certificates == transport::ClientCertificates::required;
     },
     "`on`; `required`", "clients without a certificate would connect to the same port without TLS",
     "give TLSClientCertificates optional, and have servants ask who calls, or TLSPlainToo off"},
};

constexpr Option tls_options[] = {
    {"TLSCertificate", Text{at<&S::tls, &transport::TlsOptions::certificate_file>, "FILE"},
     fixed("open connections rest on it; ORB::_reload_certificates() reads its file again"),
     "The certificate by which the ORB shows who it is, in PEM, followed by those that lead to its "
     "authority. Servers need one for ssliop endpoints, clients where servers ask for it.",
     certificate_conflicts},
    {"TLSKey", Text{at<&S::tls, &transport::TlsOptions::key_file>, "FILE"},
     fixed("open connections rest on it; ORB::_reload_certificates() reads its file again"),
     "Its private key, in PEM and without a password. By default it is in the certificate's file."},
    {"TLSAuthorities", Text{at<&S::tls, &transport::TlsOptions::authorities>, "FILE or FOLDER"},
     fixed("open connections rest on them; ORB::_reload_certificates() reads them again"),
     "Whose certificates count: a file of authorities' certificates in PEM, or a folder as `openssl rehash` "
     "makes it. By default the system's."},
    {"TLSRevoked", Text{at<&S::tls, &transport::TlsOptions::revoked_file>, "FILE"},
     fixed("open connections rest on it; ORB::_reload_certificates() reads its file again"),
     "Lists of revoked certificates, in PEM. With it every peer's authority needs a list there that has not "
     "expired."},
    {"TLSClientCertificates",
     choice<client_certificates, &S::tls, &transport::TlsOptions::client_certificates>(), fixed(),
     "Whether a server asks its clients for certificates: not at all, and takes those who have none, or "
     "not."},
    {"TLSServerCertificates", choice<server_certificates, &S::tls, &transport::TlsOptions::check_servers>(),
     fixed(), "none: servers' certificates are not checked, so that a client does not know whom it talks to.",
     server_certificate_conflicts},
    {"TLSHostCheck", choice<on_or_off, &S::tls, &transport::TlsOptions::check_hosts>(), fixed(),
     "Whether a server's certificate must name the host, or number, that the reference has."},
    {"TLSVersion", choice<tls_versions, &S::tls, &transport::TlsOptions::lowest>(), fixed(),
     "The lowest version of TLS that will do."},
    {"TLSCiphers", Text{at<&S::tls, &transport::TlsOptions::ciphers>, "NAMES with colons between"}, fixed(),
     "The ciphers that will do, of TLS 1.2, or suites of 1.3, whose names begin with TLS_. By default "
     "OpenSSL's."},
    {"TLSResumption", choice<on_or_off, &S::tls, &transport::TlsOptions::resumption>(), fixed(),
     "Whether a client's later connections to a server go on from the first, without certificates and their "
     "checks."},
    {"TLSHandshakeTimeout", Duration{at<&S::tls, &transport::TlsOptions::handshake_time>, 1ms, 1h},
     set_live("for clients that connect from then on", derived),
     "How long a server lets a client's handshake take before it closes the connection; a client's own "
     "limit is ConnectTimeout."},
    {"TLSExpiryWarning", Duration{at<&S::tls, &transport::TlsOptions::expiry_warning>, 1h, 8760h, true},
     fixed(),
     "How long before the ORB's own certificate expires it warns of that, whenever it reads the file. 0: "
     "only when it has expired."},
    {"TLSPlainToo", choice<on_or_off, &S::tls, &transport::TlsOptions::plain_too>(), fixed(),
     "on: ports of ssliop take connections without TLS as well, and references say so.", plain_conflicts},
    {"TLSUse", choice<tls_uses, &S::tls_use, &reference::TlsUse::when>(), fixed(),
     "When a client uses TLS instead of TCP: where the server requires it, where it offers it, or always, "
     "and then servers that do not offer it cannot be reached by TCP."},
};

}  // namespace takt::orb::table
