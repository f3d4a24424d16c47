// How an exception is put into an Any if only its base class is known.
#pragma once

#include <takt/cdr/codec.h>
#include <takt/cdr/exception.h>
#include <takt/cdr/typecode.h>

namespace takt::cdr {

struct ExceptionForm {
  CORBA::typecode_reference (*type)();
  void (*write)(Encoder& encoder, const CORBA::UserException& exception);
};

// The form of the generated exception T, whose _form() returns the address.
template <class T>
inline constexpr ExceptionForm exception_form{&T::_type_code,
                                              [](Encoder& encoder, const CORBA::UserException& exception) {
                                                Codec<T>::write(encoder, static_cast<const T&>(exception));
                                              }};

}  // namespace takt::cdr
