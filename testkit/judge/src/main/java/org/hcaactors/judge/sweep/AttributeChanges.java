// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;

/**
 * Changes attributes under traffic. A refused modify changes nothing, even if it names access rights, and the traffic
 * continues. At the end of a connection the rights are revoked, and requests may then fail with that error.
 */
final class AttributeChanges implements Workload {
    private static final int MAX_ACTS = 30;
    private static final int NO_SUCH_GID = 200;
    private static final Duration WHILE_IT_DRAINS = Duration.ofMillis(1);
    private static final int MAX_ASKED = 1000;

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final RandomVerbs verb;
    private final Renewable connection;
    private ReceiveWaves receives;
    private int untilClosed;
    private int untilNext;
    private int cell;

    AttributeChanges(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("modified");
        verb = new RandomVerbs(sweep, random);
        connection = new Renewable(
                sweep,
                "modified",
                random,
                sweep.a().half(),
                sweep.b().half().withRecvCq(sweep.b().polledCq(500)),
                sweep.patient(random));
        receives = begin();
    }

    private ReceiveWaves begin() {
        untilClosed = 2 + random.nextInt(MAX_ACTS);
        untilNext = untilClosed + random.nextInt(5);
        return new ReceiveWaves(sweep.b(), random, connection.remote()::postReceive);
    }

    @Override
    public void step() {
        if (untilNext-- == 0) {
            connection.renew(sweep.patient(random));
            receives = begin();
        }
        if (connection.isLost()) {
            return;
        }
        RcQueuePair one = random.nextBoolean() ? connection.local() : connection.remote();
        switch (random.nextInt(4)) {
            case 0 -> refused(one, forbidden());
            case 1 -> sweep.promises().verb("modify", one.modify(allowed()), Errno.EINVAL);
            case 2 -> pass(connection.local());
            default -> {}
        }
        if (untilClosed-- == 0) {
            connection.life().mayFailWith(Status.REM_INV_REQ_ERR);
            QpModify closed =
                    QpModify.to(QpState.RTS, new QpAttribute.RemoteAccess(AccessFlags.of(Access.REMOTE_READ)));
            sweep.promises()
                    .verb("remove the access rights", connection.remote().modify(closed), Errno.EINVAL);
        }
        receives.oneMore();
        verb.submit(connection.local(), connection.life(), cell++ % SweepNode.CELLS);
    }

    /** Returns a modify that revokes the rights and is refused because of another attribute (rule qp-transitions). */
    private QpModify forbidden() {
        QpAttribute noRights = new QpAttribute.RemoteAccess(AccessFlags.NONE);
        AddressVector fromNowhere =
                AddressVector.to(GlobalRoute.to(sweep.a().adapter.gid()).withSourceGidIndex(NO_SUCH_GID));
        return switch (random.nextInt(6)) {
            case 0 -> QpModify.to(QpState.RTS, noRights, new QpAttribute.MinRnrTimer(32));
            case 1 -> QpModify.to(QpState.RTS, noRights, new QpAttribute.Mtu(PathMtu.BYTES_256));
            case 2 -> QpModify.to(QpState.RTS, noRights, new QpAttribute.Timeout(1));
            case 3 ->
                QpModify.to(
                        QpState.RTS,
                        noRights,
                        new QpAttribute.AlternatePath(fromNowhere),
                        new QpAttribute.Qkey(QKey.of(1)));
            case 4 -> QpModify.to(QpState.INIT, noRights);
            default -> QpModify.to(QpState.RTS, noRights, new QpAttribute.CurrentState(QpState.INIT));
        };
    }

    private QpModify allowed() {
        return switch (random.nextInt(3)) {
            case 0 -> QpModify.to(QpState.RTS);
            case 1 -> QpModify.to(QpState.RTS, new QpAttribute.MinRnrTimer(1 + random.nextInt(8)));
            default -> QpModify.to(QpState.RTS, new QpAttribute.CurrentState(QpState.RTS));
        };
    }

    private void refused(RcQueuePair one, QpModify change) {
        CompletionStage<Boolean> succeeded = one.modify(change).handle((done, reason) -> reason == null);
        sweep.promises().verb("a forbidden modify", succeeded.thenAccept(did -> {
            if (did) {
                throw new AssertionError(change + " was not refused");
            }
        }));
    }

    /**
     * Moves to SQD and back; requests posted meanwhile wait. More attributes may be changed in SQD once the queue pair has
     * drained.
     */
    private void pass(RcQueuePair one) {
        PendingStages promises = sweep.promises();
        promises.verb("SQD", one.modify(QpModify.to(QpState.SQD)), Errno.EINVAL);
        if (random.nextBoolean()) {
            QpModify patience = QpModify.to(QpState.SQD, new QpAttribute.Timeout(6), new QpAttribute.RetryCount(6));
            promises.verb("SQD to SQD", one.modify(patience), Errno.EINVAL, Errno.EBUSY);
        }
        verb.submit(one, connection.life(), cell++ % SweepNode.CELLS);
        receives.oneMore();
        back(one);
    }

    /** Moves back to RTS; refused while the queue pair drains. */
    private CompletionStage<Void> back(RcQueuePair one) {
        return sweep.promises().verb("RTS", one.modify(QpModify.to(QpState.RTS)), Errno.EINVAL);
    }

    @Override
    public void finish() {
        receives.all();
    }

    /** Retries until the queue pair has drained: what was posted meanwhile is still to be sent. */
    @Override
    public void close() {
        sweep.world().runFor(WHILE_IT_DRAINS);
        for (int i = 0; i < MAX_ASKED && connection.local().state() == QpState.SQD; i++) {
            back(connection.local());
            sweep.world().runFor(WHILE_IT_DRAINS);
        }
    }
}
