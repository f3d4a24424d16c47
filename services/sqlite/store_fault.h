// Why a store could not write.
#pragma once

#include <string>

namespace takt::sqlite {

struct StoreFault {
  std::string text;
  bool maybe_done = false;  // the disk may have the changes, which then exist after a restart
};

}  // namespace takt::sqlite
