// How an ORB talks with peers that differ from the standard, or negotiate nothing.
#pragma once

#include <cstdint>
#include <optional>

#include <takt/cdr/code_sets.h>
#include <takt/cdr/format.h>

#include "giop/references/profile.h"

namespace takt::giop {

enum class LongDoubles : std::uint8_t { ieee, x87, automatic };
enum class ValueForms : std::uint8_t { standard, tao, automatic };

// Set before the first reference is made.
struct Dialect {
  LongDoubles long_doubles = LongDoubles::automatic;
  ValueForms values = ValueForms::automatic;
  cdr::CodeSets assumed;  // the code sets where none are negotiated

  // For requests to servers of an ORB type, if their references name it, and their replies.
  void apply_to(cdr::Format& format, std::optional<std::uint32_t> server) const {
    const bool is_tao = server == tao_orb_type;
    format.long_double = long_double_form(is_tao || server == omniorb_orb_type);
    format.values = value_form(is_tao ? cdr::ValueForm::tao : cdr::ValueForm::noticed);
  }
  // For requests of clients, whose ORB is unknown, and for the replies to them.
  void apply_to(cdr::Format& format) const {
    format.long_double = long_double_form(false);
    format.values = value_form(cdr::ValueForm::learned);
  }

 private:
  cdr::LongDoubleForm long_double_form(bool automatic) const {
    const bool x87 = long_doubles == LongDoubles::automatic ? automatic : long_doubles == LongDoubles::x87;
    return x87 ? cdr::LongDoubleForm::x87 : cdr::LongDoubleForm::ieee;
  }
  cdr::ValueForm value_form(cdr::ValueForm automatic) const {
    if (values == ValueForms::automatic) return automatic;
    return values == ValueForms::tao ? cdr::ValueForm::tao : cdr::ValueForm::standard;
  }
};

}  // namespace takt::giop
