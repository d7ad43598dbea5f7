// The body of one instruction set's file: ducc0 and what of it is instantiated. The including file defines
// DUCC0_NAMESPACE, so that the copies do not meet, and is compiled with its own -march.
#pragma once

#define DUCC0_CUSTOM_LOWLEVEL_THREADING
#include <list>

#include "ducc0/infra/simd.h"

// Without the pairs of doubles that ducc0 would take for the last two lines of a batch: a sixth of the time to compile.
#ifdef __AVX__
namespace DUCC0_NAMESPACE {
namespace detail_simd {
template <>
constexpr inline bool simd_exists<double, 2> = false;
}  // namespace detail_simd
}  // namespace DUCC0_NAMESPACE
#endif

#include "ducc0/fft/fftnd_impl.h"
#include "ducc0/infra/mav.cc"
#include "ducc0/infra/threading.cc"
#include "kernels.h"

namespace DUCC0_NAMESPACE {
namespace detail_fft {
namespace {  // as ducc0's own

// ducc0 forgets plans of more than 1 MiB, which would be made again at every call: keep up to 64 MiB of each kind.
template <class Plan>
std::shared_ptr<Plan> kept_plan(size_t length, bool vectorize) {
  struct Entry {
    size_t length;
    bool vectorize;
    std::shared_ptr<Plan> plan;
    size_t bytes;
  };
  constexpr size_t most_bytes = size_t{64} << 20, most_entries = 64;
  static std::mutex mutex;
  static auto* const entries = new std::list<Entry>;  // most recently used first; never destroyed
  static size_t bytes = 0;
  const auto find = [&]() -> std::shared_ptr<Plan> {
    for (auto e = entries->begin(); e != entries->end(); ++e) {
      if (e->length != length || e->vectorize != vectorize) continue;
      if (e != entries->begin()) entries->splice(entries->begin(), *entries, e);
      return entries->front().plan;
    }
    return nullptr;
  };
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto plan = find()) return plan;
  }
  auto plan = std::make_shared<Plan>(length, vectorize);
  const size_t size = plan->footprint();
  std::lock_guard<std::mutex> lock(mutex);
  if (auto other = find()) return other;
  entries->push_front({length, vectorize, plan, size});
  bytes += size;
  while (entries->size() > 1 && (bytes > most_bytes || entries->size() > most_entries)) {
    bytes -= entries->back().bytes;
    entries->pop_back();
  }
  return plan;
}

#define SX_KEEP(Plan)                                                  \
  template <>                                                          \
  inline std::shared_ptr<Plan> get_plan<Plan>(size_t length, bool v) { \
    return kept_plan<Plan>(length, v);                                 \
  }
#define SX_KEEP_ALL(T) SX_KEEP(pocketfft_c<T>) SX_KEEP(pocketfft_r<T>) SX_KEEP(Long1dPlan<T>)
#ifdef SX_FFT_FLOAT
SX_KEEP_ALL(float)
#endif
#ifdef SX_FFT_DOUBLE
SX_KEEP_ALL(double)
#endif

}  // namespace
}  // namespace detail_fft
}  // namespace DUCC0_NAMESPACE

namespace sx::fft {
namespace DUCC0_NAMESPACE {

namespace ducc = ::DUCC0_NAMESPACE;
using ducc::detail_mav::cfmav;
using ducc::detail_mav::vfmav;
using Shape = ducc::detail_mav::fmav_info::shape_t;
using Stride = ducc::detail_mav::fmav_info::stride_t;

// From here on a real transform goes by a complex one of half the length: that one is spread over threads.
constexpr size_t long_real = size_t{1} << 18;

// Shape and strides of one side without axes of length 1, batches first.
struct View {
  Shape shape, axes;
  Stride in, out;

