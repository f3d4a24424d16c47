// An authority and certificates of its, made when a test runs, so that none can have expired.
#pragma once

#include <memory>
#include <string>

namespace takt::test {

struct Credentials {
  std::string certificate_file, key_file;
};

struct Wanted {
  std::string name;                                         // of the subject: CN=name,O=Takt
  std::string hosts = "IP:127.0.0.1,IP:::1,DNS:localhost";  // subjectAltName
  long begins_s = -3600, ends_s = 30L * 24 * 3600;          // from now
};

// Its files are in a folder of its own, which goes with it. Throws std::runtime_error. One thread at a time.
class Authority {
 public:
  Authority();
  ~Authority();
  Authority(const Authority&) = delete;
  Authority& operator=(const Authority&) = delete;

  // PEM: its certificate.
  std::string file() const;
  std::string folder() const;
  Credentials issue(const Wanted& wanted) const;
  // By its own subject.
  Credentials self_signed(const Wanted& wanted) const;
  // A list of one: that certificate. The file is `revoked.pem`.
  std::string revoke(const Credentials& credentials) const;

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace takt::test
