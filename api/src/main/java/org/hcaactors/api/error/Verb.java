// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.error;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

// rule post-verb-errno
/**
 * The verbs that can fail, each with its possible errno values. Several methods may belong to one verb: {@link #CREATE_QP}
 * creates a queue pair of any transport.
 *
 * <p>More will follow: a switch over them wants a default.
 */
public enum Verb {
    /** {@code ibv_open_device}: {@link org.hcaactors.api.device.HostProcess#open}. */
    OPEN_DEVICE(With.CREATION, Errno.EACCES, Errno.ENOENT),

    /** {@code ibv_alloc_pd}. */
    ALLOC_PD(With.CREATION),

    /** {@code ibv_dealloc_pd}. */
    DEALLOC_PD(With.DESTRUCTION),

    /** {@code ibv_reg_mr}, and registration of null and shared regions. */
    REG_MR(With.CREATION, Errno.EFAULT, Errno.EPERM, Errno.EACCES, Errno.EOPNOTSUPP),

    /** {@code ibv_rereg_mr}: after any refusal but EBUSY the region is undefined (rule memory-reregister-fails). */
    REREG_MR(With.CHANGE, Errno.EBUSY, Errno.EFAULT, Errno.EPERM, Errno.EACCES, Errno.EOPNOTSUPP),

    /** {@code ibv_dereg_mr}. */
    DEREG_MR(With.DESTRUCTION),

    /** {@code ibv_advise_mr} and {@code ibv_exp_prefetch_mr}. */
    ADVISE_MR(With.CHANGE, Errno.EFAULT, Errno.EPERM, Errno.EOPNOTSUPP),

    /** {@code ibv_alloc_mw}. */
    ALLOC_MW(With.CREATION, Errno.EOPNOTSUPP),

    /** {@code ibv_dealloc_mw}. */
    DEALLOC_MW(With.DESTRUCTION),

    /** {@code ibv_bind_mw}: binds a window of type 1. {@link #POST_SEND} binds one of type 2. */
    BIND_MW(With.POSTING, Errno.EPERM, Errno.EOPNOTSUPP),

    /** {@code mlx5dv_create_mkey}. */
    CREATE_MKEY(With.CREATION, Errno.EOPNOTSUPP),

    /** {@code mlx5dv_destroy_mkey}. */
    DESTROY_MKEY(With.DESTRUCTION),

    /** {@code ibv_exp_alloc_mkey_list_memory}. */
    ALLOC_MKEY_LIST(With.POSTING, Errno.EOPNOTSUPP),

    /** {@code ibv_create_comp_channel}. */
    CREATE_COMP_CHANNEL(With.CREATION),

    /** {@code ibv_destroy_comp_channel}. */
    DESTROY_COMP_CHANNEL(With.DESTRUCTION),

    /** {@code ibv_get_cq_event}: {@link org.hcaactors.api.completion.CompletionChannel#next}; a subscription calls no verb. */
    GET_CQ_EVENT(With.WAIT),

    /** {@code ibv_get_async_event}: {@link org.hcaactors.api.device.DeviceContext#nextAsyncEvent}; a subscription calls no verb. */
    GET_ASYNC_EVENT(With.WAIT),

    /** {@code ibv_create_cq}, also for a queue that is created with its queue pair. */
    CREATE_CQ(With.CREATION, Errno.EOPNOTSUPP),

    /** {@code ibv_resize_cq}. */
    RESIZE_CQ(With.CHANGE, Errno.EAGAIN, Errno.EOPNOTSUPP),

    /** {@code ibv_modify_cq}. */
    MODIFY_CQ(With.CHANGE, Errno.EOPNOTSUPP),

    /** {@code ibv_destroy_cq}. A queue that is destroyed with its queue pair does not call it. */
    DESTROY_CQ(With.DESTRUCTION),

    /** {@code ibv_poll_cq}: {@link org.hcaactors.api.completion.CompletionQueue#poll}; subscriptions and readers call no verb. */
    POLL_CQ(With.POLL),

    /** {@code ibv_req_notify_cq}. */
    REQ_NOTIFY_CQ(With.CHANGE),