  void add(size_t length, ptrdiff_t in_stride, ptrdiff_t out_stride, bool transformed, bool always) {
    if (length == 1 && !always) return;
    if (transformed) axes.push_back(shape.size());
    shape.push_back(length);
    in.push_back(in_stride);
    out.push_back(out_stride);
  }
  explicit View(const Transform& t) {
    add(t.batch, t.in_dist, t.out_dist, false, false);
    for (int i = 0; i < t.rank; ++i) add(t.n[i], t.in_stride[i], t.out_stride[i], true, i == t.rank - 1);
  }
  Shape half() const {  // of the complex side
    Shape s(shape);
    s.back() = s.back() / 2 + 1;
    return s;
  }
};

template <class T>
struct Of {
  using C = std::complex<T>;

  static void c2c(const Transform& t, const void* in, void* out, bool forward) {
    if (short_line(t)) return short_c2c(t, static_cast<const C*>(in), static_cast<C*>(out), forward);
    const View v(t);
    const cfmav<C> from(static_cast<const C*>(in), v.shape, v.in);
    const vfmav<C> to(static_cast<C*>(out), v.shape, v.out);
    ducc::detail_fft::c2c(from, to, v.axes, forward, static_cast<T>(t.scale), 0);
  }

  static void r2c(const Transform& t, const void* in, void* out) {
    if (short_line(t)) return short_r2c(t, static_cast<const T*>(in), static_cast<C*>(out));
    if (by_half(t, t.in_stride[0])) return long_r2c(t, static_cast<const T*>(in), static_cast<C*>(out));
    const View v(t);
    const cfmav<T> from(static_cast<const T*>(in), v.shape, v.in);
    const vfmav<C> to(static_cast<C*>(out), v.half(), v.out);
    ducc::detail_fft::r2c(from, to, v.axes, true, static_cast<T>(t.scale), 0);
  }

  static void c2r(const Transform& t, void* in, void* out) {
    if (by_half(t, t.out_stride[0])) return long_c2r(t, static_cast<const C*>(in), static_cast<T*>(out));
    const View v(t);
    const vfmav<C> from(static_cast<C*>(in), v.half(), v.in);
    const vfmav<T> to(static_cast<T*>(out), v.shape, v.out);
    ducc::detail_fft::c2r_mut(from, to, v.axes, false, static_cast<T>(t.scale), 0);
  }

 private:
  using K = ducc::Cmplx<T>;

  // One short packed line: to describe it to ducc0's general interface would take longer than to transform it.
  static constexpr size_t short_length = 1024, short_room = 3 * short_length;
  static bool short_line(const Transform& t) {
    return t.rank == 1 && t.batch == 1 && t.n[0] <= short_length && t.in_stride[0] == 1 && t.out_stride[0] == 1;
  }

  static void short_c2c(const Transform& t, const C* in, C* out, bool forward) {
    const auto plan = ducc::detail_fft::get_plan<ducc::detail_fft::pocketfft_c<T>>(t.n[0], true);
    if (in != out) std::copy_n(in, t.n[0], out);
    K* const line = reinterpret_cast<K*>(out);
    const auto scale = static_cast<T>(t.scale);
    if (plan->bufsize() > short_room) return plan->exec(line, scale, forward);
    alignas(64) unsigned char room[short_room * sizeof(K)];
    plan->exec_copyback(line, reinterpret_cast<K*>(room), scale, forward);
  }

  // ducc0 leaves the line's spectrum as r0 r1 i1 r2 i2 ...
  static void short_r2c(const Transform& t, const T* in, C* out) {
    const size_t n = t.n[0];
    const auto plan = ducc::detail_fft::get_plan<ducc::detail_fft::pocketfft_r<T>>(n, true);
    T line[short_length];
    std::copy_n(in, n, line);
    plan->exec(line, static_cast<T>(t.scale), true);
    out[0] = C(line[0], 0);
    for (size_t k = 1; 2 * k < n; ++k) out[k] = C(line[2 * k - 1], line[2 * k]);
    if (n % 2 == 0) out[n / 2] = C(line[n - 1], 0);
  }

