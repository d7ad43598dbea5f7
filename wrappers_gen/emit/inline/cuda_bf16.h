typedef struct {
    unsigned short x;
} __nv_bfloat16_raw;
typedef struct {
    unsigned short x, y;
} __attribute__((aligned(4))) __nv_bfloat162_raw;

/* Bits of the bfloat16 nearest to a float, ties to even; NaN becomes 0x7fff. */
static inline unsigned short scalex_bfloat16(float value)
{
    unsigned bits;
    memcpy(&bits, &value, sizeof(bits));
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return 0x7fff;
    }
    return (unsigned short)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

/* Rounded once: the float on the way keeps a sticky last bit (round to odd). */
static inline unsigned short scalex_bfloat16_from_double(double value)
{
    float near = (float)value;
    unsigned bits;
    const double back = (double)near;
    memcpy(&bits, &near, sizeof(bits));
    if (back != value && value == value && back - back == 0 && !(bits & 1u)) {
        const int away = (value > 0) == (back < value); /* the magnitude was rounded down */
        bits = away ? bits | 1u : bits - 1u;
        memcpy(&near, &bits, sizeof(near));
    }
    return scalex_bfloat16(near);
}

static inline float scalex_bfloat16_to_float(unsigned short half)
{
    const unsigned bits = (unsigned)half << 16;
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

#ifdef __cplusplus
struct alignas(2) __nv_bfloat16 {
protected:
    unsigned short __x;

public:
    __nv_bfloat16() = default;
    __nv_bfloat16(const __nv_bfloat16_raw &r) : __x(r.x) {}
    __nv_bfloat16(float f) : __x(scalex_bfloat16(f)) {}
    __nv_bfloat16(double f) : __x(scalex_bfloat16_from_double(f)) {}
    __nv_bfloat16(int i) : __nv_bfloat16(static_cast<double>(i)) {}
    __nv_bfloat16 &operator=(const __nv_bfloat16_raw &r) { __x = r.x; return *this; }
    __nv_bfloat16 &operator=(float f) { __x = scalex_bfloat16(f); return *this; }
    __nv_bfloat16 &operator=(double f) { __x = scalex_bfloat16_from_double(f); return *this; }
    operator __nv_bfloat16_raw() const { __nv_bfloat16_raw r; r.x = __x; return r; }
    operator float() const { return scalex_bfloat16_to_float(__x); }
};
static_assert(sizeof(__nv_bfloat16) == 2, "16-bit storage");

struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};

static inline float __bfloat162float(__nv_bfloat16 h) { return static_cast<float>(h); }
static inline __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
static inline __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
static inline __nv_bfloat16 __double2bfloat16(double f) { return __nv_bfloat16(f); }
static inline __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
    __nv_bfloat162 v;
    v.x = __nv_bfloat16(a);
    v.y = __nv_bfloat16(b);
    return v;
}
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return static_cast<__nv_bfloat16_raw>(h).x; }
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short u)
{
    __nv_bfloat16_raw r;
    r.x = u;
    return __nv_bfloat16(r);
}
static inline __nv_bfloat16 operator+(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(static_cast<float>(a) + static_cast<float>(b)); }
static inline __nv_bfloat16 operator-(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(static_cast<float>(a) - static_cast<float>(b)); }
static inline __nv_bfloat16 operator*(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(static_cast<float>(a) * static_cast<float>(b)); }
static inline __nv_bfloat16 operator/(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(static_cast<float>(a) / static_cast<float>(b)); }
static inline __nv_bfloat16 operator-(__nv_bfloat16 a) { return __nv_bfloat16(-static_cast<float>(a)); }
static inline bool operator==(__nv_bfloat16 a, __nv_bfloat16 b) { return static_cast<float>(a) == static_cast<float>(b); }
static inline bool operator!=(__nv_bfloat16 a, __nv_bfloat16 b) { return static_cast<float>(a) != static_cast<float>(b); }
static inline bool operator<(__nv_bfloat16 a, __nv_bfloat16 b) { return static_cast<float>(a) < static_cast<float>(b); }
static inline bool operator>(__nv_bfloat16 a, __nv_bfloat16 b) { return static_cast<float>(a) > static_cast<float>(b); }
static inline bool operator<=(__nv_bfloat16 a, __nv_bfloat16 b) { return static_cast<float>(a) <= static_cast<float>(b); }
static inline bool operator>=(__nv_bfloat16 a, __nv_bfloat16 b) { return static_cast<float>(a) >= static_cast<float>(b); }
#else
typedef struct {
    unsigned short __x;
} __nv_bfloat16;
typedef struct {
    __nv_bfloat16 x, y;
} __attribute__((aligned(4))) __nv_bfloat162;
#endif

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
