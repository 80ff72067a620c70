# SPDX-License-Identifier: Apache-2.0
"""Runs a module of rdma-core's tests: suite.py TESTS MODULE RESULTS OPTION...

TESTS is the folder with the tests, the options are those of its run_tests.py. RESULTS gets a line for each test when it ends: pass,
skip or fail, its name, and for the others than pass a reason. Without a module, RESULTS gets the names of all modules.
"""
import os
import sys
import unittest
from importlib.machinery import SourceFileLoader


class Results(unittest.TestResult):
    def __init__(self, out):
        super().__init__()
        self.out = out

    def line(self, result, test, reason=''):
        name = test.id().removeprefix('tests.')
        self.out.write('\t'.join([result, name, ' '.join(str(reason).split())]).strip() + '\n')
        self.out.flush()

    def addSuccess(self, test):
        self.line('pass', test)

    def addSkip(self, test, reason):
        self.line('skip', test, reason)

    def addFailure(self, test, error):
        self.fail(test, error)

    def addError(self, test, error):
        self.fail(test, error)

    def addSubTest(self, test, part, error):
        if error:
            self.fail(test, error)

    def fail(self, test, error):
        print(self._exc_info_to_string(error, test), file=sys.stderr, flush=True)
        self.line('fail', test, error[0].__name__ + ': ' + str(error[1]))


def main():
    folder, module, results = sys.argv[1:4]
    sys.argv[1:] = sys.argv[4:]
    sys.path.insert(0, folder)
    from args_parser import parser
    parser.parse_args()
    tests = SourceFileLoader('tests', os.path.join(folder, '__init__.py')).load_module()
    with open(results, 'w') as out:
        if not module:
            for each in tests.__test_modules__:
                out.write(each.__name__.removeprefix('tests.') + '\n')
            return
        suite = unittest.defaultTestLoader.loadTestsFromName('tests.' + module)
        suite.run(Results(out))


main()
