/* SPDX-License-Identifier: Apache-2.0 */
/* Opened devices, and their asynchronous events. */
#include "context.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "completion.h"
#include "device.h"
#include "device_memory.h"
#include "enter.h"
#include "export.h"
#include "memory.h"
#include "port.h"
#include "post.h"
#include "queue_pair.h"
#include "refusal.h"
#include "shared_receive.h"
#include "tag.h"
#include "thread_domain.h"
#include "window.h"
#include "xrc.h"

static int query_clock(struct ibv_context *context, struct ibv_values_ex *values)
{
	int64_t words[QUERY_CLOCK_WORDS] = { [QUERY_CLOCK_CONTEXT] = handle_of(KIND_CONTEXT, context) };
	int error;

	if (values->comp_mask != IBV_VALUES_MASK_RAW_CLOCK)
		return EOPNOTSUPP;
	error = refused(QUERY_CLOCK_CALL, words);
	if (error)
		return error;
	values->raw_clock.tv_sec = 0;
	values->raw_clock.tv_nsec = words[QUERY_CLOCK_TICKS];
	return 0;
}

/* What is not here is what the model does not have: the inline functions of the header refuse it. */
static void set_operations(struct verbs_context *verbs)
{
	verbs->query_port = port_query;
	verbs->query_device_ex = device_query_ex;
	verbs->query_rt_values = query_clock;
	verbs->advise_mr = memory_advise;
	verbs->alloc_null_mr = memory_alloc_null;
	verbs->alloc_dm = device_memory_alloc;
	verbs->free_dm = device_memory_free;
	verbs->reg_dm_mr = device_memory_register;
	verbs->create_cq_ex = completion_create_ex;
	verbs->modify_cq = completion_modify;
	verbs->create_srq_ex = srq_create_ex;
	verbs->get_srq_num = srq_number;
	verbs->post_srq_ops = tag_post;
	verbs->create_qp_ex = qp_create_ex;
	verbs->open_qp = qp_open;
	verbs->alloc_td = thread_domain_alloc;
	verbs->dealloc_td = thread_domain_dealloc;
	verbs->alloc_parent_domain = parent_domain_alloc;
	verbs->open_xrcd = xrc_open;
	verbs->close_xrcd = xrc_close;
	verbs->context.ops._compat_query_device = device_query;
	verbs->context.ops.alloc_mw = window_alloc;
	verbs->context.ops.dealloc_mw = window_dealloc;
	verbs->context.ops.bind_mw = window_bind;
	verbs->context.ops.poll_cq = completion_poll;
	verbs->context.ops.req_notify_cq = completion_arm;
	verbs->context.ops.post_send = post_send;
	verbs->context.ops.post_recv = post_receive;
	verbs->context.ops.post_srq_recv = post_shared_receive;
}

static int open_in_java(struct ibv_context *context, int64_t device)
{
	int64_t words[OPEN_DEVICE_WORDS] = {
		[OPEN_DEVICE_DEVICE] = device,
		[OPEN_DEVICE_COOKIE] = cookie_of(KIND_CONTEXT, context),
	};
	int error = enter_call(OPEN_DEVICE_CALL, words);

	if (error)
		return error;
	object_of(KIND_CONTEXT, context)->handle = words[OPEN_DEVICE_CONTEXT];
	context->num_comp_vectors = words[OPEN_DEVICE_COMPLETION_VECTORS];
	return 0;
}

EXPORT struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	struct ibv_context *context;
	struct hca_context *hca;
	int64_t index;
	int error;

	if (!device_known(device, &index))
		return none(ENODEV);
	context = object_new(KIND_CONTEXT, NULL);
	if (!context)
		return NULL;
	hca = context_of(context);
	hca->device = index;
	hca->verbs.sz = sizeof(hca->verbs);
	set_operations(&hca->verbs);
	context->device = device;
	context->abi_compat = __VERBS_ABI_IS_EXTENDED;
	pthread_mutex_init(&context->mutex, NULL);
	/* Programs look whether there is a descriptor for commands; it leads nowhere. */
	context->cmd_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	error = events_open(&hca->events) ? errno : 0;
	context->async_fd = hca->events.fd;
	if (!error)
		error = open_in_java(context, index);
	if (!error)
		return context;
	close(context->cmd_fd);
	events_close(&hca->events);
	object_gone(KIND_CONTEXT, context);
	return none(error);
}

