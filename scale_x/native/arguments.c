// Arguments of scale_x.bindings._native's functions: keywords, conversions and what is said about wrong ones.
#include "bindings.h"

#include <string.h>

// ---- names and messages
// ------------------------------------------------------------------------------------------------

static PyObject* names_of(sx_entry* e) {
  if (e->names != NULL) return e->names;
  PyObject* text = PyUnicode_FromString(e->def->names);
  if (text == NULL) return NULL;
  PyObject* comma = PyUnicode_FromString(",");
  PyObject* list = comma == NULL ? NULL : e->def->names[0] == '\0' ? PyList_New(0) : PyUnicode_Split(text, comma, -1);
  Py_XDECREF(comma);
  Py_DECREF(text);
  if (list == NULL) return NULL;
  e->names = PyList_AsTuple(list);
  Py_DECREF(list);
  return e->names;
}

static Py_ssize_t arity(const sx_entry* e) { return (Py_ssize_t)strlen(e->def->kinds); }

// The name of argument k; borrowed; NULL with an exception.
static PyObject* name_of(sx_entry* e, Py_ssize_t k) {
  PyObject* names = names_of(e);
  return names == NULL ? NULL : PyTuple_GetItem(names, k);
}

// Puts positional and keyword arguments in order.
static int place(sx_entry* e, PyObject* key, PyObject* value, PyObject** slots) {
  PyObject* names = names_of(e);
  if (names == NULL) return 0;
  for (Py_ssize_t k = 0; k < arity(e); k++) {
    PyObject* name = PyTuple_GetItem(names, k);
    if (name != key && PyUnicode_Compare(name, key) != 0) continue;
    if (slots[k] != NULL) {
      PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", e->def->name, key);
      return 0;
    }
    slots[k] = value;
    return 1;
  }
  if (!PyErr_Occurred())
    PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", e->def->name, key);
  return 0;
}

int sx_arguments(sx_entry* e, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames, PyObject** slots) {
  const Py_ssize_t count = arity(e);
  const Py_ssize_t given = kwnames == NULL ? 0 : PyTuple_Size(kwnames);
  if (nargs > count) {
    PyErr_Format(PyExc_TypeError, "%s() takes %zd arguments but %zd were given", e->def->name, count, nargs + given);
    return 0;
  }
  for (Py_ssize_t k = 0; k < count; k++) slots[k] = k < nargs ? args[k] : NULL;
  for (Py_ssize_t k = 0; k < given; k++)
    if (!place(e, PyTuple_GetItem(kwnames, k), args[nargs + k], slots)) return 0;
  for (Py_ssize_t k = 0; k < count; k++) {
    if (slots[k] != NULL) continue;
    PyObject* name = name_of(e, k);
    if (name != NULL)
      PyErr_Format(PyExc_TypeError, "%s() missing required argument '%U' (position %zd)", e->def->name, name, k + 1);
    return 0;
  }
  return 1;
}

static PyObject* from_value(char kind, const sx_value* v) {
  switch (kind) {
    case 'p':
      return PyLong_FromVoidPtr(v->p);
    case 'i':
      return PyLong_FromLong(v->i);
    case 'u':
    case 'e':
      return PyLong_FromUnsignedLong(v->u);
    case 'l':
      return PyLong_FromLongLong(v->l);
    case 'z':
      return PyLong_FromUnsignedLongLong(v->z);
    case 'f':
      return PyFloat_FromDouble(v->f);
    default:
      return PyFloat_FromDouble(v->d);
  }
}

#define SX_MAX_ARGUMENTS 64

// A function with one result behind a pointer: create(), get_version(handle), malloc(size). With all arguments it is
// the plain call; with the pointer left out, the result is returned.
PyObject* sx_call_out(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  sx_entry* e = (sx_entry*)self;
  const Py_ssize_t count = arity(e);
  const Py_ssize_t given = kwnames == NULL ? 0 : PyTuple_Size(kwnames);
  if (nargs + given != count - 1) return e->def->call(self, args, nargs, kwnames);
  PyObject* slots[SX_MAX_ARGUMENTS] = {NULL};
  sx_value result = {0};
  PyObject* address = PyLong_FromVoidPtr(&result);
  if (address == NULL) return NULL;
  slots[e->def->out] = address;
  for (Py_ssize_t k = 0; k < nargs; k++) slots[k < e->def->out ? k : k + 1] = args[k];
  int placed = 1;
  for (Py_ssize_t k = 0; k < given && placed; k++)
    placed = place(e, PyTuple_GetItem(kwnames, k), args[nargs + k], slots);
  PyObject* none = placed ? e->def->call(self, slots, count, NULL) : NULL;
  Py_DECREF(address);
  if (none == NULL) return NULL;
  Py_DECREF(none);
  return from_value(e->def->out_kind, &result);
}

