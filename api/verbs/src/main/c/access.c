/* SPDX-License-Identifier: Apache-2.0 */
#include "access.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#ifndef __x86_64__
#error "the routines that survive unmapped pages are written for x86-64"
#endif

/*
 * The only instructions that touch the program's memory. They use no stack, so a fault in one is answered by going on at its recovery,
 * with the registers as they are: a copy's %rcx counts the bytes that are still to be copied.
 */
__asm__(".pushsection .text\n"
	".p2align 4\n"

	/* Short ones by words: a string instruction takes its time to begin. A word may lie across the end of a page. */
	"guarded_copy:\n"
	"	mov %rdx, %rcx\n"
	"	cmp $128, %rcx\n"
	"	ja guarded_many\n"
	"	jmp 1f\n"
	"guarded_words:\n"
	"	mov (%rsi), %rax\n"
	"	mov %rax, (%rdi)\n"
	"	add $8, %rsi\n"
	"	add $8, %rdi\n"
	"	sub $8, %rcx\n"
	"1:	cmp $8, %rcx\n"
	"	jae guarded_words\n"
	"guarded_bytes:\n"
	"	test %rcx, %rcx\n"
	"	jz guarded_copy_to\n"
	"	mov (%rsi), %al\n"
	"	mov %al, (%rdi)\n"
	"	inc %rsi\n"
	"	inc %rdi\n"
	"	dec %rcx\n"
	"	jmp guarded_bytes\n"
	"guarded_many:\n"
	"	rep movsb\n"
	"guarded_copy_to:\n"
	"	mov %rcx, %rax\n"
	"	ret\n"

	"guarded_load8:\n"
	"	mov (%rdi), %rax\n"
	"	jmp guarded_word_there\n"
	"guarded_load4:\n"
	"	mov (%rdi), %eax\n"
	"	jmp guarded_word_there\n"
	"guarded_store8:\n"
	"	xchg %rsi, (%rdi)\n"
	"	jmp guarded_word_there\n"
	"guarded_store4:\n"
	"	xchg %esi, (%rdi)\n"
	"	jmp guarded_word_there\n"
	"guarded_swap8:\n"
	"	mov %rsi, %rax\n"
	"	lock cmpxchg %rdx, (%rdi)\n"
	"	jmp guarded_word_there\n"
	"guarded_swap4:\n"
	"	mov %esi, %eax\n"
	"	lock cmpxchg %edx, (%rdi)\n"
	"guarded_word_there:\n"
	"	mov $1, %edx\n"
	"	ret\n"
	"guarded_word_to:\n"
	"	xor %eax, %eax\n"
	"	xor %edx, %edx\n"
	"	ret\n"
	".popsection\n");

/* Returns how many bytes were not copied, 0 of all that went well. */
size_t guarded_copy(void *to, const void *from, size_t length);

/* A word of the program's memory, in two registers: what was there, and whether it could be reached. */
struct word {
	int64_t value;
	int64_t reached;
};

struct word guarded_load8(int64_t address);
struct word guarded_load4(int64_t address);
struct word guarded_store8(int64_t address, int64_t value);
struct word guarded_store4(int64_t address, int value);
struct word guarded_swap8(int64_t address, int64_t expected, int64_t replacement);
struct word guarded_swap4(int64_t address, int expected, int replacement);

/* Labels. */
extern const char guarded_words[], guarded_bytes[], guarded_copy_to[], guarded_word_to[];

uintptr_t access_recovery(uintptr_t pc)
{
	if (pc >= (uintptr_t)guarded_words && pc < (uintptr_t)guarded_bytes)
		return (uintptr_t)guarded_bytes;
	if (pc >= (uintptr_t)guarded_bytes && pc < (uintptr_t)guarded_copy_to)
		return (uintptr_t)guarded_copy_to;
	if (pc >= (uintptr_t)guarded_load8 && pc < (uintptr_t)guarded_word_to)
		return (uintptr_t)guarded_word_to;
	return 0;
}

static size_t to_page_end(uintptr_t address)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return page - address % page;
}

/*
 * An adapter writes to pinned pages, whatever the program's rights are now: so does this file of the kernel's, for pages that are
 * there. It opens when a fault first asks for it.
 */
static int pinned(void)
{
	static int file = -1;
	int known = __atomic_load_n(&file, __ATOMIC_ACQUIRE);
	int none = -1;
	int opened;

	if (known >= 0)
		return known;
	opened = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	if (opened < 0 || __atomic_compare_exchange_n(&file, &none, opened, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return opened;
	close(opened);
	return none;
}

static bool pinned_load(uintptr_t address, void *to, size_t length)
{
	return pread(pinned(), to, length, address) == (ssize_t)length;
}

static bool pinned_store(uintptr_t address, const void *from, size_t length)
{
	return pwrite(pinned(), from, length, address) == (ssize_t)length;
}

/* A page that guarded_copy could not reach: false if it is gone, so that zeros are loaded. */
static bool pinned_copy(char *to, const char *from, size_t length, bool loads)
{
	if (!loads)
		return pinned_store((uintptr_t)to, from, length);
	if (pinned_load((uintptr_t)from, to, length))
		return true;
	memset(to, 0, length);
	return false;
}

/*
 * Copies page by page past those that are gone: on the side of the program's memory, which a fault comes from. Returns how many bytes
 * were copied.
 */
static int64_t copy(char *to, const char *from, size_t length, bool loads)
{
	size_t left = length;
	size_t lost = 0;

	while (left) {
		size_t missing = guarded_copy(to, from, left);
		size_t gap;

		to += left - missing;
		from += left - missing;
		left = missing;
		if (!left)
			break;
		gap = to_page_end(loads ? (uintptr_t)from : (uintptr_t)to);
		if (gap > left)
			gap = left;
		if (!pinned_copy(to, from, gap, loads))
			lost += gap;
		to += gap;
		from += gap;
		left -= gap;
	}
	return length - lost;
}

int64_t access_load(int64_t address, void *destination, int64_t length)
{
	return copy(destination, (const char *)address, length, true);
}

int64_t access_store(int64_t address, void *source, int64_t length)
{
	return copy((char *)address, source, length, false);
}

int64_t access_load8(int64_t address)
{
	struct word word = guarded_load8(address);

	if (!word.reached && !pinned_load(address, &word.value, sizeof(int64_t)))
		return 0;
	return word.value;
}

int access_load4(int64_t address)
{
	struct word word = guarded_load4(address);

	if (!word.reached && !pinned_load(address, &word.value, sizeof(int)))
		return 0;
	return (int)word.value;
}

void access_store8(int64_t address, int64_t value)
{
	if (!guarded_store8(address, value).reached)
		pinned_store(address, &value, sizeof(value));
}

void access_store4(int64_t address, int value)
{
	if (!guarded_store4(address, value).reached)
		pinned_store(address, &value, sizeof(value));
}

/* The program cannot write to a page that is reached this way, so nothing comes between the load and the store. */
int64_t access_compare_and_swap8(int64_t address, int64_t expected, int64_t replacement)
{
	struct word word = guarded_swap8(address, expected, replacement);

	if (word.reached)
		return word.value;
	word.value = access_load8(address);
	if (word.value == expected)
		access_store8(address, replacement);
	return word.value;
}

int access_compare_and_swap4(int64_t address, int expected, int replacement)
{
	struct word word = guarded_swap4(address, expected, replacement);
	int found;

	if (word.reached)
		return (int)word.value;
	found = access_load4(address);
	if (found == expected)
		access_store4(address, replacement);
	return found;
}