  static bool by_half(const Transform& t, ptrdiff_t real_stride) {
    return t.rank == 1 && t.batch == 1 && real_stride == 1 && t.n[0] >= long_real && t.n[0] % 2 == 0;
  }

  static void half_c2c(const C* in, C* out, size_t m, ptrdiff_t out_stride, bool forward, double scale) {
    Transform half{};
    half.rank = 1;
    half.n[0] = m;
    half.batch = 1;
    half.in_stride[0] = 1;
    half.out_stride[0] = out_stride;
    half.scale = scale;
    c2c(half, in, out, forward);
  }

  // f(k, w^k) for k in [1, m/2], w = exp(-2 pi i / n), spread over threads. A root is the product of one per block,
  // rounded once, and one of a short table that stays in the first-level cache.
  template <class F>
  static void for_pairs(size_t n, F&& f) {
    constexpr size_t block = 64;
    const auto roots = ducc::detail_fft::get_plan<ducc::detail_fft::Long1dPlan<T>>(n);
    T fine_r[block], fine_i[block];
    for (size_t j = 0; j < block; ++j) {
      const C root = (*roots)[j];
      fine_r[j] = root.real();
      fine_i[j] = -root.imag();
    }
    const size_t last = n / 4;  // the pairs of k and m - k
    sx::parallel_for(last / block + 1, 256, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b) {
        const C base = std::conj((*roots)[b * block]);
        const size_t from = b == 0 ? 1 : 0, to = std::min(block, last + 1 - b * block);
        for (size_t j = from; j < to; ++j) {
          f(b * block + j, base.real() * fine_r[j] - base.imag() * fine_i[j],
            base.real() * fine_i[j] + base.imag() * fine_r[j]);
        }
      }
    });
  }

  static void long_r2c(const Transform& t, const T* in, C* out) {
    const size_t n = t.n[0], m = n / 2;
    const ptrdiff_t s = t.out_stride[0];
    half_c2c(reinterpret_cast<const C*>(in), out, m, s, true, t.scale);
    const C first = out[0];
    out[0] = C(first.real() + first.imag(), 0);
    out[static_cast<ptrdiff_t>(m) * s] = C(first.real() - first.imag(), 0);
    for_pairs(n, [=](size_t k, T wr, T wi) {
      C& x = out[static_cast<ptrdiff_t>(k) * s];
      C& y = out[static_cast<ptrdiff_t>(m - k) * s];
      const T er = (x.real() + y.real()) / 2, ei = (x.imag() - y.imag()) / 2;
      const T dr = (x.imag() + y.imag()) / 2, di = (y.real() - x.real()) / 2;
      const T tr = wr * dr - wi * di, ti = wr * di + wi * dr;
      x = C(er + tr, ei + ti);
      y = C(er - tr, ti - ei);
    });
  }

  static void long_c2r(const Transform& t, const C* in, T* out) {
    const size_t n = t.n[0], m = n / 2;
    const ptrdiff_t s = t.in_stride[0];
    C* const z = reinterpret_cast<C*>(out);
    const T zero = in[0].real(), middle = in[static_cast<ptrdiff_t>(m) * s].real();
    for_pairs(n, [=](size_t k, T wr, T wi) {
      const C x = in[static_cast<ptrdiff_t>(k) * s], y = in[static_cast<ptrdiff_t>(m - k) * s];
      const T er = x.real() + y.real(), ei = x.imag() - y.imag();
      const T dr = x.real() - y.real(), di = x.imag() + y.imag();
      const T tr = wr * dr + wi * di, ti = wr * di - wi * dr;  // conj(w) d
      z[k] = C(er - ti, ei + tr);
      z[m - k] = C(er + ti, tr - ei);
    });
    z[0] = C(zero + middle, zero - middle);
    half_c2c(z, z, m, 1, false, t.scale);
  }
};

}  // namespace DUCC0_NAMESPACE
}  // namespace sx::fft
