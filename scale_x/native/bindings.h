// What the emitted callers (build/gen/bindings/calls_*.c) see of the module's run time: one caller per distinct C
// signature, METH_FASTCALL|METH_KEYWORDS, whose `self` is the entry of the function it was reached through.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#define SX_LIKELY(x) __builtin_expect(!!(x), 1)
#define SX_UNLIKELY(x) __builtin_expect(!!(x), 0)

typedef struct {
  float x, y;
} sx_complex64;
typedef struct {
  double x, y;
} __attribute__((aligned(16))) sx_complex128;

// One function of a library, emitted. `kinds` is one letter per argument (see sx_value), `names` are NVIDIA's parameter
// names with commas between.
typedef struct {
  const char* name;
  const char* symbol;
  PyObject* (*call)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
  const char* kinds;
  const char* names;
  const char* doc;
  uint8_t library;  // index in sx_libraries
  uint8_t majors;   // bit 0: CUDA 11, 1: 12, 2: 13; the releases whose C signature this is
  uint8_t release;  // the GIL is released around the call
  int8_t out;       // position of the argument that may be left out and is then the result; -1: none
  char out_kind;    // what is behind it
} sx_def;

extern const sx_def sx_defs[];
extern const int sx_def_count;
extern const char* const sx_libraries[];
extern const int sx_library_count;

// The `self` of a function: what one call needs comes first.
typedef struct {
  PyObject_HEAD void* fn;  // NULL until the first call finds it
  uint8_t release;
  const sx_def* def;
  PyObject* names;  // tuple, made when a keyword or a message first needs it
  PyObject* function;
  PyMethodDef method;
} sx_entry;

typedef union {
  void* p;             // p: address; q: address, or text for a const char*
  int32_t i;           // i: int
  uint32_t u;          // u: unsigned int; e: an enum, any 32 bits
  int64_t l;           // l: long, long long
  uint64_t z;          // z: size_t
  int8_t b;            // b: char
  float f;             // f
  double d;            // d
  sx_complex64 c;      // c: cuComplex by value
  sx_complex128 k;     // k: cuDoubleComplex by value
  uint32_t words[16];  // other letters (A, B, ...): a struct by value, bytes of its size
} sx_value;

// Slow paths, in arguments.c and module.c. All set an exception and return 0 or NULL on failure.
int sx_arguments(sx_entry* e, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames, PyObject** slots);
int sx_convert(sx_entry* e, PyObject* const* args, sx_value* values);
void* sx_resolve(sx_entry* e);
PyObject* sx_raise(sx_entry* e, int64_t status);
PyObject* sx_call_out(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);
PyObject* sx_text(const char* text);
int sx_struct_size(char kind);  // emitted

// Integers' digits are read in place where their layout is known: PyLong_As* costs a call and a range check per
// argument.
#if !defined(Py_LIMITED_API) && PYLONG_BITS_IN_DIGIT == 30 && PY_VERSION_HEX < 0x030F0000
#define SX_INLINE_DIGITS 1
#endif

#ifdef SX_INLINE_DIGITS
// -1 < digits < 2: the value itself.
static inline int sx_one_digit(PyObject* o, int64_t* value) {
  if (SX_UNLIKELY(!PyLong_Check(o))) return 0;
#if PY_VERSION_HEX >= 0x030C0000
  const uintptr_t tag = ((PyLongObject*)o)->long_value.lv_tag;
  if (SX_UNLIKELY(tag >= (2 << 3))) return 0;
  *value = (1 - (int64_t)(tag & 3)) * (int64_t)((PyLongObject*)o)->long_value.ob_digit[0];
#else
  const Py_ssize_t size = Py_SIZE(o);
  if (SX_UNLIKELY((size_t)(size + 1) > 2)) return 0;
  *value = size * (int64_t)((PyLongObject*)o)->ob_digit[0];
#endif
  return 1;
}

