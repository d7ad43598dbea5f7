// What happens to a block of the product before it is stored.
#pragma once

#include <mutex>
#include <vector>

#include "work.h"

namespace sx::lt {

// For one problem of a batch: scalars and vectors as floats, and what is collected over the blocks.
class Finish {
 public:
  Finish(const Work& w, i64 b);

  bool plain() const { return plain_; }  // stores alpha times the product plus beta C and no more, in float
  bool factors() const { return !rows_.empty() || !columns_.empty(); }
  float alpha() const { return alpha_; }
  float beta() const { return beta_; }

  // Stores rows [r, r + rows) of columns [c, c + columns), from sums with leading dimension ld: the products alone, or,
  // when ``scaled``, alpha and beta are in them. ``sums`` may be where they are to be stored.
  void block(i64 r, i64 rows, i64 c, i64 columns, const float* sums, i64 ld, bool scaled);
  void done();  // after all blocks: bias gradient and largest magnitude

 private:
  void start(i64 r, i64 length, i64 column, const float* sums, bool scaled, float* v) const;
  // A gradient of GELU also adds what it makes to ``sums``, unless that is NULL.
  void activate(i64 r, i64 length, i64 column, float* v, float* sums) const;

  const Work& w_;
  i64 b_;
  float alpha_ = 0, beta_ = 0, scale_d_ = 1, scale_aux_ = 1;
  bool plain_ = false, bias_read_ = false, gradient_of_d_ = false;
  std::vector<float> rows_, columns_, bias_;
  struct Sums {
    i64 row, column;
    std::vector<float> values;
  };
  std::mutex lock_;
  std::vector<Sums> gradients_;
  float largest_ = 0;
};

// The sums over k of op(A)'s rows or of op(B)'s columns, into the bias vector.
void operand_gradient(const Work& w, i64 b);

}  // namespace sx::lt
