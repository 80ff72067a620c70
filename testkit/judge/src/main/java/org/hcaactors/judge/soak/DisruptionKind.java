// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.lab.fault.CrashTarget;

/** Disruptions of a group of connections during its traffic. */
final class DisruptionKind {
    private enum Act {
        DESTROY,
        CLOSE,
        RESET,
        FAIL,
        DEREGISTER_SOURCE,
        DEREGISTER_TARGET,
        DEREGISTER_INBOX,
        DESTROY_WHAT_IS_USED,
        CONNECT_ANOTHER,
        CLOSE_CONTEXT,
        EXIT,
        CRASH_QUEUE_PAIR,
        CRASH_COMPLETION_QUEUE,
        CRASH_SHARED_RECEIVES,
        CRASH_TRANSLATOR
    }

    /** A fatal event of an adapter. */
    private record Fatal(String adapter, AsyncEvent event) {
        /**
         * True if it equals or follows from the other: a queue pair fails with a queue that it uses, and all queue pairs of one
         * side use the same queues.
         */
        boolean isOrFollowsFrom(Fatal other) {
            boolean breaksItsUsers = other.event.kind() != AsyncEvent.Kind.QP_FATAL;
            return equals(other)
                    || adapter.equals(other.adapter) && event.kind() == AsyncEvent.Kind.QP_FATAL && breaksItsUsers;
        }
    }

    private static final int MAX_CRASHES = 14;

    private final ConnectionGroup group;
    private final WorkerEnvironment environment;
    private final SplittableRandom random;
    private final ConcurrentLinkedQueue<Fatal> fatalEvents = new ConcurrentLinkedQueue<>();
    /** Fatal events expected from the actors that were crashed. */
    private final Set<Fatal> onPurpose = new LinkedHashSet<>();

    DisruptionKind(ConnectionGroup group, SplittableRandom random) {
        this.group = group;
        this.random = random;
        environment = group.environment;
        listenTo(group.left);
        listenTo(group.right);
    }

    private void listenTo(SoakContext side) {
        String adapter = side.adapter.name();
        side.context.asyncEvents().subscribe(Subscribers.forEach(event -> onEvent(adapter, event), reason -> {}));
    }

    private void onEvent(String adapter, AsyncEvent event) {
        switch (event.kind()) {
            case QP_FATAL, CQ_ERR, SRQ_ERR, DEVICE_FATAL -> fatalEvents.add(new Fatal(adapter, event));
            case QP_REQ_ERR,
                    QP_ACCESS_ERR,
                    COMM_EST,
                    SQ_DRAINED,
                    PORT_ACTIVE,
                    PORT_ERR,
                    PKEY_CHANGE,
                    SRQ_LIMIT_REACHED,
                    QP_LAST_WQE_REACHED,
                    GID_CHANGE,
                    DCT_KEY_VIOLATION,
                    DCT_ACCESS_ERR,
                    DCT_REQ_ERR -> {}
        }
    }

    void checkThatNothingCrashedByItself() {
        List<Fatal> byItself = fatalEvents.stream()
                .filter(each -> onPurpose.stream().noneMatch(each::isOrFollowsFrom))
                .toList();
        WorkerEnvironment.check(
                byItself.isEmpty(), "only injected crashes are allowed, " + onPurpose + "; other crashes: " + byItself);
    }

    /** Performs one of the acts; waits for none. */
    void strike() {
        QpPair<RcQueuePair> pair = group.pairs.get(random.nextInt(group.pairs.size()));
        boolean near = random.nextBoolean();
        SoakContext side = near ? group.left : group.right;
        RcQueuePair qp = near ? pair.local() : pair.remote();
        switch (Act.values()[random.nextInt(Act.values().length)]) {
            case DESTROY -> verb("destroying", qp, qp::destroy);
            case CLOSE -> verb("closing", qp, qp::closeAsync);
            case RESET -> verb("resetting", qp, () -> qp.modify(QpModify.to(QpState.RESET)));
            case FAIL -> verb("failing", qp, () -> qp.modify(QpModify.to(QpState.ERR)));
            case DEREGISTER_SOURCE -> verb("deregistering", group.source, group.source::deregister);
            case DEREGISTER_TARGET -> verb("deregistering", group.target, group.target::deregister);
            case DEREGISTER_INBOX -> verb("deregistering", group.inbox, group.inbox::deregister);
            case DESTROY_WHAT_IS_USED -> {
                verb("destroying", group.sends, group.sends::destroy);
                verb("destroying", group.srq, group.srq::destroy);
            }
            case CONNECT_ANOTHER -> environment.given("connecting", "another pair", group.connect());
            case CLOSE_CONTEXT -> verb("closing", side.context, side.context::closeAsync);
            case EXIT -> environment.given("exit of", side.process.name(), side.process.exit());
            case CRASH_QUEUE_PAIR ->
                crash(new CrashTarget.QueuePairOf(side.adapter.name(), qp.number()), () -> {
                    verb("querying", qp, qp::query);
                    verb("modifying", qp, () -> qp.modify(QpModify.to(QpState.ERR)));
                });
            case CRASH_COMPLETION_QUEUE ->
                crash(
                        new CrashTarget.CompletionQueueOf(
                                side.adapter.name(), qp.sendCq().number()),
                        () -> verb("resizing", qp.sendCq(), () -> qp.sendCq().resize(1023)));
            case CRASH_SHARED_RECEIVES ->
                crash(
                        new CrashTarget.SharedReceivesOf(group.right.adapter.name(), group.srq.number()),
                        () -> verb("querying", group.srq, group.srq::query));
            case CRASH_TRANSLATOR -> {
                int key = near ? group.source.lkey() : group.target.lkey();
                crash(new CrashTarget.TranslatorOf(side.adapter.name(), key), () -> {});
            }
        }
    }

    /** Crashes the actor, sometimes repeatedly: a crashed actor still answers. */
    private void crash(CrashTarget victim, Runnable then) {
        expectedEvent(victim).ifPresent(event -> onPurpose.add(new Fatal(victim.adapter(), event)));
        int times = random.nextInt(4) == 0 ? MAX_CRASHES : 1;
        for (int i = 0; i < times; i++) {
            environment.crash(victim);
        }
        then.run();
    }

    private static Optional<AsyncEvent> expectedEvent(CrashTarget victim) {
        return switch (victim) {
            case CrashTarget.QueuePairOf qp -> Optional.of(new AsyncEvent(AsyncEvent.Kind.QP_FATAL, qp.number()));
            case CrashTarget.CompletionQueueOf cq -> Optional.of(new AsyncEvent(AsyncEvent.Kind.CQ_ERR, cq.number()));
            case CrashTarget.SharedReceivesOf srq -> Optional.of(new AsyncEvent(AsyncEvent.Kind.SRQ_ERR, srq.number()));
            case CrashTarget.AdapterItself self -> Optional.of(new AsyncEvent(AsyncEvent.Kind.DEVICE_FATAL, 0));
            case CrashTarget.TranslatorOf key -> Optional.empty();
        };
    }

    private void verb(String doing, Handle what, Supplier<? extends CompletionStage<?>> verb) {
        try {
            environment.given(doing, what.describe(), verb.get());
        } catch (VerbsException refused) {
            // It is gone already.
        }
    }
}
