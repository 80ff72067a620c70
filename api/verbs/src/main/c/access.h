/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's memory, as the adapter reaches it. Hardware keeps the pages that were registered, whatever the program does. So rights
 * that the program takes away mean nothing here. A page that it unmaps is gone: it reads as zeros, and what is written to it is dropped.
 * faults.h handles the signals.
 */
#ifndef HCA_VERBS_ACCESS_H
#define HCA_VERBS_ACCESS_H
#include <stdbool.h>
#include <stdint.h>

/* Where to go on after a fault at an instruction of the routines below; 0 if it is none of them. */
uintptr_t access_recovery(uintptr_t pc);

/* How many bytes were there. */
int64_t access_load(int64_t address, void *destination, int64_t length);
int64_t access_store(int64_t address, void *source, int64_t length);

/* The value that was there. */
int64_t access_compare_and_swap8(int64_t address, int64_t expected, int64_t replacement);
int access_compare_and_swap4(int64_t address, int expected, int replacement);

int64_t access_load8(int64_t address);
int access_load4(int64_t address);
void access_store8(int64_t address, int64_t value);
void access_store4(int64_t address, int value);

/* Whether the program may read all of the range. */
int access_mapped(int64_t address, int64_t length);

/* Whether it may write there, too. */
int access_writable(int64_t address, int64_t length);

/* The same, and write if asked. */
bool access_allowed(uintptr_t address, uint64_t length, bool writable);

#endif
