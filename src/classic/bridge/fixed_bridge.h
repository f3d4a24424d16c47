// The runtime's decimal arithmetic, as CORBA::Fixed of the classic mapping calls it. Results have no zeros at
// the end of the fraction. All functions throw exceptions of the classic mapping.
#pragma once

#include <cstdint>
#include <string>

#include <takt/classic/fixed.h>

namespace takt {
namespace classic {
namespace decimal {

DecimalWords of_signed(std::int64_t value);
DecimalWords of_unsigned(std::uint64_t value);
DecimalWords of_real(long double value);
DecimalWords parse(const char* text);
std::int64_t whole(const DecimalWords& words);
long double real(const DecimalWords& words);
std::string text(const DecimalWords& words);
std::uint16_t digits(const DecimalWords& words);

DecimalWords sum(const DecimalWords& one, const DecimalWords& other);
DecimalWords product(const DecimalWords& one, const DecimalWords& other);
DecimalWords quotient(const DecimalWords& one, const DecimalWords& other);
DecimalWords negated(const DecimalWords& words);
DecimalWords rounded(const DecimalWords& words, std::uint16_t scale);
DecimalWords truncated(const DecimalWords& words, std::uint16_t scale);
// Without the fraction digits beyond `scale`. DATA_CONVERSION if the others do not fit.
DecimalWords limited(const DecimalWords& words, std::uint16_t digits, std::uint16_t scale);
// Negative, zero or positive.
int compare(const DecimalWords& one, const DecimalWords& other);

}  // namespace decimal
}  // namespace classic
}  // namespace takt
