/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of libraries newer than the headers, by the versions that programs of newer distributions ask for. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "loopback.h"

enum { BYTES = 4096, ADDRESS = 1 << 1, FILE_DESCRIPTOR = 1 << 2 };

struct region_attr {
	size_t length;
	int access;
	uint64_t comp_mask;
	uint64_t iova;
	void *addr;
	int fd;
	uint64_t fd_offset;
	void *dmah;
	void *buf;
};

static char memory[BYTES];

static void *function(void *library, const char *name, const char *version)
{
	void *found = dlvsym(library, name, version);

	if (!found)
		printf("%s\n", dlerror());
	return found;
}

static void answered(void *verbs, struct ibv_context *context, const struct loopback *all)
{
	struct ibv_mr *(*reg_mr_ex)(struct ibv_pd *, struct region_attr *) = function(verbs, "ibv_reg_mr_ex", "IBVERBS_1.15");
	int (*speed)(struct ibv_context *, uint32_t, uint64_t *) = function(verbs, "ibv_query_port_speed", "IBVERBS_1.16");
	const char *(*name)(unsigned int) = function(verbs, "ibv_wr_opcode_str", "IBVERBS_PRIVATE_34");
	int (*gid_type)(struct ibv_context *, uint8_t, unsigned int, unsigned int *) =
		function(verbs, "ibv_query_gid_type", "IBVERBS_PRIVATE_64");
	struct region_attr attr = {.length = BYTES, .access = RIGHTS, .comp_mask = ADDRESS, .addr = memory};
	struct ibv_mr *region = reg_mr_ex(all->pd, &attr);
	uint64_t units = 0;
	unsigned int type = 0;

	EXPECT(region && region->addr == memory && region->length == BYTES);
	EXPECT(!post(all->qp[0], IBV_WR_RDMA_WRITE, element(memory, 8, region), (uintptr_t)memory, region->rkey));
	EXPECT(completion(all->cq).status == IBV_WC_SUCCESS);
	EXPECT(!ibv_dereg_mr(region));
	attr.comp_mask = ADDRESS | FILE_DESCRIPTOR;
	EXPECT(!reg_mr_ex(all->pd, &attr) && errno == EOPNOTSUPP);
	attr.comp_mask = 0;
	EXPECT(!reg_mr_ex(all->pd, &attr) && errno == EINVAL);
	/* 4 lanes of 50 Gbit/s */
	EXPECT(!speed(context, 1, &units) && units == 2000 && speed(context, 2, &units) == EINVAL);
	EXPECT(!strcmp(name(IBV_WR_SEND_WITH_INV), "send-with-inv") && !strcmp(name(99), "unknown"));
	EXPECT(!gid_type(context, 1, 0, &type) && type == 1);
}

static void buffers(void *verbs, const struct loopback *all)
{
	void *(*alloc_buf)(struct ibv_pd *, size_t, void **) = function(verbs, "ibv_alloc_buf", "IBVERBS_1.17");
	struct ibv_mr *(*reg_buf)(struct ibv_pd *, void *, void *, size_t, int) = function(verbs, "ibv_reg_buf_mr", "IBVERBS_1.17");
	void (*free_buf)(void *) = function(verbs, "ibv_free_buf", "IBVERBS_1.17");
	void *buf;
	char *allocated = alloc_buf(all->pd, BYTES, &buf);
	struct ibv_mr *region = reg_buf(all->pd, buf, allocated + 64, BYTES - 64, RIGHTS);

	EXPECT(allocated && (uintptr_t)allocated % BYTES == 0);
	EXPECT(region && region->addr == allocated + 64 && region->length == BYTES - 64);
	EXPECT(!reg_buf(all->pd, buf, allocated + 64, BYTES, RIGHTS) && errno == EINVAL);
	EXPECT(!reg_buf(all->pd, buf, allocated - 64, 64, RIGHTS) && errno == EINVAL);
	EXPECT(!ibv_dereg_mr(region));
	free_buf(buf);
}

static void refused(void *verbs, void *mlx5, struct ibv_context *context)
{
	void *(*alloc_dmah)(struct ibv_context *, void *) = function(verbs, "ibv_alloc_dmah", "IBVERBS_1.15");
	int (*export_fd)(void *) = function(verbs, "ibv_dm_export_dmabuf_fd", "IBVERBS_1.16");
	int (*dealloc)(void *) = function(verbs, "ibv_dealloc_dmah", "IBVERBS_1.15");
	int (*driver)(void *) = function(verbs, "ibv_cmd_alloc_pd", "IBVERBS_PRIVATE_57");
	ssize_t (*event)(void *, void *, size_t) = function(mlx5, "mlx5dv_devx_get_event", "MLX5_1.11");
	int (*path)(struct ibv_context *, char *, size_t) = function(mlx5, "mlx5dv_get_data_direct_sysfs_path", "MLX5_1.25");
	void (*sizes)(void *, size_t) = function(mlx5, "_mlx5dv_get_export_sizes", "MLX5_1.27");
	uint32_t three[3] = {1, 2, 3};

	errno = 0;
	EXPECT(!alloc_dmah(context, NULL) && errno == EOPNOTSUPP);
	errno = 0;
	EXPECT(export_fd(NULL) == -1 && errno == EOPNOTSUPP);
	errno = 0;
	EXPECT(event(NULL, memory, BYTES) == -1 && errno == EOPNOTSUPP);
	EXPECT(dealloc(NULL) == EOPNOTSUPP && driver(NULL) == EOPNOTSUPP);
	EXPECT(path(context, memory, BYTES) == ENODEV);
	sizes(three, sizeof(three));
	EXPECT(!three[0] && !three[1] && !three[2]);
}

int main(void)
{
	void *verbs = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_NOLOAD), *mlx5 = dlopen("libmlx5.so.1", RTLD_NOW);
	struct ibv_context *context = open_device();
	struct loopback all = loopback_in(context);

	EXPECT(verbs && mlx5);
	answered(verbs, context, &all);
	buffers(verbs, &all);
	refused(verbs, mlx5, context);
	close_loopback(&all);
	EXPECT(!ibv_close_device(context));
	printf("newer\n");
	return 0;
}
