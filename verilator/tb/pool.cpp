// SPDX-License-Identifier: Apache-2.0

#include "pool.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <system_error>

namespace hc {

Pool::Pool(unsigned threads) {
  try {
    for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
  } catch (const std::system_error& e) {
    const std::size_t started = workers_.size() + 1;
    stop();
    throw std::runtime_error("only " + std::to_string(started) + " of " + std::to_string(threads) +
                             " threads can be started (" + e.what() + "): give a smaller +threads=");
  }
}

Pool::~Pool() { stop(); }

void Pool::stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Pool::each(std::size_t count, const Work& work) {
  if (workers_.empty()) {
    if (count > 0) work(0, count);
    return;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  work_ = &work;
  count_ = count;
  // Idle threads take the next chunk, so a busy processor gets fewer chunks.
  chunk_ = std::max<std::size_t>(1, count / (16 * threads()));
  next_ = 0;
  fault_ = nullptr;
  start_.notify_all();
  take_chunks(lock);
  done_.wait(lock, [this] { return next_ >= count_ && working_ == 0; });
  work_ = nullptr;
  if (fault_) std::rethrow_exception(fault_);
}

void Pool::serve() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    start_.wait(lock, [this] { return stop_ || (work_ != nullptr && next_ < count_); });
    if (stop_) return;
    take_chunks(lock);
  }
}

void Pool::take_chunks(std::unique_lock<std::mutex>& lock) {
  ++working_;
  while (next_ < count_) {
    const std::size_t begin = next_;
    const std::size_t end = std::min(count_, begin + chunk_);
    const Work& work = *work_;
    next_ = end;
    lock.unlock();
    std::exception_ptr fault;
    try {
      work(begin, end);
    } catch (...) {
      fault = std::current_exception();
    }
    lock.lock();
    if (fault && (!fault_ || begin < fault_at_)) {
      fault_ = fault;
      fault_at_ = begin;
    }
  }
  if (--working_ == 0) done_.notify_one();
}

}  // namespace hc
