typedef struct {
    unsigned short x;
} __half_raw;
typedef struct {
    unsigned short x, y;
} __attribute__((aligned(4))) __half2_raw;

/* Bits of the binary16 nearest to a double, ties to even; NaN becomes 0x7fff. */
static inline unsigned short scalex_half_from_double(double value)
{
    unsigned long long bits;
    memcpy(&bits, &value, sizeof(bits));
    const unsigned sign = (unsigned)(bits >> 48) & 0x8000u;
    const int exponent = (int)((bits >> 52) & 0x7ff) - 1023;
    const unsigned long long fraction = bits & 0xfffffffffffffull;
    if (exponent == 1024 && fraction) {
        return 0x7fff;
    }
    if (exponent > 15) {
        return (unsigned short)(sign | 0x7c00u);
    }
    if (exponent < -25) {
        return (unsigned short)sign; /* less than half of the smallest subnormal */
    }
    const unsigned long long significand = fraction | 0x10000000000000ull;
    const int shift = exponent < -14 ? 42 + (-14 - exponent) : 42;
    unsigned half = (unsigned)(significand >> shift);
    const unsigned long long rest = significand & ((1ull << shift) - 1), tie = 1ull << (shift - 1);
    half += rest > tie || (rest == tie && (half & 1u));
    /* the leading bit of a normal number adds one to the exponent field, and so does a carry */
    return (unsigned short)(sign | (half + (exponent < -14 ? 0u : (unsigned)(exponent + 14) << 10)));
}

static inline unsigned short scalex_half(float value) { return scalex_half_from_double(value); }

static inline float scalex_half_to_float(unsigned short half)
{
    const unsigned sign = (half & 0x8000u) << 16, exponent = (half >> 10) & 0x1fu, fraction = half & 0x3ffu;
    unsigned bits;
    float value;
    if (exponent == 0) {
        value = (float)fraction * 5.9604644775390625e-8f; /* 2^-24 */
        return sign ? -value : value;
    }
    bits = exponent == 31 ? sign | 0x7f800000u | fraction << 13 : sign | (exponent + 112) << 23 | fraction << 13;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

#ifdef __cplusplus
struct alignas(2) __half {
protected:
    unsigned short __x;

public:
    __half() = default;
    __half(const __half_raw &r) : __x(r.x) {}
    __half(float f) : __x(scalex_half(f)) {}
    __half(double f) : __x(scalex_half_from_double(f)) {}
    __half(int i) : __half(static_cast<double>(i)) {}
    __half &operator=(const __half_raw &r) { __x = r.x; return *this; }
    __half &operator=(float f) { __x = scalex_half(f); return *this; }
    __half &operator=(double f) { __x = scalex_half_from_double(f); return *this; }
    operator __half_raw() const { __half_raw r; r.x = __x; return r; }
    operator float() const { return scalex_half_to_float(__x); }
};
static_assert(sizeof(__half) == 2, "16-bit storage");

struct alignas(4) __half2 {
    __half x, y;
};

static inline float __half2float(__half h) { return static_cast<float>(h); }
static inline __half __float2half(float f) { return __half(f); }
static inline __half __float2half_rn(float f) { return __half(f); }
static inline __half __double2half(double f) { return __half(f); }
static inline __half2 __floats2half2_rn(float a, float b)
{
    __half2 v;
    v.x = __half(a);
    v.y = __half(b);
    return v;
}
static inline unsigned short __half_as_ushort(__half h) { return static_cast<__half_raw>(h).x; }
static inline __half __ushort_as_half(unsigned short u)
{
    __half_raw r;
    r.x = u;
    return __half(r);
}
static inline __half operator+(__half a, __half b) { return __half(static_cast<float>(a) + static_cast<float>(b)); }
static inline __half operator-(__half a, __half b) { return __half(static_cast<float>(a) - static_cast<float>(b)); }
static inline __half operator*(__half a, __half b) { return __half(static_cast<float>(a) * static_cast<float>(b)); }
static inline __half operator/(__half a, __half b) { return __half(static_cast<float>(a) / static_cast<float>(b)); }
static inline __half operator-(__half a) { return __half(-static_cast<float>(a)); }
static inline bool operator==(__half a, __half b) { return static_cast<float>(a) == static_cast<float>(b); }
static inline bool operator!=(__half a, __half b) { return static_cast<float>(a) != static_cast<float>(b); }
static inline bool operator<(__half a, __half b) { return static_cast<float>(a) < static_cast<float>(b); }
static inline bool operator>(__half a, __half b) { return static_cast<float>(a) > static_cast<float>(b); }
static inline bool operator<=(__half a, __half b) { return static_cast<float>(a) <= static_cast<float>(b); }
static inline bool operator>=(__half a, __half b) { return static_cast<float>(a) >= static_cast<float>(b); }
#else
typedef struct {
    unsigned short __x;
} __half;
typedef struct {
    __half x, y;
} __attribute__((aligned(4))) __half2;
#endif

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half nv_half;
