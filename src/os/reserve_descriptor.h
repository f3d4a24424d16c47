// How many descriptors the process may have, and one held in reserve for when it has run out of them.
#pragma once

namespace takt::os {

// Holds a descriptor open that can be given up to accept and close a connection. Without it, a listener stays
// ready forever when the process has run out of descriptors. One thread at a time.
class ReserveDescriptor {
 public:
  ReserveDescriptor() { take(); }
  ~ReserveDescriptor() { give_up(); }
  ReserveDescriptor(const ReserveDescriptor&) = delete;
  ReserveDescriptor& operator=(const ReserveDescriptor&) = delete;

  bool held() const { return fd_ >= 0; }
  // Opens the descriptor unless it is held. It stays closed if the system refuses.
  void take();
  void give_up();

 private:
  int fd_ = -1;
};

// How many descriptors the process may have open. Negative: any number.
long most_descriptors();

}  // namespace takt::os
