/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JVM inside the process: one, started when the program first asks for devices, and never a second one.
 *
 * What the C side reads of the environment (the Java side reads more, see its package):
 *   HCA_VERBS_JAVA_HOME    folder of a JDK 25; else the file `java-home` beside the library's folder names it, else JAVA_HOME does
 *   HCA_VERBS_CLASSPATH    the class path; else all of `jars` beside the library's folder, in the order of their names
 *   HCA_VERBS_JVM_OPTIONS  more options, with spaces between
 *   HCA_VERBS_NO_AOT       any value: start without the cache `hca-*.aot` beside the library's folder
 */
#ifndef HCA_VERBS_JVM_H
#define HCA_VERBS_JVM_H
#include <stdbool.h>

#include "calls.h"

enum jvm_state { JVM_NONE, JVM_RUNS, JVM_FAILED, JVM_FORKED, JVM_ENDED };

extern int jvm_state;                   /* enum jvm_state; written once per change, read without a lock */
/* The signal that the JVM has for itself: one of real time, that few programs use. */
#define JVM_SIGNAL 62

extern struct upcalls upcalls;

/*
 * The process is ending, and nothing enters Java any more. Handlers of its end, and destructors, still close what they opened: that
 * succeeds without Java.
 */
static inline bool java_ended(void)
{
	return __atomic_load_n(&jvm_state, __ATOMIC_ACQUIRE) == JVM_ENDED;
}

/* 0, or an errno after a message. */
int jvm_start(void);

/* A line for people, on standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
