#include "octets.h"

#include <cstring>

#include "orb.h"

namespace {

template <class T>
void pass(takt::classic::Reader& in, takt::classic::Writer& out) {
  T value;
  value._takt_read(in);
  value._takt_write(out);
}

struct Passing {
  const char* type;
  void (*pass)(takt::classic::Reader&, takt::classic::Writer&);
};
const Passing all[] = {
    {"Point", pass<Broad::Point>},       {"Record", pass<Broad::Record>},
    {"Node", pass<Broad::Node>},         {"Choice", pass<Broad::Choice>},
    {"Optional", pass<Broad::Optional>}, {"Letters", pass<Broad::Letters>},
    {"Chosen", pass<Broad::Chosen>},     {"Labelled", pass<Broad::Labelled>},
    {"Longs", pass<Broad::Longs>},       {"FewLongs", pass<Broad::FewLongs>},
    {"Strings", pass<Broad::Strings>},   {"Points", pass<Broad::Points>},
    {"Colours", pass<Broad::Colours>},   {"Table", pass<Broad::Table>},
    {"Anys", pass<Broad::Anys>},         {"Records", pass<Broad::Records>},
};

}  // namespace

bool pass_in_classic(const char* type, takt::classic::Reader& in, takt::classic::Writer& out) {
  for (const Passing& each : all)
    if (std::strcmp(each.type, type) == 0) {
      each.pass(in, out);
      return true;
    }
  return false;
}
