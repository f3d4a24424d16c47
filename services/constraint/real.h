// How constraints read the numbers of IDL that are no integers.
#pragma once

namespace takt::constraint {

// The number that a program would show: the shortest decimal that reads as this float or double, so that 0.1
// of each kind equals 0.1 in a constraint. The order of numbers stays. Integers up to 2^64 stay themselves.
long double real_of(float number);
long double real_of(double number);
inline long double real_of(long double number) { return number; }

}  // namespace takt::constraint