    /** {@code ibv_create_srq}, and {@code ibv_create_srq_ex} for XRC and tag matching. */
    CREATE_SRQ(With.CREATION, Errno.EOPNOTSUPP),

    /** {@code ibv_modify_srq}: changes the size or the limit. */
    MODIFY_SRQ(With.CHANGE),

    /** {@code ibv_query_srq}. */
    QUERY_SRQ(With.CHANGE),

    /** {@code ibv_destroy_srq}. */
    DESTROY_SRQ(With.DESTRUCTION),

    /** {@code ibv_post_srq_recv}. */
    POST_SRQ_RECV(With.POSTING),

    /** {@code ibv_post_srq_ops}: an operation on a tag list. */
    POST_SRQ_OPS(With.POSTING),

    /** {@code ibv_create_qp}, for any transport, including XRC and DC targets. */
    CREATE_QP(With.CREATION, Errno.EOPNOTSUPP, Errno.EPERM),

    /** {@code ibv_open_qp}: opens an XRC target. */
    OPEN_QP(With.CREATION),

    /** {@code ibv_modify_qp}. Bringing a queue pair up calls it several times. */
    MODIFY_QP(With.CHANGE),

    /** {@code ibv_query_qp}, and {@code ibv_exp_query_dct}. */
    QUERY_QP(With.CHANGE),

    /** {@code ibv_destroy_qp}. */
    DESTROY_QP(With.DESTRUCTION),

    /** {@code ibv_post_send}. */
    POST_SEND(With.POSTING, Errno.EPERM, Errno.EOPNOTSUPP),

    /** {@code ibv_post_recv}. */
    POST_RECV(With.POSTING),

    /** {@code ibv_attach_mcast}. */
    ATTACH_MCAST(With.CHANGE),

    /** {@code ibv_detach_mcast}. */
    DETACH_MCAST(With.CHANGE),

    /** {@code ibv_exp_arm_dct}. */
    ARM_DCT(With.CHANGE),

    /** {@code mlx5dv_dci_stream_id_reset}. */
    DCI_STREAM_ID_RESET(With.CHANGE),

    /** {@code ibv_create_ah}. */
    CREATE_AH(With.CHANGE),

    /** {@code ibv_destroy_ah}. */
    DESTROY_AH(With.DESTRUCTION),

    /** {@code ibv_open_xrcd}. */
    OPEN_XRCD(With.CREATION, Errno.EOPNOTSUPP),

    /** {@code ibv_close_xrcd}. */
    CLOSE_XRCD(With.DESTRUCTION);

    /** Errno values that verbs of one kind share. */
    private enum With {
        /** Creates an object: no memory or resource is left, the adapter is in error, or the description is invalid. */
        CREATION(Errno.ENOMEM, Errno.EAGAIN, Errno.EIO, Errno.EINVAL),

        /** Changes or queries an existing object. */
        CHANGE(Errno.ENOMEM, Errno.EIO, Errno.EINVAL),

        /** Destroys an object; if refused, the object remains. */
        DESTRUCTION(Errno.EBUSY, Errno.EIO, Errno.EINVAL),

        /** Runs in the library alone: ENOMEM if there is no space for the request. */
        POSTING(Errno.ENOMEM, Errno.EINVAL),

        WAIT(Errno.EAGAIN, Errno.EBUSY, Errno.EIO, Errno.EINVAL),

        POLL(Errno.EBUSY, Errno.EIO, Errno.EINVAL);

        private final Set<Errno> errnos = EnumSet.noneOf(Errno.class);

        With(Errno... errnos) {
            Collections.addAll(this.errnos, errnos);
        }
    }

    private final Set<Errno> errnos;

    Verb(With kind, Errno... more) {
        Set<Errno> all = EnumSet.copyOf(kind.errnos);
        Collections.addAll(all, more);
        errnos = Collections.unmodifiableSet(all);
    }

    /** Returns the errno values it can fail with. */
    public Set<Errno> errnos() {
        return errnos;
    }

    /** Returns the libibverbs name without {@code ibv_}: {@code create_cq}. */
    public String cName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
