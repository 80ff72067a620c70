// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.QueuePairEndpoint;
import org.hcaactors.api.queue.ScatterToCqe;
import org.hcaactors.api.queue.UdQueuePair;

/** Calls for queue pairs of all transports. Any thread; waits. */
final class QueuePairCalls {
    private final Session session;

    QueuePairCalls(Session session) {
        this.session = session;
    }

    void create(Block words) {
        int type = words.number(Calls.CreateQp.TYPE);
        switch (type) {
            case Calls.QpType.RC -> create(words, QpDescription.rc());
            case Calls.QpType.UC -> create(words, QpDescription.uc());
            case Calls.QpType.UD -> create(words, QpDescription.ud());
            case Calls.QpType.XRC_SEND -> create(words, QpDescription.xrc());
            case Calls.QpType.XRC_RECV -> createXrcTarget(words);
            case Calls.QpType.DRIVER -> createDc(words);
            default ->
                throw new VerbsException(
                        Errno.EOPNOTSUPP,
                        "the type of the queue pair is " + type + "; RC, UC, UD, XRC and DC are allowed");
        }
    }

    private void createXrcTarget(Block words) {
        AddressCalls.Xrc xrc = session.get(words, Calls.CreateQp.XRCD, AddressCalls.Xrc.class);
        created(words, xrc.device(), session.await(xrc.domain().createTarget()));
    }

    private void createDc(Block words) {
        int kind = words.number(Calls.CreateQp.DC);
        switch (kind) {
            case Calls.DcKind.TARGET -> createDcTarget(words);
            case Calls.DcKind.INITIATOR -> create(words, initiator(words));
            default -> throw new VerbsException(Errno.EOPNOTSUPP, "the queue pair of the driver is of no DC kind");
        }
    }

    private void createDcTarget(Block words) {
        MemoryCalls.Domain domain = session.get(words, Calls.CreateQp.PD, MemoryCalls.Domain.class);
        DcTargetDescription wanted = DcTargetDescription.of(
                session.get(words, Calls.CreateQp.RECV_CQ, VerbsQueue.class).queue(),
                session.get(words, Calls.CreateQp.SRQ, SharedReceiveCalls.Shared.class)
                        .queue(),
                DcAccessKey.of(words.word(Calls.CreateQp.DC_KEY)));
        created(words, domain.device(), session.await(domain.domain().createDcTarget(wanted)));
    }

    private static QpDescription<DcInitiator> initiator(Block words) {
        return words.isSet(Calls.CreateQp.DC_HAS_STREAMS)
                ? QpDescription.dc()
                        .withStreams(new DcStreams(
                                words.number(Calls.CreateQp.DC_LOG_STREAMS),
                                words.number(Calls.CreateQp.DC_LOG_ERRORED)))
                : QpDescription.dc();
    }

    private <Q extends QueuePair> void create(Block words, QpDescription<Q> kind) {
        MemoryCalls.Domain domain = session.get(words, Calls.CreateQp.PD, MemoryCalls.Domain.class);
        QpDescription<Q> wanted = withQueues(words, withOptions(words, kind));
        Q pair = session.await(domain.domain().createQp(wanted));
        created(words, domain.device(), pair);
        QpCapacity size = pair.capacity();
        words.put(Calls.CreateQp.MAX_SEND_WR, size.maxSendWr());
        words.put(Calls.CreateQp.MAX_RECV_WR, size.maxRecvWr());
        words.put(Calls.CreateQp.MAX_SEND_SGE, size.maxSendSge());
        words.put(Calls.CreateQp.MAX_RECV_SGE, size.maxRecvSge());
        words.put(Calls.CreateQp.MAX_INLINE, size.maxInlineBytes());
    }

    private <Q extends QueuePair> QpDescription<Q> withQueues(Block words, QpDescription<Q> kind) {
        boolean receives = !words.isSet(Calls.CreateQp.SRQ) && hasReceives(kind);
        QpDescription<Q> wanted = kind.withCapacity(QpCapacity.DEFAULT
                .withMaxSendWr(words.number(Calls.CreateQp.MAX_SEND_WR))
                .withMaxRecvWr(receives ? words.number(Calls.CreateQp.MAX_RECV_WR) : 0)
                .withMaxSendSge(words.number(Calls.CreateQp.MAX_SEND_SGE))
                .withMaxRecvSge(receives ? words.number(Calls.CreateQp.MAX_RECV_SGE) : 0)
                .withMaxInlineBytes(words.number(Calls.CreateQp.MAX_INLINE)));
        if (!words.isSet(Calls.CreateQp.SEND_CQ)) {
            throw VerbsException.invalid("send_cq is NULL");
        }
        CompletionQueue sends =
                session.get(words, Calls.CreateQp.SEND_CQ, VerbsQueue.class).queue();
        wanted = wanted.withSendCq(sends);
        if (hasReceives(kind)) {
            // As the kernel does it: both queues report to the one that there is.
            wanted = wanted.withRecvCq(
                    words.isSet(Calls.CreateQp.RECV_CQ)
                            ? session.get(words, Calls.CreateQp.RECV_CQ, VerbsQueue.class)
                                    .queue()
                            : sends);
        }
        if (hasReceives(kind) && words.isSet(Calls.CreateQp.SRQ)) {
            wanted = wanted.withSrq(session.get(words, Calls.CreateQp.SRQ, SharedReceiveCalls.Shared.class)
                    .queue());
        }
        return wanted;
    }

