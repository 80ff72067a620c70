/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIGSEGV and SIGBUS. A fault belongs to one of three: to the routines of access.h, which go on behind it; to the JVM, which uses
 * faults of its own code; or to the program, which gets it as if there were no JVM: by its own handler, or by the end of the process.
 */
#ifndef HCA_VERBS_FAULTS_H
#define HCA_VERBS_FAULTS_H

/* Remembers the program's own handlers. Before the JVM is there. */
void faults_begin(void);

/* Installs our handler before that of the JVM, whose code lies in the folder. 0 or an errno. */
int faults_protect(const char *java);

#endif
