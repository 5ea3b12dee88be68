#!/usr/bin/env python3
"""Line tables of the Python that runs this, and the lines that Python itself reads out of them.

For test_python_lines.c. Each line of output is one code object:

    VERSION FIRST_LINE CODE_SIZE TABLE POSITION:LINE...

VERSION is major << 8 | minor in hexadecimal, TABLE the bytes of co_lnotab or co_linetable in
hexadecimal (- if empty). LINE (0: none) holds from POSITION to the next POSITION named.

usage: python_lines.py [--library]: the code objects of a sample, or of the standard library

tests/unit/view/python_lines.txt has the samples of several Pythons: run this with each to write it anew.
"""
import ctypes
import glob
import os
import sys

SAMPLE = '''
"""Lines that go back, long steps, no lines at all."""
import os


class Thing:
    x = [
        i
        for i in range(3)
        if i
    ]

    async def method(self, a=1, *, b=2):
        async with self as c:
            await c
        return [j async for j in a], lambda: (
            b
        )


def generator(n):
    try:
        for i in range(n):
            yield i if i else (
                n
            )
    except (ValueError, KeyError) as error:
        raise RuntimeError(
            "x",
            error,
        ) from error
    finally:
        n += (
            1
        )
        while n:
            n -= 1


def calls(f):
    return f(
        f(1),
        f(
            2,
            f(3)
        ),
    ) + f(4)


def far(f):
''' + '\n' * 300 + '    f(1)\n' + '    x = 1; ' * 1 + 'y = 2\n' + '\n' * 3000 + '''    return f(
        x,
''' + '\n' * 130 + '''        y)


def long_lines(a):
''' + ''.join('    a = %s\n' % ' + '.join(['a[a][a]'] * (i * 7)) for i in range(1, 5)) + '''

def long_constant(a):
    return [''' + ', '.join('a.x%d' % i for i in range(60)) + ''',
        a]
'''


def read_line(code, position):
    addr2line = ctypes.pythonapi.PyCode_Addr2Line
    addr2line.argtypes = [ctypes.py_object, ctypes.c_int]
    return max(addr2line(code, position), 0)


def line_table(code):
    return code.co_lnotab if sys.version_info < (3, 10) else code.co_linetable


def print_code(code):
    runs = []
    last = None
    for position in range(0, len(code.co_code), 2):
        line = read_line(code, position)
        if line != last:
            runs.append('%d:%d' % (position, line))
        last = line
    print('%x%02x' % sys.version_info[:2], code.co_firstlineno, len(code.co_code),
          line_table(code).hex() or '-', *runs)
    for constant in code.co_consts:
        if isinstance(constant, type(code)):
            print_code(constant)


def main(arguments):
    if not arguments:
        print_code(compile(SAMPLE, 'sample.py', 'exec'))
        return
    for path in glob.glob(os.path.join(os.path.dirname(os.__file__), '*.py')):
        with open(path, 'rb') as file:
            print_code(compile(file.read(), path, 'exec'))


main(sys.argv[1:])
