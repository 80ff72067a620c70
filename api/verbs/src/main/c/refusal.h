/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that the C side refuses itself, before Java: for the recorded run and for --explain Java is told why, as by any call, so not
 * after the end of the program and not in a forked child. Otherwise nothing is done.
 */
#ifndef HCA_VERBS_REFUSAL_H
#define HCA_VERBS_REFUSAL_H

#define NO_OBJECT "it is destroyed, or was never created by this library: a copy, or another pointer"

/* Before the JVM is there. */
void refusals_begin(void);

/* The error, of a function of the ABI. errno stays as it is. */
int refuse(const char *function, int error, const char *reason);

/* The same of the function that a call of the contract serves. */
int refuse_call(int number, int error, const char *reason);

#endif