    private static boolean hasReceives(QpDescription<?> kind) {
        return switch (kind.type()) {
            case RC, UC, UD -> true;
            case XRC_INI, XRC_TGT, DC_INI, DC_TGT -> false;
        };
    }

    private static <Q extends QueuePair> QpDescription<Q> withOptions(Block words, QpDescription<Q> kind) {
        QpDescription<Q> wanted = words.isSet(Calls.CreateQp.SIGNAL_ALL) ? kind.withSignalAll() : kind;
        wanted = words.isSet(Calls.CreateQp.FILLS_KEYS) ? wanted.withKeyFilling() : wanted;
        long create = words.word(Calls.CreateQp.CREATE_FLAGS);
        if ((create & ~Calls.QpCreate.BLOCK_SELF_MCAST_LB) != 0) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    "the creation flags are 0x%x; 0x%x is allowed"
                            .formatted(create, Calls.QpCreate.BLOCK_SELF_MCAST_LB));
        }
        wanted = create != 0 ? wanted.withBlockOwnMulticast() : wanted;
        long driver = words.word(Calls.CreateQp.DRIVER_FLAGS);
        if ((driver & Calls.DvQpCreate.ALLOW_SCATTER_TO_CQE) != 0) {
            wanted = wanted.withScatterToCqe(ScatterToCqe.ALLOWED);
        }
        return (driver & Calls.DvQpCreate.DISABLE_SCATTER_TO_CQE) != 0
                ? wanted.withScatterToCqe(ScatterToCqe.DISABLED)
                : wanted;
    }

    private void created(Block words, OpenedDevice device, QueuePairEndpoint end) {
        VerbsPair pair =
                new VerbsPair(device, end, words.word(Calls.CreateQp.COOKIE), words.isSet(Calls.CreateQp.SIGNAL_ALL));
        session.add(words, Calls.CreateQp.QP, pair);
        words.putUnsigned(Calls.CreateQp.NUMBER, pair.number());
    }

    void open(Block words) {
        AddressCalls.Xrc xrc = session.get(words, Calls.OpenQp.XRCD, AddressCalls.Xrc.class);
        QueuePairEndpoint end = session.await(xrc.domain().openTarget(words.number(Calls.OpenQp.NUMBER)));
        VerbsPair pair = new VerbsPair(xrc.device(), end, words.word(Calls.OpenQp.COOKIE), false);
        session.add(words, Calls.OpenQp.QP, pair);
        words.putUnsigned(Calls.OpenQp.NUMBER, pair.number());
    }

    void modify(Block words) {
        VerbsPair pair = session.get(words, Calls.ModifyQp.QP, VerbsPair.class);
        session.await(pair.end()
                .modify(QpAttributeWords.read(
                        words.from(Calls.ModifyQp.ATTRIBUTES),
                        words.word(Calls.ModifyQp.MASK),
                        pair.end().state())));
        words.putUnsigned(Calls.ModifyQp.NUMBER, pair.number());
        words.put(Calls.ModifyQp.STATE, pair.end().state().ordinal());
    }

    void query(Block words) {
        VerbsPair pair = session.get(words, Calls.QueryQp.QP, VerbsPair.class);
        Block attributes = words.from(Calls.QueryQp.ATTRIBUTES);
        QpAttributeWords.write(attributes, session.await(pair.end().query()));
        if (pair.end() instanceof QueuePair sized) {
            QpCapacity size = sized.capacity();
            attributes.put(Calls.QpAttributes.MAX_SEND_WR, size.maxSendWr());
            attributes.put(Calls.QpAttributes.MAX_RECV_WR, size.maxRecvWr());
            attributes.put(Calls.QpAttributes.MAX_SEND_SGE, size.maxSendSge());
            attributes.put(Calls.QpAttributes.MAX_RECV_SGE, size.maxRecvSge());
            attributes.put(Calls.QpAttributes.MAX_INLINE_DATA, size.maxInlineBytes());
        }
        words.put(Calls.QueryQp.SIGNAL_ALL, pair.signalsAll());
    }

    void destroy(Block words) {
        VerbsPair pair = session.get(words, Calls.DestroyQp.QP, VerbsPair.class);
        session.await(pair.end().destroy());
        pair.ended();
        session.remove(words, Calls.DestroyQp.QP);
    }

    void resetStream(Block words) {
        session.await(end(words, Calls.ResetStream.QP, DcInitiator.class)
                .resetStream(words.number(Calls.ResetStream.STREAM)));
    }

    void attachMulticast(Block words) {
        Gid group = words.gid(Calls.AttachMulticast.GID_HIGH, Calls.AttachMulticast.GID_LOW);
        session.await(end(words, Calls.AttachMulticast.QP, UdQueuePair.class).attachMulticast(group));
    }

    void detachMulticast(Block words) {
        Gid group = words.gid(Calls.DetachMulticast.GID_HIGH, Calls.DetachMulticast.GID_LOW);
        session.await(end(words, Calls.DetachMulticast.QP, UdQueuePair.class).detachMulticast(group));
    }

    private <E extends QueuePairEndpoint> E end(Block words, int index, Class<E> kind) {
        QueuePairEndpoint end = session.get(words, index, VerbsPair.class).end();
        if (!kind.isInstance(end)) {
            throw VerbsException.invalid(end.describe() + " is no " + kind.getSimpleName());
        }
        return kind.cast(end);
    }
}
