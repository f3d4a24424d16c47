// The two halves of a program that uses both mappings. Neither half's types are named here.
#pragma once

#include <string>

// Reference of an object that the classic half serves.
std::string serve_in_classic();
// Calls an object through the classic mapping; returns the text of the first failure, or "".
std::string call_in_classic(const std::string& reference);
void end_classic();
