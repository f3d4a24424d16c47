#include "config/key_secret.h"

#include <filesystem>
#include <fstream>

#include <takt/cdr/exception.h>

namespace takt::orb {

namespace {

// A process that can read the secret can forge keys, and one that can write it can choose it. The file's
// group may read it, so that the processes of a service can share it.
void require_kept_secret(const std::string& file) {
  using std::filesystem::perms;
  std::error_code error;
  const perms allowed = std::filesystem::status(file, error).permissions();
  if (error) return;  // reading it says why
  const bool written = (allowed & (perms::group_write | perms::others_write)) != perms::none;
  const bool read = (allowed & perms::others_read) != perms::none;
  if (!written && !read) return;
  throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                          "-ORBKeySecretFile " + file + " can be " + (written ? "written" : "read") +
                              " by other users, so it is not secret: make another one, and then chmod 600 " +
                              file);
}

}  // namespace

adapter::KeySeal::Secret read_key_secret(const std::string& file) {
  require_kept_secret(file);
  adapter::KeySeal::Secret secret;
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(secret.data()), secret.size());
  if (!in || in.peek() != std::ifstream::traits_type::eof())
    throw CORBA::INITIALIZE(
        0, CORBA::COMPLETED_NO,
        "-ORBKeySecretFile " + file + " cannot be read, or does not have exactly 16 octets");
  return secret;
}

}  // namespace takt::orb
