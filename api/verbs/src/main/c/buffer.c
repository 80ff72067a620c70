/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers that the library allocates for the program, and regions by attributes: of rdma-core 59 and 64. */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "enter.h"
#include "export.h"
#include "memory.h"

/* The program has only a pointer to it. */
struct ibv_buf {
	struct ibv_pd *pd;
	char *addr;
	size_t size;
};

/* Which attributes count. */
enum {
	MASK_IOVA = 1 << 0,
	MASK_ADDRESS = 1 << 1,
	MASK_FILE = 1 << 2,
	MASK_FILE_OFFSET = 1 << 3,
	MASK_BUFFER = 1 << 5
};

struct ibv_mr_init_attr {
	size_t length;
	int access;
	uint64_t comp_mask;
	uint64_t iova;
	void *addr;
	int fd;
	uint64_t fd_offset;
	void *dma_handle;
	struct ibv_buf *buf;
};

void *ibv_alloc_buf(struct ibv_pd *pd, size_t size, struct ibv_buf **buf);
void ibv_free_buf(struct ibv_buf *buf);
struct ibv_mr *ibv_reg_buf_mr(struct ibv_pd *pd, struct ibv_buf *buf, void *address, size_t length, int access);
struct ibv_mr *ibv_reg_mr_ex(struct ibv_pd *pd, struct ibv_mr_init_attr *init);

EXPORT void *ibv_alloc_buf(struct ibv_pd *pd, size_t size, struct ibv_buf **buf)
{
	struct ibv_buf *made = malloc(sizeof(*made));
	void *memory = NULL;
	int error = made ? posix_memalign(&memory, sysconf(_SC_PAGESIZE), size) : ENOMEM;

	if (error) {
		free(made);
		return none(error);
	}
	*made = (struct ibv_buf){ pd, memory, size };
	*buf = made;
	return memory;
}

EXPORT void ibv_free_buf(struct ibv_buf *buf)
{
	free(buf->addr);
	free(buf);
}

static bool lies_within(const struct ibv_mr_init_attr *init, const struct ibv_buf *buf)
{
	size_t offset = (char *)init->addr - buf->addr;

	return (char *)init->addr >= buf->addr && offset <= buf->size && init->length <= buf->size - offset;
}

static int check(const struct ibv_pd *pd, const struct ibv_mr_init_attr *init)
{
	if (init->comp_mask & MASK_BUFFER && (pd != init->buf->pd || init->comp_mask & (MASK_FILE | MASK_FILE_OFFSET)))
		return EINVAL;
	if (init->comp_mask & ~(uint64_t)(MASK_IOVA | MASK_ADDRESS | MASK_BUFFER))
		return EOPNOTSUPP;
	if (!(init->comp_mask & MASK_ADDRESS))
		return EINVAL;
	return init->comp_mask & MASK_BUFFER && !lies_within(init, init->buf) ? EINVAL : 0;
}

EXPORT struct ibv_mr *ibv_reg_mr_ex(struct ibv_pd *pd, struct ibv_mr_init_attr *init)
{
	uint64_t iova = init->comp_mask & MASK_IOVA ? init->iova : (uintptr_t)init->addr;
	int error = check(pd, init);

	return error ? none(error) : memory_register(pd, init->addr, init->length, iova, init->access);
}

EXPORT struct ibv_mr *ibv_reg_buf_mr(struct ibv_pd *pd, struct ibv_buf *buf, void *address, size_t length, int access)
{
	struct ibv_mr_init_attr init = {
		.length = length, .access = access, .comp_mask = MASK_ADDRESS | MASK_BUFFER, .addr = address, .buf = buf };

	return ibv_reg_mr_ex(pd, &init);
}
