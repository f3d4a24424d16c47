// A certificate authority and its certificates, made when a test runs, so that none can have expired.
#pragma once

#include <memory>
#include <string>

namespace takt::test {

struct Credentials {
  std::string certificate_file, key_file;
};

struct Wanted {
  std::string name;                                         // the subject: CN=name,O=Takt
  std::string hosts = "IP:127.0.0.1,IP:::1,DNS:localhost";  // subjectAltName
  long begins_s = -3600, ends_s = 30L * 24 * 3600;          // from now
};

// Encrypts the key in the file with a password.
void encrypt(const std::string& key_file, const std::string& password);

// Keeps its files in a temporary folder, which the destructor deletes. Throws std::runtime_error. Not
// thread-safe.
class Authority {
 public:
  Authority();
  // An intermediate authority, certified by `parent`.
  explicit Authority(const Authority& parent);
  ~Authority();
  Authority& operator=(const Authority&) = delete;

  // The file of its certificate in PEM.
  std::string file() const;
  std::string folder() const;
  // The certificate's file also has an intermediate authority's.
  Credentials issue(const Wanted& wanted) const;
  // Signed by its own key.
  Credentials self_signed(const Wanted& wanted) const;
  // Makes a revocation list, `revoked.pem`, with only that certificate; without one, if the name of its file
  // is empty.
  std::string revoke(const Credentials& credentials) const;

 private:
  struct Parts;
  explicit Authority(std::unique_ptr<Parts> parts);
  const std::unique_ptr<Parts> parts_;
};

}  // namespace takt::test