EXPORT int ibv_close_device(struct ibv_context *context)
{
	int64_t words[CLOSE_DEVICE_WORDS];
	int error;

	if (!object_close(KIND_CONTEXT, context)) {
		errno = refuse("ibv_close_device", EINVAL, NO_OBJECT);
		return -1;
	}
	words[CLOSE_DEVICE_CONTEXT] = object_of(KIND_CONTEXT, context)->handle;
	error = java_ended() ? 0 : refused(CLOSE_DEVICE_CALL, words);
	objects_gone_with(context);
	close(context->cmd_fd);
	events_close(&context_of(context)->events);
	object_gone(KIND_CONTEXT, context);
	return error ? -1 : 0;
}

static bool is_of_port(int type)
{
	switch (type) {
	case IBV_EVENT_PORT_ACTIVE:
	case IBV_EVENT_PORT_ERR:
	case IBV_EVENT_LID_CHANGE:
	case IBV_EVENT_PKEY_CHANGE:
	case IBV_EVENT_SM_CHANGE:
	case IBV_EVENT_CLIENT_REREGISTER:
	case IBV_EVENT_GID_CHANGE:
		return true;
	default:
		return false;
	}
}

static bool is_of_device(int type)
{
	return type == IBV_EVENT_DEVICE_FATAL || is_of_port(type);
}

static enum kind kind_of_event(int type)
{
	switch (type) {
	case IBV_EVENT_CQ_ERR:
		return KIND_CQ;
	case IBV_EVENT_SRQ_ERR:
	case IBV_EVENT_SRQ_LIMIT_REACHED:
		return KIND_SRQ;
	default:
		return KIND_QP;
	}
}

void async_event(int64_t context_cookie, int type, int64_t element)
{
	enum kind kind;
	struct ibv_context *context = object_by_cookie(context_cookie, &kind);
	void *what = (void *)(uintptr_t)element;

	if (!context || kind != KIND_CONTEXT)
		return;
	if (!is_of_device(type)) {
		what = object_by_cookie(element, &kind);
		if (!what || kind != kind_of_event(type))
			return;
	}
	events_put(&context_of(context)->events, what, type);
}

static void count_fetched(void *what, int type)
{
	if (!is_of_device(type))
		object_of(kind_of_event(type), what)->fetched++;
}

EXPORT int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
	void *what;
	int type;

	if (!object_known(KIND_CONTEXT, context)) {
		errno = refuse("ibv_get_async_event", EINVAL, NO_OBJECT);
		return -1;
	}
	if (events_get(&context_of(context)->events, &what, &type, count_fetched))
		return -1;
	memset(event, 0, sizeof(*event));
	event->event_type = type;
	if (is_of_device(type))
		event->element.port_num = (uintptr_t)what;
	else
		event->element.qp = what;
	return 0;
}

/* Where the ABI counts the acknowledged events of an object. */
static uint32_t *acknowledged(enum kind kind, void *object, pthread_mutex_t **mutex, pthread_cond_t **condition)
{
	struct ibv_cq *cq = object;
	struct ibv_srq *srq = object;
	struct ibv_qp *qp = object;

	switch (kind) {
	case KIND_CQ:
		*mutex = &cq->mutex;
		*condition = &cq->cond;
		return &cq->async_events_completed;
	case KIND_SRQ:
		*mutex = &srq->mutex;
		*condition = &srq->cond;
		return &srq->events_completed;
	default:
		*mutex = &qp->mutex;
		*condition = &qp->cond;
		return &qp->events_completed;
	}
}

EXPORT void ibv_ack_async_event(struct ibv_async_event *event)
{
	enum kind kind = kind_of_event(event->event_type);
	pthread_cond_t *condition;
	pthread_mutex_t *mutex;
	uint32_t *count;

	if (is_of_device(event->event_type))
		return;
	count = acknowledged(kind, event->element.qp, &mutex, &condition);
	pthread_mutex_lock(mutex);
	++*count;
	pthread_cond_broadcast(condition);
	pthread_mutex_unlock(mutex);
}

void async_events_end(enum kind kind, void *object)
{
	struct object *head = object_of(kind, object);
	pthread_cond_t *condition;
	pthread_mutex_t *mutex;
	uint32_t *count = acknowledged(kind, object, &mutex, &condition);

	events_drop(&context_of(head->context)->events, object);
	pthread_mutex_lock(mutex);
	while (*count != head->fetched)
		pthread_cond_wait(condition, mutex);
	pthread_mutex_unlock(mutex);
}
