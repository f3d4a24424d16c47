// Options of TLS.
#pragma once

#include "config/options/common.h"

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
     "set TLSCertificate to the certificate's file, or omit TLSKey"},
    {"TLSKeyPasswordFile",
     [](const S& s) { return s.tls.certificate_file.empty() && !s.tls.key_password_file.empty(); },
     "none; a file", "there is no key that has a password",
     "set TLSCertificate to the certificate's file, or omit TLSKeyPasswordFile"},
};
constexpr Conflict server_certificate_conflicts[] = {
    {"TLSRevoked",
     [](const S& s) {
       return !s.tls.check_servers && s.tls.client_certificates == transport::ClientCertificates::none &&
              !s.tls.revoked_file.empty();
     },
     "`none`, as TLSClientCertificates; a file", "no certificate is checked, so that none can be refused",
     "set TLSServerCertificates to required, or TLSClientCertificates to optional or required, or omit "
     "TLSRevoked"},
};
constexpr Conflict host_check_conflicts[] = {
    {"TLSAuthorities",
     [](const S& s) { return s.tls.check_servers && !s.tls.check_hosts && s.tls.authorities.empty(); },
     "`off`; none", "the certificate of any host from any authority of the system would pass as the server's",
     "set TLSAuthorities to the authorities of your servers, or TLSHostCheck to on"},
};
constexpr Conflict plain_conflicts[] = {
    {"TLSClientCertificates",
     [](const S& s) {
       return s.tls.plain_too && s.tls.client_certificates == transport::ClientCertificates::required;
     },
     "`on`; `required`", "clients without a certificate could connect to the same port without TLS",
     "set TLSClientCertificates to optional and check the caller in servants, or set TLSPlainToo to off"},
};

constexpr Option tls_options[] = {
    {"TLSCertificate", Text{at<&S::tls, &transport::TlsOptions::certificate_file>, "FILE"},
     fixed("open connections depend on it; ORB::_reload_certificates() reads the file again"),
     "The ORB's own certificate in PEM, followed by the intermediate certificates of its authority. Servers "
     "need one for ssliop endpoints. Clients need one if a server asks for it.",
     certificate_conflicts},
    {"TLSKey", Text{at<&S::tls, &transport::TlsOptions::key_file>, "FILE"},
     fixed("open connections depend on it; ORB::_reload_certificates() reads the file again"),
     "The private key of TLSCertificate in PEM. By default it is read from the certificate's file."},
    {"TLSKeyPasswordFile", Text{at<&S::tls, &transport::TlsOptions::key_password_file>, "FILE"},
     fixed("open connections depend on the key; ORB::_reload_certificates() reads the file again"),
     "A file whose first line is the password of the private key, at most 1024 octets. It is read whenever "
     "the certificates are; it may be a pipe if they are read once. By default the key has none."},
    {"TLSAuthorities", Text{at<&S::tls, &transport::TlsOptions::authorities>, "FILE or FOLDER"},
     fixed("open connections depend on them; ORB::_reload_certificates() reads them again"),
     "The authorities whose certificates are trusted: a PEM file, or a folder prepared by `openssl rehash`. "
     "By default those of the system."},
    {"TLSRevoked", Text{at<&S::tls, &transport::TlsOptions::revoked_file>, "FILE"},
     fixed("open connections depend on it; ORB::_reload_certificates() reads the file again"),
     "Revocation lists in PEM. With this option, the authority of every peer needs a list in the file that "
     "has not expired."},
    {"TLSClientCertificates",
     choice<client_certificates, &S::tls, &transport::TlsOptions::client_certificates>(), fixed(),
     "Whether a server asks its clients for certificates. optional: clients without one are accepted. "
     "required: they are refused."},
    {"TLSServerCertificates", choice<server_certificates, &S::tls, &transport::TlsOptions::check_servers>(),
     fixed(),
     "required: a client checks the server's certificate. none: it does not, so that it cannot know which "
     "server answers.",
     server_certificate_conflicts},
    {"TLSHostCheck", choice<on_or_off, &S::tls, &transport::TlsOptions::check_hosts>(), fixed(),
     "Whether the server's certificate must name the host, or the address, in the reference.",
     host_check_conflicts},
    {"TLSVersion", choice<tls_versions, &S::tls, &transport::TlsOptions::lowest>(), fixed(),
     "The lowest TLS version that is accepted."},
    {"TLSCiphers", Text{at<&S::tls, &transport::TlsOptions::ciphers>, "NAMES with colons between"}, fixed(),
     "The accepted ciphers of TLS 1.2 and suites of TLS 1.3, whose names begin with TLS_. A version for "
     "which there is no name has those of OpenSSL."},
    {"TLSResumption", choice<on_or_off, &S::tls, &transport::TlsOptions::resumption>(), fixed(),
     "Whether a client resumes TLS sessions. Resumed connections skip the exchange and checks of "
     "certificates."},
    {"TLSHandshakeTimeout", Duration{at<&S::tls, &transport::TlsOptions::handshake_time>, 1ms, 1h},
     set_live("for clients that connect later", derived),
     "The time that a client's TLS handshake may take before the server closes the connection. The limit of "
     "a client is ConnectTimeout."},
    {"TLSExpiryWarning", Duration{at<&S::tls, &transport::TlsOptions::expiry_warning>, 1h, 8760h, true},
     fixed(),
     "How long before the ORB's own certificate expires the ORB warns: each time it reads the file, and once "
     "a day when a connection is opened or accepted. 0: it warns only when the certificate has expired."},
    {"TLSPlainToo", choice<on_or_off, &S::tls, &transport::TlsOptions::plain_too>(), fixed(),
     "on: ssliop ports also accept connections without TLS, and references say so.", plain_conflicts},
    {"TLSUse", choice<tls_uses, &S::tls_use, &reference::TlsUse::when>(), fixed(),
     "When a client uses TLS instead of TCP. required: if the server requires it. offered: if the server "
     "offers it. always: on every connection, so that servers without TLS cannot be reached."},
};

}  // namespace takt::orb::table
