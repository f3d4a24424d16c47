// Declares the user exceptions of adapters; for the headers of this folder.
#pragma once

#include <takt/cdr/exception.h>

// Defines an exception without members in the interface SCOPE of module PortableServer. WHY is its text for
// people.
#define TAKT_ADAPTER_EXCEPTION(SCOPE, NAME, WHY)                                                         \
  class NAME final : public CORBA::UserException {                                                       \
   public:                                                                                               \
    const char* _rep_id() const noexcept override {                                                      \
      return "IDL:omg.org/PortableServer/" #SCOPE "/" #NAME ":1.0";                                      \
    }                                                                                                    \
    const char* _name() const noexcept override { return #NAME; }                                        \
    const char* what() const noexcept override { return "PortableServer::" #SCOPE "::" #NAME ": " WHY; } \
    [[noreturn]] void _raise() const override { throw *this; }                                           \
  };
