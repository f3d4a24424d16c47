// Tests of the variables of sslContext as settings of an ORB.
#include "certificates.h"

#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <omniORB4/CORBA.h>
#include <omniORB4/sslContext.h>

namespace {

using takt::test::Authority;

std::map<std::string, std::string> settings() {
  std::map<std::string, std::string> all;
  for (const takt::SettingOfProgram& one : sslContext::_takt_settings()) all[one.option] = one.value;
  return all;
}

std::string octets_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

// The certificate and its key in one file, as in omniORB's examples. The password has a line's end in it.
class SslContext : public testing::Test {
 protected:
  SslContext() : authorities_(authority_.file()), file_(authority_.folder() + "/both.pem") {
    takt::test::Wanted wanted;
    wanted.name = "server";
    const takt::test::Credentials credentials = authority_.issue(wanted);
    takt::test::encrypt(credentials.key_file, password_);
    std::ofstream(file_, std::ios::binary)
        << octets_of(credentials.key_file) << octets_of(credentials.certificate_file);
    sslContext::certificate_authority_file = authorities_.c_str();
    sslContext::key_file = file_.c_str();
    sslContext::key_file_password = password_.c_str();
  }
  ~SslContext() override {
    sslContext::certificate_authority_file = sslContext::key_file = sslContext::key_file_password = nullptr;
    sslContext::verify_mode = 3;
  }

  // Empty if the ORB starts.
  static std::string failure(const char* id, const char* option = nullptr, const char* value = nullptr) {
    static char name[] = "test";
    char* arguments[] = {name, const_cast<char*>(option), const_cast<char*>(value), nullptr};
    int count = option ? 3 : 1;
    try {
      CORBA::ORB_var orb = CORBA::ORB_init(count, arguments, id);
      orb->destroy();
    } catch (const CORBA::INITIALIZE& failure) {
      return failure._text();
    }
    return {};
  }

  const Authority authority_;
  const std::string authorities_, file_, password_ = "open\nsesame\r";
};

TEST_F(SslContext, VerifyModeIsThatOfServersAndClients) {
  const struct {
    int mode;
    const char *of_servers, *of_clients;
  } rows[] = {{0, "none", "none"},
              {1, "required", "optional"},
              {2, "none", "none"},
              {3, "required", "required"},
              {7, "required", "required"}};
  for (const auto& row : rows) {
    sslContext::verify_mode = row.mode;
    EXPECT_EQ(settings()["TLSServerCertificates"], row.of_servers) << row.mode;
    EXPECT_EQ(settings()["TLSClientCertificates"], row.of_clients) << row.mode;
  }
}

TEST_F(SslContext, APasswordCountsWithItsFileOnly) {
  EXPECT_EQ(settings().count("TLSKeyPasswordFile"), 1u);
  EXPECT_EQ(settings()["TLSKeyPasswordFile"], settings()["TLSKeyPasswordFile"]);
  EXPECT_EQ(settings()["TLSKeyPasswordFile"].find("sesame"), std::string::npos);
  sslContext::key_file = nullptr;
  EXPECT_EQ(settings().count("TLSKeyPasswordFile"), 0u);
}

TEST_F(SslContext, EachOrbReadsItsOwnPassword) {
  EXPECT_EQ(failure("first"), "");
  sslContext::key_file_password = "another";
  const std::string text = failure("second");
  EXPECT_NE(text.find(file_), std::string::npos) << text;
  EXPECT_NE(text.find("sslContext::key_file_password"), std::string::npos) << text;
  EXPECT_EQ(text.find("another"), std::string::npos) << text;
  sslContext::key_file_password = password_.c_str();
  EXPECT_EQ(failure("third"), "");
}

TEST_F(SslContext, OptionsPrevail) {
  sslContext::key_file_password = "another";
  const std::string password_file = authority_.folder() + "/password";
  std::ofstream(password_file) << "open\n";
  const std::string text = failure("fourth", "-ORBTLSKeyPasswordFile", password_file.c_str());
  EXPECT_NE(text.find("first line of '" + password_file), std::string::npos) << text;
  EXPECT_NE(failure("fifth", "-ORBsslCAFile", "/nowhere.pem").find("/nowhere.pem"), std::string::npos);
}

}  // namespace