// 0 <= value < 2**60: addresses and sizes.
static inline int sx_two_digits(PyObject* o, uint64_t* value) {
  if (SX_UNLIKELY(!PyLong_Check(o))) return 0;
#if PY_VERSION_HEX >= 0x030C0000
  const uintptr_t tag = ((PyLongObject*)o)->long_value.lv_tag;
  const digit* d = ((PyLongObject*)o)->long_value.ob_digit;
  const size_t size = tag >> 3;
  if (SX_UNLIKELY((tag & 3) == 2 || size > 2)) return 0;
#else
  const Py_ssize_t size = Py_SIZE(o);
  const digit* d = ((PyLongObject*)o)->ob_digit;
  if (SX_UNLIKELY((size_t)size > 2)) return 0;
#endif
  *value = size == 2 ? d[0] | (uint64_t)d[1] << 30 : size == 1 ? d[0] : 0;
  return 1;
}
#else
static inline int sx_one_digit(PyObject* o, int64_t* value) {
  int overflow;
  if (SX_UNLIKELY(!PyLong_Check(o))) return 0;
  *value = PyLong_AsLongLongAndOverflow(o, &overflow);
  return !overflow && *value < (1 << 30) && *value > -(1 << 30);
}

static inline int sx_two_digits(PyObject* o, uint64_t* value) {
  int overflow;
  if (SX_UNLIKELY(!PyLong_Check(o))) return 0;
  *value = (uint64_t)PyLong_AsLongLongAndOverflow(o, &overflow);
  return !overflow && (int64_t)*value >= 0;
}
#endif

// The common case of each kind; 0 sends the whole call to sx_convert, which knows every accepted form and every
// message.
static inline int sx_get_p(PyObject* o, void** v) {
  uint64_t bits;
  if (SX_UNLIKELY(!sx_two_digits(o, &bits))) return 0;
  *v = (void*)(uintptr_t)bits;
  return 1;
}
static inline int sx_get_i(PyObject* o, int32_t* v) {
  int64_t wide;
  if (SX_UNLIKELY(!sx_one_digit(o, &wide))) return 0;
  *v = (int32_t)wide;
  return 1;
}
static inline int sx_get_e(PyObject* o, uint32_t* v) { return sx_get_i(o, (int32_t*)v); }
static inline int sx_get_u(PyObject* o, uint32_t* v) {
  int64_t wide;
  if (SX_UNLIKELY(!sx_one_digit(o, &wide) || wide < 0)) return 0;
  *v = (uint32_t)wide;
  return 1;
}
static inline int sx_get_l(PyObject* o, int64_t* v) {
  uint64_t bits;
  if (SX_LIKELY(sx_two_digits(o, &bits))) {
    *v = (int64_t)bits;
    return 1;
  }
  return sx_one_digit(o, v);
}
static inline int sx_get_z(PyObject* o, uint64_t* v) { return sx_two_digits(o, v); }
static inline int sx_get_d(PyObject* o, double* v) {
  if (SX_UNLIKELY(Py_TYPE(o) != &PyFloat_Type)) return 0;
#ifdef Py_LIMITED_API
  *v = PyFloat_AsDouble(o);
#else
  *v = PyFloat_AS_DOUBLE(o);
#endif
  return 1;
}
static inline int sx_get_f(PyObject* o, float* v) {
  double wide;
  if (SX_UNLIKELY(!sx_get_d(o, &wide))) return 0;
  *v = (float)wide;
  return 1;
}

// Arguments in order, then the function's address.
#define SX_ENTER(count)                                             \
  sx_entry* e = (sx_entry*)self;                                    \
  PyObject* slots[(count) ? (count) : 1];                           \
  if (SX_UNLIKELY(kwnames != NULL || nargs != (count))) {           \
    if (!sx_arguments(e, args, nargs, kwnames, slots)) return NULL; \
    args = slots;                                                   \
  }

#define SX_FUNCTION(type)        \
  type fn = (type)e->fn;         \
  if (SX_UNLIKELY(fn == NULL)) { \
    fn = (type)sx_resolve(e);    \
    if (fn == NULL) return NULL; \
  }

#define SX_CALL(statement)                      \
  if (e->release) {                             \
    PyThreadState* state = PyEval_SaveThread(); \
    statement;                                  \
    PyEval_RestoreThread(state);                \
  } else {                                      \
    statement;                                  \
  }

static inline PyObject* sx_none(void) {
  Py_INCREF(Py_None);
  return Py_None;
}
static inline PyObject* sx_status(sx_entry* e, uint32_t status) {
  return SX_LIKELY(status == 0) ? sx_none() : sx_raise(e, (int32_t)status);
}
