#include <takt/cdr/mapping/decimal.h>

#include <cmath>

#include <takt/cdr/exception.h>

namespace IDL {

Decimal Decimal::from(long double value, int scale) {
  const long double scaled = std::round(value * std::pow(10.0L, scale));
  if (!(std::fabs(scaled) < 1e31L)) overflow();
  return Decimal(static_cast<decimal_integer>(scaled), scale);
}

long double Decimal::to_long_double() const {
  return static_cast<long double>(digits_) / std::pow(10.0L, scale_);
}

std::string Decimal::to_string() const {
  decimal_integer rest = digits_ < 0 ? -digits_ : digits_;
  std::string text;
  for (int i = 0; rest != 0 || i <= scale_; ++i) {
    if (i == scale_ && i != 0) text.insert(text.begin(), '.');
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  }
  return digits_ < 0 ? "-" + text : text;
}

void Decimal::overflow() {
  throw CORBA::DATA_CONVERSION(0, CORBA::COMPLETED_NO,
                               "a fixed value that is not a number or has too many digits");
}

}  // namespace IDL
