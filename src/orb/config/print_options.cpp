// takt-options: the options as a page of the documentation.
#include <iostream>

#include "orb/config/options_page.h"

int main() { std::cout << takt::orb::options_as_markdown(); }
