// How many descriptors the process may have, and one held in reserve for when it has run out of them.
#pragma once

namespace takt::os {

// A descriptor that can be given up to accept and close a connection: without it, a listener stays ready for
// ever when the process has run out of them. One thread at a time.
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

long most_descriptors();  // negative: any number

}  // namespace takt::os