static int wrong_type(sx_entry* e, Py_ssize_t k, PyObject* o, const char* wanted) {
  PyErr_Clear();
  PyObject* name = name_of(e, k);
  PyObject* type = name == NULL ? NULL : PyType_GetName(Py_TYPE(o));
  if (type != NULL)
    PyErr_Format(PyExc_TypeError, "%s() argument '%U' must be %s, not %U", e->def->name, name, wanted, type);
  Py_XDECREF(type);
  return 0;
}

static int too_big(sx_entry* e, Py_ssize_t k, PyObject* o, const char* type) {
  PyErr_Clear();
  PyObject* name = name_of(e, k);
  if (name != NULL)
    PyErr_Format(PyExc_OverflowError, "%s() argument '%U': %S does not fit in %s", e->def->name, name, o, type);
  return 0;
}

// ---- conversions
// -------------------------------------------------------------------------------------------------------

// An integer in [low, high]; high is compared unsigned when low is not negative.
static int get_integer(sx_entry* e, Py_ssize_t k, PyObject* o, int64_t low, uint64_t high, const char* type,
                       uint64_t* bits) {
  if (!PyIndex_Check(o)) return wrong_type(e, k, o, "an int");
  PyObject* number = PyNumber_Index(o);
  if (number == NULL) return 0;
  int overflow = 0;
  const int64_t value = PyLong_AsLongLongAndOverflow(number, &overflow);
  int fits = overflow == 0 && value >= low && (value < 0 || (uint64_t)value <= high);
  *bits = (uint64_t)value;
  if (overflow > 0 && high > INT64_MAX) {
    *bits = PyLong_AsUnsignedLongLong(number);
    fits = !PyErr_Occurred();
  }
  Py_DECREF(number);
  return fits ? 1 : too_big(e, k, o, type);
}

// An address from an attribute that holds an int; 1 found, 0 not there, -1 error.
static int address_attribute(PyObject* o, const char* attribute, void** address) {
  PyObject* value = PyObject_GetAttrString(o, attribute);
  if (value == NULL) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
    PyErr_Clear();
    return 0;
  }
  if (PyDict_Check(value)) {  // an array interface: data is (address, read-only)
    PyObject* data = PyDict_GetItemString(value, "data");
    PyObject* item = data != NULL && PyTuple_Check(data) ? PyTuple_GetItem(data, 0) : NULL;
    Py_XINCREF(item);
    Py_DECREF(value);
    value = item;
    if (value == NULL) return 0;
  }
  if (!PyLong_Check(value)) {
    Py_DECREF(value);
    return 0;
  }
  *address = PyLong_AsVoidPtr(value);
  Py_DECREF(value);
  return *address == NULL && PyErr_Occurred() ? -1 : 1;
}

// None, an int, an object that names its address (`.ptr`, the array interfaces), or a contiguous buffer on the host.
static int get_address(sx_entry* e, Py_ssize_t k, PyObject* o, int text, void** address) {
  static const char* const attributes[] = {"ptr", "__cuda_array_interface__", "__array_interface__"};
  *address = NULL;
  if (o == Py_None) return 1;
  if (text && PyUnicode_Check(o)) {
    *address = (void*)(uintptr_t)PyUnicode_AsUTF8AndSize(o, NULL);
    return *address != NULL;
  }
  // NumPy's arrays have __index__, and its scalars an array interface: an array is what can be assigned to.
  const int array = !PyLong_Check(o) && PyObject_HasAttrString(o, "__setitem__");
  for (int i = 0; i < 2 + array && !PyLong_Check(o); i++) {
    const int found = address_attribute(o, attributes[i], address);
    if (found != 0) return found > 0;
  }
  if (PyIndex_Check(o)) {
    uint64_t bits;
    if (!get_integer(e, k, o, 0, UINT64_MAX, "an address", &bits)) return 0;
    *address = (void*)(uintptr_t)bits;
    return 1;
  }
  Py_buffer view;
  if (PyObject_CheckBuffer(o)) {
    if (PyObject_GetBuffer(o, &view, PyBUF_ANY_CONTIGUOUS) < 0) return 0;
    *address = view.buf;  // lives as long as the object, which the caller holds
    PyBuffer_Release(&view);
    return 1;
  }
  return wrong_type(e, k, o, "an address: an int, None, an object with .ptr or an array interface, or a buffer");
}

