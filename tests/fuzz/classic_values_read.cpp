// The half of the fuzz target classic_values that sees the classic mapping.
#include <cstddef>

#include "broadC.h"
#include "classic_values.h"
#include "fixedsC.h"

namespace {

using takt::classic::Reader;
using takt::classic::Writer;

template <class T>
bool again(Reader& in, Writer& out) {
  T value;
  takt::classic::read(in, value);
  if (!takt::classic::good(in)) return false;
  takt::classic::write(out, value);
  return true;
}
bool again_as_context(Reader& in, Writer& out) {
  const CORBA::Context_var context = takt::classic::read_context(in);
  if (!takt::classic::good(in)) return false;
  const char* const all = "*";
  takt::classic::write_context(out, context.in(), &all, 1);
  return true;
}

typedef bool (*Again)(Reader& in, Writer& out);
const Again types[] = {
    again<Broad::Records>,  again<Broad::Choice>,   again<Broad::Optional>,   again<Broad::Letters>,
    again<Broad::Chosen>,   again<Broad::Labelled>, again<Broad::Anys>,       again<Broad::Table>,
    again<Broad::FewLongs>, again<Broad::Node>,     again<Broad::Strings>,    again<Broad::Refused>,
    again<Broad::Matrix>,   again<Fixeds::Item>,    again<Fixeds::Part>,      again<Fixeds::Moneys>,
    again<Fixeds::Pair>,    again<Fixeds::Missing>, again<CORBA::WStringSeq>, again_as_context,
};

}  // namespace

unsigned types_to_pass() { return sizeof types / sizeof *types; }

bool pass(unsigned type, Reader& in, Writer& out) {
  try {
    return types[type](in, out);
  } catch (const CORBA::SystemException&) {
    return false;
  }
}

void extract_all(Reader& in) {
  try {
    CORBA::Any any;
    takt::classic::read(in, any);
    const CORBA::TypeCode_var type = any.type();
    CORBA::Long number = 0;
    const char* text = nullptr;
    const Broad::Record* record = nullptr;
    const Broad::Chosen* chosen = nullptr;
    const Fixeds::Item* item = nullptr;
    const CORBA::Any* inner = nullptr;
    CORBA::Fixed fixed;
    CORBA::Object_var object;
    bool taken = any >>= number;
    taken = (any >>= text) || taken;
    taken = (any >>= record) || taken;
    taken = (any >>= chosen) || taken;
    taken = (any >>= item) || taken;
    taken = (any >>= inner) || taken;
    taken = (any >>= CORBA::Any::to_fixed(fixed, 10, 2)) || taken;
    taken = (any >>= CORBA::Any::to_object(object.out())) || taken;
    if (taken && type->kind() == CORBA::tk_null) throw CORBA::INTERNAL();
  } catch (const CORBA::INTERNAL&) {
    throw;
  } catch (const CORBA::SystemException&) {  // the octets are malformed
  }
}
