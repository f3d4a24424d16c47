// A descriptor kept for the moment when there are none left.
#pragma once

namespace takt::os {

// Holds one descriptor open that can be given up to accept and close a connection, so that a
// listener whose process has run out of descriptors does not stay ready for ever. One thread at a time.
class ReserveDescriptor {
 public:
  ReserveDescriptor() { take(); }
  ~ReserveDescriptor() { give_up(); }
  ReserveDescriptor(const ReserveDescriptor&) = delete;
  ReserveDescriptor& operator=(const ReserveDescriptor&) = delete;

  bool held() const { return fd_ >= 0; }
  // Opens it (again); no effect while it is held. It stays closed when the system has none to give.
  void take();
  void give_up();

 private:
  int fd_ = -1;
};

}  // namespace takt::os
