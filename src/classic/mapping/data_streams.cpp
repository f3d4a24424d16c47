// Custom valuetypes of the classic mapping.
#include <takt/classic/data_streams.h>

#include "classic/bridge/failures.h"

namespace CORBA {
inline namespace takt_classic_ {

namespace {
[[noreturn]] void refuse(const char* why) { takt::classic::raise_bad_param(why); }
}  // namespace

void DataOutputStream::check(ULong offset, ULong length, ULong has) {
  if (offset > has || length > has - offset) refuse("an array has elements that its sequence does not have");
}

void DataInputStream::check(ULong offset, ULong length, ULong has) {
  if (offset > has || length > 0xffffffffu - offset)
    refuse("an array begins behind the end of its sequence, or is too long");
}

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {

// marshal() is no const operation in IDL.
void write_custom(Writer& out, const CORBA::CustomMarshal& value) {
  CORBA::DataOutputStream stream(out);
  const_cast<CORBA::CustomMarshal&>(value).marshal(&stream);
}
void read_custom(Reader& in, CORBA::CustomMarshal& value) {
  CORBA::DataInputStream stream(in);
  value.unmarshal(&stream);
}

}  // namespace classic
}  // namespace takt
