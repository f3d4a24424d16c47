// What applications use of omniORB's functions on references and names in text. C++14.
#pragma once

#include <omniORB4/CORBA.h>
#include <omniORB4/Naming.hh>

namespace omni {

// The caller owns the strings and names that these functions return. Any thread.
class omniURI {
 public:
  // PREFIX:HOST:PORT, with brackets around the address of an IPv6 host.
  static char* buildURI(const char* prefix, const char* host, CORBA::UShort port);
  // The host of HOST:PORT, without brackets, and the port; 0 if there is none after the colon. Null if the
  // address is not valid. `rest` gets what follows the port; without `rest` nothing may follow.
  static char* extractHostPort(const char* address, CORBA::UShort& port, const char** rest = nullptr);
  // The same of HOST:PORT or HOST:FIRST-LAST.
  static char* extractHostPortRange(const char* address, CORBA::UShort& first, CORBA::UShort& last);
  static CORBA::Boolean validHostPort(const char* address);
  static CORBA::Boolean validHostPortRange(const char* address);

  // Whether it is an IOR:, corbaloc: or corbaname: URL without mistakes. Needs no ORB.
  static CORBA::Boolean uriSyntaxIsValid(const char* uri);

  // Like the ORB's object_to_string(), for nil too.
  static char* objectToString(CORBA::Object_ptr object);
  // Like string_to_object() of the ORB that the program has made last; BAD_INV_ORDER if it has none.
  static CORBA::Object_ptr stringToObject(const char* uri, unsigned int cycles = 0);

  // As to_name(), to_string() and to_url() of CosNaming::NamingContextExt, without a call to the service.
  // They throw InvalidName and InvalidAddress.
  static CosNaming::Name* stringToName(const char* text);
  static char* nameToString(const CosNaming::Name& name);
  static char* addrAndNameToURI(const char* address, const char* name);
};

}  // namespace omni
