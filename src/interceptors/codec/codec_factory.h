// How the ORB makes its factory of codecs.
#pragma once

#include <takt/reference/object.h>

namespace takt::cdr {
class Environment;
}

namespace takt::interceptors {

// Null in a program that does not use IOP::CodecFactory, since nothing else links its source.
[[gnu::weak]] CORBA::object_reference<CORBA::Object> make_codec_factory(cdr::Environment* environment);

}  // namespace takt::interceptors
