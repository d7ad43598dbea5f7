static inline float cuCrealf(cuFloatComplex x) { return x.x; }
static inline float cuCimagf(cuFloatComplex x) { return x.y; }

static inline cuFloatComplex make_cuFloatComplex(float r, float i)
{
    cuFloatComplex z;
    z.x = r;
    z.y = i;
    return z;
}

static inline cuFloatComplex cuConjf(cuFloatComplex x) { return make_cuFloatComplex(x.x, -x.y); }
static inline cuFloatComplex cuCaddf(cuFloatComplex x, cuFloatComplex y) { return make_cuFloatComplex(x.x + y.x, x.y + y.y); }
static inline cuFloatComplex cuCsubf(cuFloatComplex x, cuFloatComplex y) { return make_cuFloatComplex(x.x - y.x, x.y - y.y); }

static inline cuFloatComplex cuCmulf(cuFloatComplex x, cuFloatComplex y)
{
    return make_cuFloatComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}

/* The divisor is scaled by |re| + |im|, so that its square neither overflows nor underflows. */
static inline cuFloatComplex cuCdivf(cuFloatComplex x, cuFloatComplex y)
{
    const float scale = 1.0f / (fabsf(y.x) + fabsf(y.y));
    const float a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
    const float norm = 1.0f / (c * c + d * d);
    return make_cuFloatComplex((a * c + b * d) * norm, (b * c - a * d) * norm);
}

/* Scaled by the larger part, for the same reason. */
static inline float cuCabsf(cuFloatComplex x)
{
    const float re = fabsf(x.x), im = fabsf(x.y);
    const float big = re > im ? re : im, small = re > im ? im : re;
    if (big == 0 || big - big != 0 || small - small != 0) {
        return re + im;
    }
    return big * sqrtf(1.0f + (small / big) * (small / big));
}

static inline double cuCreal(cuDoubleComplex x) { return x.x; }
static inline double cuCimag(cuDoubleComplex x) { return x.y; }

static inline cuDoubleComplex make_cuDoubleComplex(double r, double i)
{
    cuDoubleComplex z;
    z.x = r;
    z.y = i;
    return z;
}

static inline cuDoubleComplex cuConj(cuDoubleComplex x) { return make_cuDoubleComplex(x.x, -x.y); }
static inline cuDoubleComplex cuCadd(cuDoubleComplex x, cuDoubleComplex y) { return make_cuDoubleComplex(x.x + y.x, x.y + y.y); }
static inline cuDoubleComplex cuCsub(cuDoubleComplex x, cuDoubleComplex y) { return make_cuDoubleComplex(x.x - y.x, x.y - y.y); }

static inline cuDoubleComplex cuCmul(cuDoubleComplex x, cuDoubleComplex y)
{
    return make_cuDoubleComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}

/* The divisor is scaled by |re| + |im|, so that its square neither overflows nor underflows. */
static inline cuDoubleComplex cuCdiv(cuDoubleComplex x, cuDoubleComplex y)
{
    const double scale = 1.0 / (fabs(y.x) + fabs(y.y));
    const double a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
    const double norm = 1.0 / (c * c + d * d);
    return make_cuDoubleComplex((a * c + b * d) * norm, (b * c - a * d) * norm);
}

/* Scaled by the larger part, for the same reason. */
static inline double cuCabs(cuDoubleComplex x)
{
    const double re = fabs(x.x), im = fabs(x.y);
    const double big = re > im ? re : im, small = re > im ? im : re;
    if (big == 0 || big - big != 0 || small - small != 0) {
        return re + im;
    }
    return big * sqrt(1.0 + (small / big) * (small / big));
}

static inline cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }

static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c)
{
    return make_cuDoubleComplex((double)c.x, (double)c.y);
}

static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c)
{
    return make_cuFloatComplex((float)c.x, (float)c.y);
}

/* x * y + d */
static inline cuComplex cuCfmaf(cuComplex x, cuComplex y, cuComplex d) { return cuCaddf(cuCmulf(x, y), d); }
static inline cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex d)
{
    return cuCadd(cuCmul(x, y), d);
}
