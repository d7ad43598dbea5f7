#include "epilogue.h"

#include <algorithm>
#include <cmath>

namespace sx::lt {

namespace {

float value_or(const float* p, float otherwise) { return p != nullptr ? *p : otherwise; }

template <class T>
const T* offset(const void* p, i64 elements, int32_t type) {
  return reinterpret_cast<const T*>(static_cast<const char*>(p) + elements * static_cast<i64>(size_of(type)));
}

}  // namespace

Finish::Finish(const Work& w, i64 b) : w_(w), b_(b) {
  const Epilogue& e = w.epilogue;
  const bool outer = w.scale_mode == HIPBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
  alpha_ = w.alpha_rows ? 1 : scalar_of<float>(w.alpha);
  beta_ = scalar_of<float>(w.beta);
  if (w.scale_mode == HIPBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F)
    alpha_ *= value_or(w.scale_a, 1) * value_or(w.scale_b, 1);
  beta_ *= value_or(w.scale_c, 1);
  scale_d_ = value_or(w.scale_d, 1);
  scale_aux_ = value_or(w.scale_aux, 1);
  if (w.alpha_rows) {
    const auto* p = static_cast<const float*>(w.alpha_rows);
    rows_.assign(p, p + w.m);
  }
  if (outer && w.scale_a) {
    if (rows_.empty()) rows_.assign(static_cast<size_t>(w.m), 1.0f);
    multiply(w.m, w.scale_a, rows_.data());
  }
  if (outer && w.scale_b) columns_.assign(w.scale_b, w.scale_b + w.n);
  bias_read_ = e.bias && !e.gradient && e.bias_from == 'D';
  gradient_of_d_ = e.bias && e.gradient && e.bias_from == 'D';
  if (bias_read_) {
    bias_.resize(static_cast<size_t>(w.m));
    widen(w.bias_type, w.m, offset<void>(w.bias, b * w.bias_stride, w.bias_type), bias_.data());
  }
  plain_ = rows_.empty() && columns_.empty() && e.act == Act::none && !e.aux && !bias_read_ && !gradient_of_d_ &&
           !w.scale_d && !w.amax_d && w.d.type == HIP_R_32F;
}

// Everything up to the bias, or, where nothing lies between, up to the activation.
void Finish::start(i64 r, i64 length, i64 column, const float* sums, bool scaled, float* v) const {
  const float* bias = bias_read_ ? bias_.data() + r : nullptr;
  const float column_scale = columns_.empty() ? 1.0f : columns_[static_cast<size_t>(column)];
  const float alpha = scaled ? 1.0f : alpha_ * column_scale, beta = scaled ? 0.0f : beta_;
  if (rows_.empty() && beta == 0) return scale_shift(length, alpha, sums, bias, v);
  float old[rb::block];
  if (!rows_.empty()) {
    scale_shift(length, alpha, sums, nullptr, v);
    multiply(length, rows_.data() + r, v);
  }
  if (beta != 0) {
    widen(w_.c.type, length, offset<void>(w_.c.at(b_), r + column * w_.c.ld, w_.c.type), old);
    scale_add(length, rows_.empty() ? alpha : 1.0f, rows_.empty() ? sums : v, beta, old, v);
  }
  if (bias) shift(length, bias, v);
}

void Finish::activate(i64 r, i64 length, i64 column, float* v, float* sums) const {
  const Epilogue& e = w_.epilogue;
  float buffer[rb::block], *aux = buffer;
  void* at = e.aux ? const_cast<void*>(offset<void>(w_.aux.at(b_), r + column * w_.aux.ld, w_.aux.type)) : nullptr;
  if (e.aux && e.gradient && w_.aux.type == HIP_R_32F) aux = static_cast<float*>(at);
  if (e.aux && e.gradient && w_.aux.type != HIP_R_32F) widen(w_.aux.type, length, at, aux);
  if (e.aux && !e.gradient) {
    const float* stored = v;
    if (scale_aux_ != 1) scale_shift(length, scale_aux_, v, nullptr, aux), stored = aux;
    narrow(w_.aux.type, length, stored, at);
  }
  switch (e.act) {
    case Act::none:
      return;
    case Act::relu:
      return relu(length, v);
    case Act::gelu:
      return gelu(length, v);
    case Act::swish:
      return swish(length, release() >= 700 && w_.act0 != 0 ? w_.act0 : 1.0f, v);
    case Act::clamp:
      return clamp(length, w_.act0, w_.act1, v);
    case Act::sigmoid:
      return sigmoid(length, v);
    case Act::dgelu:
      return gelu_gradient(length, aux, v, sums);
    case Act::drelu:
      return relu_gradient(length, aux, v);
  }
}

void Finish::block(i64 r, i64 rows, i64 c, i64 columns, const float* sums, i64 ld, bool scaled) {
  const bool in_float = w_.d.type == HIP_R_32F;
  const bool one_pass =
      w_.epilogue.act == Act::gelu && !w_.epilogue.aux && rows_.empty() && columns_.empty() && (scaled || beta_ == 0);
  const bool sums_here = gradient_of_d_ && w_.epilogue.act == Act::dgelu && scale_d_ == 1;
  float buffer[rb::block], largest = 0;
  std::vector<float> gradient(gradient_of_d_ ? static_cast<size_t>(rows) : 0, 0.0f);
  for (i64 j = 0; j < columns; ++j)
    for (i64 i = 0; i < rows; i += rb::block) {
      const i64 length = std::min(rb::block, rows - i);
      void* to = const_cast<void*>(offset<void>(w_.d.at(b_), r + i + (c + j) * w_.d.ld, w_.d.type));
      float* v = in_float ? static_cast<float*>(to) : buffer;
      const float* from = sums + i + j * ld;
      if (one_pass) {
        bias_gelu(length, scaled ? 1.0f : alpha_, from, bias_read_ ? bias_.data() + r + i : nullptr, v);
      } else {
        start(r + i, length, c + j, from, scaled, v);
        activate(r + i, length, c + j, v, sums_here ? gradient.data() + i : nullptr);
      }
      if (w_.amax_d) largest = std::max(largest, magnitude(length, v));
      if (scale_d_ != 1) scale_by(length, scale_d_, v);
      if (gradient_of_d_ && !sums_here) shift(length, v, gradient.data() + i);
      if (!in_float) narrow(w_.d.type, length, v, to);
    }
  if (!w_.amax_d && !gradient_of_d_) return;
  const std::lock_guard<std::mutex> held(lock_);
  largest_ = std::max(largest_, largest);
  if (gradient_of_d_) gradients_.push_back({r, c, std::move(gradient)});
}

void Finish::done() {
  if (w_.amax_d) *w_.amax_d = b_ == 0 ? largest_ : std::max(*w_.amax_d, largest_);
  // One bias vector for the whole batch: the last problem's stays.
  if (!gradient_of_d_ || b_ + 1 != w_.batch) return;
  std::sort(gradients_.begin(), gradients_.end(), [](const Sums& x, const Sums& y) { return x.column < y.column; });
  std::vector<float> total(static_cast<size_t>(w_.m), 0.0f);
  for (const Sums& s : gradients_) shift(static_cast<i64>(s.values.size()), s.values.data(), total.data() + s.row);
  narrow(w_.bias_type, w_.m, total.data(), const_cast<void*>(w_.bias));
}

void operand_gradient(const Work& w, i64 b) {
  const bool of_a = w.epilogue.bias_from == 'A';
  const Operand& x = of_a ? w.a : w.b;
  const i64 free = of_a ? w.m : w.n;
  // stored with the free index along columns, or with k along columns
  const bool free_first = of_a ? w.ta == rocblas_operation_none : w.tb != rocblas_operation_none;
  std::vector<float> total(static_cast<size_t>(free), 0.0f);
  rb::split(free, 65536 / (w.k + 1) + 16, [&](i64 begin, i64 end) {
    float line[rb::block];
    if (free_first) {
      for (i64 l = 0; l < w.k; ++l)
        for (i64 i = begin; i < end; i += rb::block) {
          const i64 length = std::min(rb::block, end - i);
          widen(x.type, length, offset<void>(x.at(b), i + l * x.ld, x.type), line);
          shift(length, line, total.data() + i);
        }
      return;
    }
    for (i64 i = begin; i < end; ++i) {
      double sum = 0;
      for (i64 l = 0; l < w.k; l += rb::block) {
        const i64 length = std::min(rb::block, w.k - l);
        widen(x.type, length, offset<void>(x.at(b), l + i * x.ld, x.type), line);
        for (i64 q = 0; q < length; ++q) sum += line[q];
      }
      total[static_cast<size_t>(i)] = static_cast<float>(sum);
    }
  });
  narrow(w.bias_type, free, total.data(), const_cast<void*>(w.bias));
}

}  // namespace sx::lt
