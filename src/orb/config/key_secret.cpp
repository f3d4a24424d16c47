#include "orb/config/key_secret.h"

#include <fstream>

#include <takt/cdr/exception.h>

namespace takt::orb {

adapter::KeySeal::Secret read_key_secret(const std::string& file) {
  adapter::KeySeal::Secret secret;
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(secret.data()), secret.size());
  if (!in || in.peek() != std::ifstream::traits_type::eof())
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            "-ORBKeySecretFile " + file + " cannot be read or has not just 16 octets");
  return secret;
}

}  // namespace takt::orb
