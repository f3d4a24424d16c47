// References and names in text by class omniURI. omniORB itself passes the same test.
#include "with_orb.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <omniORB4/CORBA.h>
#include <omniORB4/omniURI.h>

namespace {

using omni::omniURI;

// The result of a function, with "nil" for a null pointer and the exceptions by their names.
std::string result(const std::function<char*()>& function) {
  try {
    const CORBA::String_var text = function();
    return text.in() ? text.in() : "nil";
  } catch (const CosNaming::NamingContext::InvalidName&) {
    return "InvalidName";
  } catch (const CosNaming::NamingContextExt::InvalidAddress&) {
    return "InvalidAddress";
  }
}

TEST(OmniUri, is_built_of_a_host_and_a_port) {
  const auto built = [](const char* host) {
    return result([&] { return omniURI::buildURI("corbaloc:iiop", host, 2809); });
  };
  EXPECT_EQ(built("host"), "corbaloc:iiop:host:2809");
  EXPECT_EQ(built("::1"), "corbaloc:iiop:[::1]:2809");
  EXPECT_EQ(built(""), "corbaloc:iiop::2809");
}

TEST(OmniUri, is_valid_by_its_syntax) {
  for (const char* const uri : {"IOR:00",
                                "ior:00",
                                "IOR:0000000000000001000000",
                                "corbaloc::host/key",
                                "corbaloc::host:1/key",
                                "corbaloc::/key",
                                "corbaloc:iiop:1.2@host:1/k",
                                "corbaloc:rir:/",
                                "corbaloc:rir:/NameService",
                                "corbaloc::a,:b/k",
                                "corbaloc::host/%41",
                                "corbaname::host",
                                "corbaname::host#a",
                                "corbaname::host#a/b.c",
                                "corbaname::host/k#a",
                                "corbaname:rir:",
                                "corbaname:rir:#a",
                                "corbaname:rir:/x#a",
                                "corbaloc:ssliop:1.2@host:1/k",
                                "corbaloc::[::1]:1/k"})
    EXPECT_TRUE(omniURI::uriSyntaxIsValid(uri)) << uri;
  for (const char* const uri : {"",
                                "nonsense",
                                "IOR:",
                                "IOR:000",
                                "IOR:zz",
                                "corbaloc:",
                                "corbaloc::host",
                                "corbaloc::host:x/key",
                                "corbaloc:iiop:1.2@host",
                                "corbaloc:xyz:host/k",
                                "corbaloc:rir:",
                                "corbaloc:rir:NameService",
                                "corbaloc::a,/k",
                                "corbaloc::host/%4",
                                "corbaloc::host/%zz",
                                "corbaloc::host/a b",
                                "corbaname:",
                                "corbaname::host#a//b",
                                "corbaname::host#%zz",
                                "corbaname::host#",
                                "corbaname::host#a.b.c",
                                "file:///x",
                                "http:x",
                                "CORBALOC::host/k",
                                "corbaloc::host:65536/k",
                                "corbaloc::host:70000/k",
                                "corbaloc:giop:tcp:host:1/k"})
    EXPECT_FALSE(omniURI::uriSyntaxIsValid(uri)) << uri;
}

TEST(OmniUri, has_a_host_and_a_port) {
  struct Case {
    const char *address, *host, *rest;
    CORBA::UShort port;
  };
  for (const Case& each : {Case{"host:1234", "host", "", 1234},
                           {"host:", "host", "", 0},
                           {"host:0", "host", "", 0},
                           {"host:65535", "host", "", 65535},
                           {"[::1]:80", "::1", "", 80},
                           {":80", "", "", 80},
                           {"host:12x", "host", "x", 12},
                           {"host:12/key", "host", "/key", 12},
                           {"[::1]:80/key", "::1", "/key", 80}}) {
    CORBA::UShort port = 7;
    const char* rest = nullptr;
    EXPECT_EQ(result([&] { return omniURI::extractHostPort(each.address, port, &rest); }), each.host);
    EXPECT_EQ(port, each.port) << each.address;
    EXPECT_STREQ(rest, each.rest) << each.address;
    const bool whole = *each.rest == 0;
    EXPECT_EQ(result([&] { return omniURI::extractHostPort(each.address, port); }),
              whole ? each.host : "nil");
    EXPECT_EQ(static_cast<bool>(omniURI::validHostPort(each.address)), whole) << each.address;
  }
  for (const char* const bad : {"", "host", "host:x", "host:-1", "[::1]", "[::1", "::1:80"}) {
    CORBA::UShort port = 7;
    const char* rest = nullptr;
    EXPECT_EQ(result([&] { return omniURI::extractHostPort(bad, port, &rest); }), "nil") << bad;
    EXPECT_FALSE(omniURI::validHostPort(bad)) << bad;
    EXPECT_FALSE(omniURI::validHostPortRange(bad)) << bad;
  }
}

TEST(OmniUri, has_a_range_of_ports) {
  const auto range = [](const char* address) {
    CORBA::UShort first = 7, last = 7;
    const std::string host = result([&] { return omniURI::extractHostPortRange(address, first, last); });
    EXPECT_EQ(static_cast<bool>(omniURI::validHostPortRange(address)), host != "nil") << address;
    return host == "nil" ? host : host + " " + std::to_string(first) + " " + std::to_string(last);
  };
  EXPECT_EQ(range("host:1-2"), "host 1 2");
  EXPECT_EQ(range("host:5"), "host 5 5");
  EXPECT_EQ(range("host:"), "host 0 0");
  EXPECT_EQ(range("[::1]:1-9"), "::1 1 9");
  EXPECT_EQ(range("host:0-5"), "host 0 5");
  for (const char* const bad : {"host:7-", "host:9-3", "host:-3", "host:1-70000", "host:1-2/key"})
    EXPECT_EQ(range(bad), "nil") << bad;
}

TEST(OmniUri, names_are_text_and_back) {
  const auto parts = [](const char* text) -> std::string {
    try {
      CosNaming::Name_var name = omniURI::stringToName(text);
      std::string all;
      for (CORBA::ULong i = 0; i < name->length(); ++i)
        all += std::string("<") + name[i].id.in() + "|" + name[i].kind.in() + ">";
      EXPECT_EQ(result([&] { return omniURI::nameToString(name.in()); }), text);
      return all;
    } catch (const CosNaming::NamingContext::InvalidName&) {
      return "InvalidName";
    }
  };
  EXPECT_EQ(parts("a"), "<a|>");
  EXPECT_EQ(parts("a/b.c/d"), "<a|><b|c><d|>");
  EXPECT_EQ(parts("."), "<|>");
  EXPECT_EQ(parts("a/./.b"), "<a|><|><|b>");
  EXPECT_EQ(parts("a\\.b"), "<a.b|>");
  EXPECT_EQ(parts("a\\/b.c"), "<a/b|c>");
  EXPECT_EQ(parts("\\\\"), "<\\|>");
  for (const char* const bad : {"", "/", "a/", "/a", "a//b", "a.", "a.b.c", "a\\", "a\\x", "a./b", ".."})
    EXPECT_EQ(parts(bad), "InvalidName") << bad;
  EXPECT_EQ(result([] { return omniURI::nameToString(CosNaming::Name()); }), "InvalidName");
}

TEST(OmniUri, addresses_and_names_are_urls) {
  const auto url = [](const char* address, const char* name) {
    return result([&] { return omniURI::addrAndNameToURI(address, name); });
  };
  EXPECT_EQ(url(":localhost", "a/b.c"), "corbaname::localhost#a/b.c");
  EXPECT_EQ(url("iiop:1.2@h:99", "a b/c"), "corbaname:iiop:1.2@h:99#a%20b/c");
  EXPECT_EQ(url(":h", ""), "corbaname::h");
  EXPECT_EQ(url(":h", "a%\xe4<>\"\\.z;/?:@&=+$,-_!~*'()"),
            "corbaname::h#a%25%e4%3c%3e%22%5c.z;/?:@&=+$,-_!~*'()");
  for (const char* const good : {"rir:", "rir:/x", ":", "iiop:", "iiop:h", "ssliop:h", ":1.2@h", ":[::1]:80",
                                 ":[::1]", ":h:", ":h/", ":h/a/b", ":a,:b", "iiop:g:5,:h/k", ":2.0@h"})
    EXPECT_EQ(url(good, "n"), std::string("corbaname:") + good + "#n");
  for (const char* const bad : {"", "h", "rir", "rir:x", ":h:x", "bad:h", ":1.x@h", ":1.@h", ":1@h",
                                "iiop:1.2@", "iiop:@h", ":h:70000", ":h,", ":h,/k", ":h,rir:", "IIOP:h"})
    EXPECT_EQ(url(bad, "n"), "InvalidAddress") << bad;
  EXPECT_EQ(url(":h", "a//b"), "InvalidName");
}

class OmniUriOfObjects : public WithOrb {};

TEST_F(OmniUriOfObjects, are_made_and_read_without_naming_the_orb) {
  CORBA::Object_var object = omniURI::stringToObject("corbaloc:iiop:1.2@127.0.0.1:9/key");
  const std::string ior = result([&] { return omniURI::objectToString(object); });
  EXPECT_EQ(ior.substr(0, 4), "IOR:");
  CORBA::Object_var same = orb_->string_to_object(ior.c_str());
  EXPECT_TRUE(same->_is_equivalent(object));
}

TEST_F(OmniUriOfObjects, can_be_nil) {
  const std::string nil = result([] { return omniURI::objectToString(CORBA::Object::_nil()); });
  CORBA::Object_var object = omniURI::stringToObject(nil.c_str());
  EXPECT_TRUE(CORBA::is_nil(object));
}

TEST_F(OmniUriOfObjects, are_not_made_of_other_text) {
  for (const char* const bad : {"", "xx:", "IOR:0"})
    EXPECT_THROW(CORBA::Object_var(omniURI::stringToObject(bad)), CORBA::SystemException) << bad;
}

#ifndef TIMEOUTS_BY_OMNIORB
TEST(OmniUri, has_no_port_above_65535) { EXPECT_FALSE(omniURI::validHostPort("host:65536")); }

TEST(OmniUriWithoutOrb, objects_need_one) {
  EXPECT_THROW(omniURI::stringToObject("corbaloc::h/k"), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(omniURI::objectToString(CORBA::Object::_nil()), CORBA::BAD_INV_ORDER);
}
#endif

}  // namespace
