// The run time of scale_x.bindings._native: entries, slow argument paths, symbol lookup and errors. The callers and the
// table of functions are emitted.
#include "bindings.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static PyTypeObject* entry_type;
static sx_entry** entries;  // one per sx_defs row, made at import, never freed
static void* handles[64];   // dlopen's answer per library
static PyObject* support;   // scale_x.bindings._support: the decisions that are better made in Python

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
  sx_complex128 pair;
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

// ---- libraries
// ---------------------------------------------------------------------------------------------------------

static PyObject* get_support(void) {
  if (support == NULL) support = PyImport_ImportModule("scale_x.bindings._support");
  return support;
}

// Asks where a library is, and opens it. Opening runs constructors that may take long or start threads: without the
// GIL.
static void* open_library(int library) {
  if (handles[library] != NULL) return handles[library];
  PyObject* helper = get_support();
  PyObject* path = helper == NULL ? NULL : PyObject_CallMethod(helper, "locate", "s", sx_libraries[library]);
  PyObject* bytes = NULL;
  if (path == NULL || !PyUnicode_FSConverter(path, &bytes)) {
    Py_XDECREF(path);
    return NULL;
  }
  const char* file = PyBytes_AsString(bytes);
  void* handle;
  Py_BEGIN_ALLOW_THREADS handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  Py_END_ALLOW_THREADS if (handle == NULL) {
    const char* why = dlerror();
    PyObject* none = PyObject_CallMethod(helper, "not_loaded", "sOs", sx_libraries[library], path, why ? why : "");
    Py_XDECREF(none);
  }
  else {
    handles[library] = handle;
  }
  Py_DECREF(bytes);
  Py_DECREF(path);
  return handle;
}

void* sx_resolve(sx_entry* e) {
  void* handle = open_library(e->def->library);
  if (handle == NULL) return NULL;
  void* address = dlsym(handle, e->def->symbol);
  if (address != NULL) {
    e->fn = address;
    return address;
  }
  PyObject* none = PyObject_CallMethod(support, "missing", "ss", e->def->symbol, sx_libraries[e->def->library]);
  Py_XDECREF(none);
  return NULL;
}

PyObject* sx_raise(sx_entry* e, int64_t status) {
  PyObject* helper = get_support();
  if (helper == NULL) return NULL;
  PyObject* none = PyObject_CallMethod(helper, "raise_status", "sLs", sx_libraries[e->def->library], (long long)status,
                                       e->def->symbol);
  Py_XDECREF(none);
  if (none != NULL && !PyErr_Occurred()) PyErr_SetString(PyExc_SystemError, "raise_status did not raise");
  return NULL;
}

// ---- the module
// --------------------------------------------------------------------------------------------------------

static int library_index(const char* name) {
  for (int i = 0; i < sx_library_count; i++)
    if (strcmp(sx_libraries[i], name) == 0) return i;
  PyErr_Format(PyExc_ValueError, "no library '%s'", name);
  return -1;
}

// The entry of a symbol as a CUDA release (0: the newest) has it; NULL with KeyError.
static sx_entry* find(const char* symbol, int major) {
  sx_entry* best = NULL;
  for (int i = 0; i < sx_def_count; i++)
    if (strcmp(sx_defs[i].symbol, symbol) == 0 &&
        (best == NULL || (major != 0 && (sx_defs[i].majors >> (major - 11) & 1))))
      best = entries[i];
  if (best == NULL) PyErr_Format(PyExc_KeyError, "%s", symbol);
  return best;
}

static PyObject* module_functions(PyObject* self, PyObject* args) {
  (void)self;
  const char* name;
  int major;
  if (!PyArg_ParseTuple(args, "si", &name, &major)) return NULL;
  const int library = library_index(name);
  PyObject* result = library < 0 ? NULL : PyDict_New();
  if (result == NULL) return NULL;
  for (int i = 0; i < sx_def_count; i++) {
    const sx_def* d = &sx_defs[i];
    // a later row of the same name is another release's signature
    if (d->library != library || (i > 0 && strcmp(d[-1].name, d->name) == 0 && !(d->majors >> (major - 11) & 1)))
      continue;
    if (PyDict_SetItemString(result, d->name, entries[i]->function) < 0) {
      Py_DECREF(result);
      return NULL;
    }
  }
  return result;
}

static PyObject* module_function(PyObject* self, PyObject* args) {
  (void)self;
  const char* symbol;
  int major = 0;
  if (!PyArg_ParseTuple(args, "s|i", &symbol, &major)) return NULL;
  sx_entry* e = find(symbol, major);
  if (e == NULL) return NULL;
  Py_INCREF(e->function);
  return e->function;
}

static PyObject* module_address(PyObject* self, PyObject* symbol) {
  (void)self;
  const char* name = PyUnicode_AsUTF8AndSize(symbol, NULL);
  sx_entry* e = name == NULL ? NULL : find(name, 0);
  void* address = e == NULL ? NULL : e->fn != NULL ? e->fn : sx_resolve(e);
  return address == NULL ? NULL : PyLong_FromVoidPtr(address);
}

