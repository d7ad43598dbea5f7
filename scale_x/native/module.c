// scale_x.bindings._native: its functions, the libraries behind them, and errors. The callers and the table are
// emitted.
#include "bindings.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static PyTypeObject* entry_type;
static sx_entry** entries;  // one per sx_defs row, made at import, never freed
static void* handles[64];   // dlopen's answer per library
static PyObject* support;   // scale_x.bindings._support: the decisions that are better made in Python

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
