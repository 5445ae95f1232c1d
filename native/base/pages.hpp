// A large block of zero bytes, on huge pages if the system has them.
//
// A table that is read at random places waits for misses of the page table otherwise: 29 % of the time of a search for
// proofs went there.

#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace woodstock {

class Pages {
 public:
  explicit Pages(std::size_t bytes) : bytes_(bytes + kHuge) {
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    // Memory that is not used is not taken. Without the advice it works too.
    if (bytes >= kHuge) madvise(memory_, bytes_, MADV_HUGEPAGE);
#endif
  }
  ~Pages() { munmap(memory_, bytes_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  // Aligned to a huge page.
  void* begin() const {
    const auto address = reinterpret_cast<std::size_t>(memory_);
    return reinterpret_cast<void*>((address + kHuge - 1) / kHuge * kHuge);
  }

 private:
  static constexpr std::size_t kHuge = std::size_t{2} << 20;

  std::size_t bytes_;
  void* memory_;
};

}  // namespace woodstock
