#include <algorithm>

#include "abstractsS.h"
#include "orb.h"
#include "rareS.h"
#include "wire.h"

namespace {

typedef takt::classic::BoundedSequence<takt::classic::Values<CORBA::Octet>, 1048576> Row;
typedef takt::classic::UnboundedSequence<takt::classic::Values<Row>> Rows;
typedef takt::classic::UnboundedSequence<takt::classic::Values<CORBA::LongDouble>> LongDoubles;

}  // namespace

std::size_t read_records(takt::classic::Reader& in) {
  Broad::Records records;
  records._takt_read(in);
  return records.length();
}

std::size_t read_rows(takt::classic::Reader& in) {
  Rows rows;
  rows._takt_read(in);
  return rows.length();
}

bool read_abstract(takt::classic::Reader& in) {
  Faces::Described_var described;
  takt::classic::read_object<Faces::Described>(in, described.inout());
  return CORBA::is_nil(described);
}

const char* read_fixed_number(takt::classic::Reader& in) {
  static CORBA::String_var text;
  takt::classic::FixedNumber<4, 2> number;
  takt::classic::read(in, number);
  text = number.to_string();
  return text;
}

void write_word(takt::classic::Writer& out, const char* text) { takt::classic::write_string(out, text, 4); }

const char* read_word(takt::classic::Reader& in) {
  static CORBA::String_var text;
  takt::classic::read_string(in, text.inout(), 4);
  return text;
}

void write_long_doubles(takt::classic::Writer& out, const long double* elements, std::size_t count) {
  LongDoubles sequence;
  sequence.length(static_cast<CORBA::ULong>(count));
  for (CORBA::ULong i = 0; i < count; ++i) sequence[i] = elements[i];
  sequence._takt_write(out);
}

bool read_long_doubles(takt::classic::Reader& in, long double* elements, std::size_t count) {
  LongDoubles sequence;
  sequence._takt_read(in);
  if (sequence.length() != count) return false;
  std::copy_n(sequence.get_buffer(), count, elements);
  return true;
}

namespace {

template <class Value>
bool writes(takt::classic::Writer& out, const Value& value) {
  try {
    takt::classic::write(out, value);
    return true;
  } catch (const CORBA::BAD_PARAM&) {
    return false;
  }
}

}  // namespace

bool write_codes(takt::classic::Writer& out, const char* last) {
  Rare::Codes codes;
  codes[2] = last;
  return writes(out, codes);
}

void read_codes(takt::classic::Reader& in) {
  Rare::Codes codes;
  takt::classic::read(in, codes);
}

bool write_wide_codes(takt::classic::Writer& out, const wchar_t* last) {
  Rare::Coded coded;
  coded.wide[1][1] = last;
  const Rare::Coded copy = coded;
  return writes(out, copy);
}
