"""Conformance: the same cases, through the real C ABI, on whatever CUDA-X libraries are loaded.

``scale-x-conform run`` takes its cases from the rows pages (sweeps, steps, oracles), runs them in worker processes that
each hold one set of libraries, and compares statuses, messages, values and untouched memory.
"""
