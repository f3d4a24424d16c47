// A page that takes long to make, for clients who may ask without a pause.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace takt::command {

// A page is shown again for as long as it took to make. So clients take at most half of a thread's time, and
// none waits longer than for one page, however many ask. One thread at a time.
class RecentPage {
 public:
  using Clock = std::chrono::steady_clock;

  explicit RecentPage(std::function<std::string()> make, std::function<Clock::time_point()> now = Clock::now)
      : make_(std::move(make)), now_(std::move(now)) {}

  // Throws what `make` throws.
  const std::string& text() {
    const Clock::time_point asked_at = now_();
    if (!text_ || asked_at >= shown_until_) {
      text_ = make_();
      const Clock::time_point made_at = now_();
      shown_until_ = made_at + (made_at - asked_at);
    }
    return *text_;
  }

 private:
  const std::function<std::string()> make_;
  const std::function<Clock::time_point()> now_;
  std::optional<std::string> text_;
  Clock::time_point shown_until_;
};

}  // namespace takt::command
