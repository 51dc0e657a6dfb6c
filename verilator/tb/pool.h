// SPDX-License-Identifier: Apache-2.0
//
// Threads that share the work on many independent parts.

#ifndef HC_POOL_H
#define HC_POOL_H

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hc {

class Pool {
 public:
  /// Works on parts begin .. end-1.
  using Work = std::function<void(std::size_t begin, std::size_t end)>;

  /// With one thread the caller of each() does all work. Throws std::runtime_error if the
  /// threads cannot be started.
  explicit Pool(unsigned threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// Does the work on all parts, count in number, and returns when it is finished. The
  /// assignment of parts to threads varies, so the result must not depend on it. If the work
  /// throws, this function throws the first exception.
  void each(std::size_t count, const Work& work);

 private:
  void stop();
  void serve();
  void take_chunks(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable start_, done_;
  std::vector<std::thread> workers_;
  // guarded by mutex_
  bool stop_ = false;
  const Work* work_ = nullptr;
  std::size_t count_ = 0;
  std::size_t chunk_ = 0;
  std::size_t next_ = 0;  // first part that no thread has taken
  unsigned working_ = 0;  // threads at work on a chunk
  std::exception_ptr fault_;
  std::size_t fault_at_ = 0;
};

}  // namespace hc

#endif
