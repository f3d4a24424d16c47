// The mapping's support for types in generated client headers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <takt/cdr/exception.h>
#include <takt/cdr/mapping/bits.h>
#include <takt/cdr/mapping/bounded.h>
#include <takt/cdr/mapping/description.h>
#include <takt/cdr/mapping/exception_form.h>
#include <takt/cdr/mapping/fixed.h>
#include <takt/cdr/mapping/optional.h>
#include <takt/cdr/mapping/output.h>
#include <takt/cdr/mapping/traits.h>
#include <takt/cdr/mapping/type_code.h>
#include <takt/cdr/mapping/union.h>
#include <takt/cdr/operation.h>
