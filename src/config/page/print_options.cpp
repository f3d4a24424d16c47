// takt-options: writes the options as a page of the documentation.
#include <iostream>

#include "config/page/options_page.h"

int main() { std::cout << takt::orb::options_as_markdown(); }
