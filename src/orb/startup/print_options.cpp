// takt-options: writes the options as a page of the documentation.
#include <iostream>

#include "orb/startup/options_page.h"

int main() { std::cout << takt::orb::options_as_markdown(); }