static int get_real(sx_entry* e, Py_ssize_t k, PyObject* o, double* value) {
  *value = PyFloat_AsDouble(o);
  if (*value != -1.0 || !PyErr_Occurred()) return 1;
  return PyErr_ExceptionMatches(PyExc_TypeError) ? wrong_type(e, k, o, "a float") : 0;
}

static int get_complex(sx_entry* e, Py_ssize_t k, PyObject* o, sx_complex128* value) {
#ifdef Py_LIMITED_API
  value->x = PyComplex_RealAsDouble(o);
  if (PyErr_Occurred()) return wrong_type(e, k, o, "a complex number");
  value->y = PyComplex_ImagAsDouble(o);
#else
  const Py_complex c = PyComplex_AsCComplex(o);
  if (PyErr_Occurred()) return PyErr_ExceptionMatches(PyExc_TypeError) ? wrong_type(e, k, o, "a complex number") : 0;
  value->x = c.real;
  value->y = c.imag;
#endif
  return 1;
}

static int get_struct(sx_entry* e, Py_ssize_t k, PyObject* o, int size, sx_value* value) {
  Py_buffer view;
  if (!PyObject_CheckBuffer(o)) return wrong_type(e, k, o, "bytes of a struct");
  if (PyObject_GetBuffer(o, &view, PyBUF_SIMPLE) < 0) return 0;
  const Py_ssize_t given = view.len;
  if (given == size) memcpy(value, view.buf, (size_t)size);
  PyBuffer_Release(&view);
  if (given == size) return 1;
  PyObject* name = name_of(e, k);
  if (name != NULL)
    PyErr_Format(PyExc_ValueError, "%s() argument '%U' is a struct of %d bytes, not %zd", e->def->name, name, size,
                 given);
  return 0;
}

static int convert_one(sx_entry* e, Py_ssize_t k, PyObject* o, sx_value* v) {
  uint64_t bits = 0;
  double real;
  sx_complex128 pair = {0, 0};
  switch (e->def->kinds[k]) {
    case 'p':
      return get_address(e, k, o, 0, &v->p);
    case 'q':
      return get_address(e, k, o, 1, &v->p);
    case 'i':
      if (!get_integer(e, k, o, INT32_MIN, INT32_MAX, "an int", &bits)) return 0;
      v->i = (int32_t)bits;
      return 1;
    case 'e':
      if (!get_integer(e, k, o, INT32_MIN, UINT32_MAX, "an enum", &bits)) return 0;
      v->u = (uint32_t)bits;
      return 1;
    case 'u':
      if (!get_integer(e, k, o, 0, UINT32_MAX, "an unsigned int", &bits)) return 0;
      v->u = (uint32_t)bits;
      return 1;
    case 'l':
      if (!get_integer(e, k, o, INT64_MIN, INT64_MAX, "a 64-bit int", &bits)) return 0;
      v->l = (int64_t)bits;
      return 1;
    case 'z':
      return get_integer(e, k, o, 0, UINT64_MAX, "an unsigned 64-bit int", &v->z);
    case 'b':
      if (PyUnicode_Check(o) && PyUnicode_GetLength(o) == 1) {  // 'N', as BLAS and LAPACK options are written
        const Py_UCS4 character = PyUnicode_ReadChar(o, 0);
        if (character > 127) return too_big(e, k, o, "a char");
        v->b = (int8_t)character;
        return 1;
      }
      if (!get_integer(e, k, o, INT8_MIN, UINT8_MAX, "a char", &bits)) return 0;
      v->b = (int8_t)bits;
      return 1;
    case 'd':
      return get_real(e, k, o, &v->d);
    case 'f':
      if (!get_real(e, k, o, &real)) return 0;
      v->f = (float)real;
      return 1;
    case 'k':
      return get_complex(e, k, o, &v->k);
    case 'c':
      if (!get_complex(e, k, o, &pair)) return 0;
      v->c.x = (float)pair.x;
      v->c.y = (float)pair.y;
      return 1;
    default:
      return get_struct(e, k, o, sx_struct_size(e->def->kinds[k]), v);
  }
}

int sx_convert(sx_entry* e, PyObject* const* args, sx_value* values) {
  const Py_ssize_t count = arity(e);
  for (Py_ssize_t k = 0; k < count; k++)
    if (!convert_one(e, k, args[k], &values[k])) return 0;
  return 1;
}

PyObject* sx_text(const char* text) { return text == NULL ? sx_none() : PyUnicode_FromString(text); }
