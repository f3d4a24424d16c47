#include <takt/reference/reference_codec.h>

#include <cstddef>
#include <utility>

#include <takt/cdr/environment.h>
#include <takt/cdr/ior.h>
#include <takt/cdr/value.h>

#include "reference/object_ref.h"
#include "reference/references.h"

namespace takt::reference {

void write_object(cdr::Encoder& encoder, const CORBA::Object* object) {
  if (!object) {
    cdr::write_ior(encoder, {});
  } else if (object->_ref()) {
    cdr::write_ior(encoder, object->_ref()->ior());
    cdr::note_environment(encoder, object->_ref()->references()->environment);
  } else {
    encoder.fail(cdr::Error::local_object);
  }
}

bool read_object(cdr::Decoder& decoder, CORBA::object_reference<CORBA::Object>& object) {
  object = nullptr;
  cdr::Ior ior;
  if (!cdr::read_ior(decoder, ior)) return false;
  if (ior.is_nil()) return true;
  cdr::Environment* environment = decoder.format().environment;
  if (!environment) {
    decoder.fail(cdr::Error::no_factory);
    return false;
  }
  constexpr std::size_t object_bytes = 512;  // besides its IOR
  if (!decoder.charge(object_bytes)) return false;
  object = CORBA::object_reference<CORBA::Object>(environment->object_from_ior(std::move(ior)));
  return true;
}

}  // namespace takt::reference
