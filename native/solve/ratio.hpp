// Exact fractions in 64 bits. A result that does not fit throws, so nothing is ever rounded.

#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace woodstock {

__extension__ using WideInt = __int128;

class Ratio {
 public:
  constexpr Ratio() = default;
  constexpr Ratio(std::int64_t whole) : numerator_(whole) {}  // NOLINT: a goal is a fraction too

  std::int64_t numerator() const { return numerator_; }
  std::int64_t denominator() const { return denominator_; }

  friend Ratio operator+(const Ratio& a, const Ratio& b) {
    const std::int64_t shared = std::gcd(a.denominator_, b.denominator_);
    const std::int64_t left = b.denominator_ / shared;
    return reduced(WideInt{a.numerator_} * left + WideInt{b.numerator_} * (a.denominator_ / shared),
                   WideInt{a.denominator_} * left);
  }
  friend Ratio operator-(const Ratio& a, const Ratio& b) {
    Ratio negative = b;
    negative.numerator_ = -b.numerator_;
    return a + negative;
  }
  friend Ratio operator*(const Ratio& a, const Ratio& b) {
    return reduced(WideInt{a.numerator_} * b.numerator_, WideInt{a.denominator_} * b.denominator_);
  }
  // The divisor is not 0.
  friend Ratio operator/(const Ratio& a, const Ratio& b) {
    const WideInt sign = b.numerator_ < 0 ? -1 : 1;
    return reduced(sign * a.numerator_ * b.denominator_, sign * b.numerator_ * WideInt{a.denominator_});
  }
  friend bool operator==(const Ratio& a, const Ratio& b) = default;
  friend bool operator<(const Ratio& a, const Ratio& b) {
    return WideInt{a.numerator_} * b.denominator_ < WideInt{b.numerator_} * a.denominator_;
  }

 private:
  static Ratio reduced(WideInt numerator, WideInt denominator) {
    WideInt a = numerator < 0 ? -numerator : numerator, b = denominator;
    while (b != 0) {
      const WideInt rest = a % b;
      a = b;
      b = rest;
    }
    if (a > 1) {
      numerator /= a;
      denominator /= a;
    }
    constexpr WideInt most = std::numeric_limits<std::int64_t>::max();
    if (denominator > most || numerator > most || numerator < -most)
      throw std::overflow_error("the exact values of this game need fractions of more than 64 bits");
    Ratio result;
    result.numerator_ = static_cast<std::int64_t>(numerator);
    result.denominator_ = static_cast<std::int64_t>(denominator);
    return result;
  }

  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
};

}  // namespace woodstock