// The file that a loaded library came from; None when it is not loaded.
static PyObject* module_loaded_from(PyObject* self, PyObject* library) {
  (void)self;
  const char* name = PyUnicode_AsUTF8AndSize(library, NULL);
  const int index = name == NULL ? -1 : library_index(name);
  if (index < 0) return NULL;
  if (handles[index] == NULL) return sx_none();
  for (int i = 0; i < sx_def_count; i++) {
    void* address = sx_defs[i].library == index ? dlsym(handles[index], sx_defs[i].symbol) : NULL;
    Dl_info info;
    if (address != NULL && dladdr(address, &info) != 0) return PyUnicode_DecodeFSDefault(info.dli_fname);
  }
  return sx_none();
}

// Forgets every address, so that the next calls ask again. Libraries stay loaded: handles made by them may be alive.
static PyObject* module_forget(PyObject* self, PyObject* unused) {
  (void)self;
  (void)unused;
  for (int i = 0; i < sx_def_count; i++) entries[i]->fn = NULL;
  memset(handles, 0, sizeof handles);
  return sx_none();
}

static PyObject* module_releases_gil(PyObject* self, PyObject* args) {
  (void)self;
  const char* symbol;
  int value = -1;
  if (!PyArg_ParseTuple(args, "s|p", &symbol, &value)) return NULL;
  sx_entry* e = find(symbol, 0);
  if (e == NULL) return NULL;
  const int before = e->release;
  if (value >= 0) e->release = (uint8_t)value;
  return PyBool_FromLong(before);
}

static PyObject* module_table(PyObject* self, PyObject* unused) {
  (void)self;
  (void)unused;
  PyObject* list = PyList_New(0);
  for (int i = 0; list != NULL && i < sx_def_count; i++) {
    const sx_def* d = &sx_defs[i];
    PyObject* row = Py_BuildValue("(ssssi)", sx_libraries[d->library], d->name, d->symbol, d->kinds, d->majors);
    if (row == NULL || PyList_Append(list, row) < 0) Py_CLEAR(list);
    Py_XDECREF(row);
  }
  return list;
}

static PyMethodDef methods[] = {
    {"functions", module_functions, METH_VARARGS, "functions(library, major): Python name -> function."},
    {"function", module_function, METH_VARARGS, "function(symbol, major=0): the function of an exported symbol."},
    {"address", module_address, METH_O, "address(symbol): where the loaded library has it."},
    {"loaded_from", module_loaded_from, METH_O, "loaded_from(library): the file it was loaded from, or None."},
    {"forget", module_forget, METH_NOARGS, "forget(): look every library and symbol up again at its next use."},
    {"releases_gil", module_releases_gil, METH_VARARGS,
     "releases_gil(symbol[, value]): whether calls release the GIL; optionally set it, for measurements."},
    {"table", module_table, METH_NOARGS, "table(): (library, name, symbol, kinds, majors) of every function."},
    {NULL, NULL, 0, NULL}};

static sx_entry* new_entry(const sx_def* def, PyObject* module_name) {
  sx_entry* e = PyObject_New(sx_entry, entry_type);
  if (e == NULL) return NULL;
  e->fn = NULL;
  e->names = NULL;
  e->def = def;
  e->release = def->release;
  e->method.ml_name = def->name;
  e->method.ml_meth = (PyCFunction)(void (*)(void))(def->out < 0 ? def->call : sx_call_out);
  e->method.ml_flags = METH_FASTCALL | METH_KEYWORDS;
  e->method.ml_doc = def->doc;
  e->function = PyCFunction_NewEx(&e->method, (PyObject*)e, module_name);
  return e->function == NULL ? NULL : e;
}

static int make_entries(void) {
  entries = calloc((size_t)sx_def_count, sizeof *entries);
  if (entries == NULL) return 0;
  PyObject* name = NULL;
  int library = -1;
  for (int i = 0; i < sx_def_count; i++) {
    if (sx_defs[i].library != library) {
      library = sx_defs[i].library;
      Py_XDECREF(name);
      name = PyUnicode_FromFormat("scale_x.bindings.%s", sx_libraries[library]);
    }
    entries[i] = name == NULL ? NULL : new_entry(&sx_defs[i], name);
    if (entries[i] == NULL) return 0;
  }
  Py_XDECREF(name);
  return 1;
}

static PyType_Slot entry_slots[] = {{Py_tp_doc, "One function of a CUDA-X library."}, {0, NULL}};
static PyType_Spec entry_spec = {
    .name = "scale_x.bindings._native.Entry",
    .basicsize = sizeof(sx_entry),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = entry_slots,
};

static struct PyModuleDef module_def = {PyModuleDef_HEAD_INIT, .m_name = "_native",
                                        .m_doc = "Calls into the CUDA-X libraries.", .m_size = -1,
                                        .m_methods = methods};

PyMODINIT_FUNC PyInit__native(void) {
  if (entry_type == NULL) {
    entry_type = (PyTypeObject*)PyType_FromSpec(&entry_spec);
    if (entry_type == NULL || !make_entries()) return NULL;
  }
  return PyModule_Create(&module_def);
}
