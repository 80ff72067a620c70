// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.queue.DcTargetStatus;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responders run out, and targets end while they serve (the page dc of the rule book). */
class DcPoolTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final RcConnection SHORT =
            RcConnection.DEFAULT.withTimeoutCode(6).withRetryCount(1).withRnrRetry(1);

    private final World world = World.of(47);
    private final DcSetup ground = new DcSetup(world);
    private final Adapter a = world.adapter("a");
    private final Adapter b = world.adapter("b");

    @AfterEach
    void close() {
        world.close();
    }

    private static FetchAdd add(DcSetup.InitiatorSide initiator, DcSetup.TargetSide asked, long id) {
        return FetchAdd.of(id, initiator.slice(0, 8), asked.remote(0), 1);
    }

    private CompletionStage<WorkCompletion> asks(DcSetup.InitiatorSide initiator, DcSetup.TargetSide asked, long id) {
        return initiator.initiator.submit(initiator.to(asked), add(initiator, asked, id));
    }

    // rules dc-cnak, dc-empty
    @ParameterizedTest
    @CsvSource({"1, RNR_RETRY_EXC_ERR, tx_cnak", "0, RETRY_EXC_ERR, tx_discard"})
    void aRepeatedCnakAndAMissingAnswerHaveDifferentStatuses(int spared, Status ends, String counter) {
        DcSetup.TargetSide asked = ground.asked(
                b, attributes -> attributes.withMaxResponders(1 + spared).withReservedResponders(spared));
        DcSetup.InitiatorSide first = ground.initiator(a);
        asked.receive(1, 64);
        DcSetup.InitiatorSide second = ground.initiator(world.adapter("c"), QpDescription.dc(), SHORT);
        assertThat(world.await(asks(first, asked, 1)).status()).isEqualTo(Status.SUCCESS);
        // It stays connected while it sends.
        Busy held = new Busy(first, asked);
        assertThat(world.await(asks(second, asked, 2)).status()).isEqualTo(ends);
        assertThat(b.counters().get(counter)).isPositive();
        assertThat(asked.memory.readLong(0)).isPositive();
        assertThat(held.stop()).isEqualTo(Status.SUCCESS);
    }

    /** Requests in a row, until it is stopped. */
    private final class Busy {
        private final DcSetup.InitiatorSide initiator;
        private final DcSetup.TargetSide asked;
        private final CompletableFuture<Status> ended = new CompletableFuture<>();
        private boolean stops;

        Busy(DcSetup.InitiatorSide initiator, DcSetup.TargetSide asked) {
            this.initiator = initiator;
            this.asked = asked;
            next(1);
        }

        private void next(long id) {
            asks(initiator, asked, id).thenAccept(done -> {
                if (stops || done.status() != Status.SUCCESS) {
                    ended.complete(done.status());
                } else {
                    next(id + 1);
                }
            });
        }

        Status stop() {
            stops = true;
            return world.await(ended);
        }
    }

    // rule dc-cnak
    @Test
    void anInitiatorWithACnakIsServedWhenOthersHaveLeft() {
        DcSetup.TargetSide asked =
                ground.asked(b, attributes -> attributes.withMaxResponders(2).withReservedResponders(1));
        DcSetup.InitiatorSide first = ground.initiator(a);
        DcSetup.InitiatorSide second = ground.initiator(world.adapter("c"));
        assertThat(world.await(asks(first, asked, 1)).status()).isEqualTo(Status.SUCCESS);
        assertThat(world.await(asks(second, asked, 2)).status()).isEqualTo(Status.SUCCESS);
        assertThat(b.counters()).containsEntry("tx_cnak", 1L);
        assertThat(asked.memory.readLong(0)).isEqualTo(2);
    }

    // rules dc-cnak, dc-empty, dc-pool
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aSmallTargetUnderLoadCompletesEveryRequest(int spared) {
        DcSetup.TargetSide asked =
                ground.asked(b, attributes -> attributes.withMaxResponders(2).withReservedResponders(spared));
        List<CompletionStage<WorkCompletion>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            DcSetup.InitiatorSide initiator = ground.initiator(i % 2 == 0 ? a : world.adapter("c"));
            all.add(asks(initiator, asked, i));
        }
        int done = 0;
        for (CompletionStage<WorkCompletion> each : all) {
            Status end = world.await(each, LONG).status();
            assertThat(end).isIn(Status.SUCCESS, Status.RETRY_EXC_ERR, Status.RNR_RETRY_EXC_ERR);
            done += end == Status.SUCCESS ? 1 : 0;
        }
        assertThat(asked.memory.readLong(0))
                .as("each that says so was executed")
                .isEqualTo(done);
        assertThat(done).isGreaterThanOrEqualTo(2);
        world.runFor(Duration.ofMillis(1));
        assertThat(world.await(asked.target.status()).sessions()).isZero();
    }

    // rule dc-pool
    @Test
    void allTargetsOfAnAdapterShareItsResponders() {
        DcCapabilities few = Profile.CONNECTX_5.dynamicallyConnected().withResponders(1);
        Adapter small = world.network().addAdapter("small", Profile.CONNECTX_5.with(few));
        DcSetup.TargetSide one = ground.asked(small);
        DcSetup.TargetSide two = ground.asked(small);
        DcSetup.InitiatorSide first = ground.initiator(a);
        DcSetup.InitiatorSide second = ground.initiator(a, QpDescription.dc(), SHORT);
        assertThat(world.await(asks(first, one, 1)).status()).isEqualTo(Status.SUCCESS);
        Busy held = new Busy(first, one);
        assertThat(world.await(asks(second, two, 2)).status()).isEqualTo(Status.RETRY_EXC_ERR);
        assertThat(small.counters().get("tx_discard")).isPositive();
        assertThat(held.stop()).isEqualTo(Status.SUCCESS);
    }

    // --- the end ---

    // rule dc-drain
    @Test
    void aDestroyedTargetEndsItsSessionsAndSendsCnakToOthers() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide first = ground.initiator(a);
        DcSetup.InitiatorSide late = ground.initiator(a, QpDescription.dc(), SHORT);
        var address = late.to(asked);
        assertThat(world.await(asks(first, asked, 1)).status()).isEqualTo(Status.SUCCESS);
        long before = world.now();
        CompletionStage<Void> gone = asked.target.destroy();
        assertThat(world.await(late.initiator.submit(address, add(late, asked, 2)))
                        .status())
                .isIn(Status.RNR_RETRY_EXC_ERR, Status.RETRY_EXC_ERR);
        world.await(gone);
        assertThat(world.now() - before).as("no longer than its peers may take").isLessThan(10_000_000);
        world.await(asked.queue.destroy());
        world.await(asked.completions.destroy());
        assertThatThrownBy(() -> world.await(asked.target.status())).isInstanceOf(VerbsException.class);
    }

    // rule dc-drain
    @Test
    void aDrainingTargetReportsItUntilItIsDestroyed() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        assertThat(world.await(asks(initiator, asked, 1)).status()).isEqualTo(Status.SUCCESS);
        CompletionStage<Void> gone = asked.target.destroy();
        DcTargetStatus draining = world.await(asked.target.status());
        assertThat(draining)
                .isEqualTo(DcTargetStatus.of(DcTargetStatus.State.DRAINING).withSessions(1));
        world.await(gone);
        assertThatThrownBy(() -> world.await(asked.target.status()))
                .asInstanceOf(type(VerbsException.class))
                .extracting(VerbsException::errno)
                .isEqualTo(Errno.EINVAL);
    }

    // rule dc-broken
    @Test
    void aCrashedTargetIsInErrorAndCanBeQueried() {
        DcSetup.TargetSide asked = ground.asked(b);
        int number = asked.target.number();
        List<AsyncEvent.Kind> events = new ArrayList<>();
        asked.context.asyncEvents().subscribe(Subscribers.forEach(event -> events.add(event.kind())));
        DcSetup.InitiatorSide initiator = ground.initiator(a, QpDescription.dc(), SHORT);
        var address = initiator.to(asked);
        world.faults().now().crash(b, asked.target);
        world.settle();
        assertThat(events).containsExactly(AsyncEvent.Kind.QP_FATAL);
        assertThat(asked.target.state()).isEqualTo(QpState.ERR);
        assertThat(world.await(asked.target.query()).state()).isEqualTo(QpState.ERR);
        assertThat(world.await(asked.target.status()).sessions()).isZero();
        assertThat(asked.target.number()).isEqualTo(number);
        assertThatThrownBy(() -> world.await(asked.target.modify(QpModify.to(QpState.RESET))))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("ERR");
        assertThat(world.await(initiator.initiator.submit(address, add(initiator, asked, 1)))
                        .status())
                .isEqualTo(Status.RETRY_EXC_ERR);
        world.await(asked.target.destroy());
    }

    // rule dc-broken
    @Test
    void aTargetWithAFailedCompletionQueueReportsItAndServesNone() {
        DcSetup.TargetSide asked = ground.asked(b);
        List<AsyncEvent.Kind> events = new ArrayList<>();
        asked.context.asyncEvents().subscribe(Subscribers.forEach(event -> events.add(event.kind())));
        DcSetup.InitiatorSide initiator = ground.initiator(a, QpDescription.dc(), SHORT);
        world.faults().now().crash(b, asked.completions);
        world.settle();
        assertThat(events).contains(AsyncEvent.Kind.QP_FATAL);
        assertThat(asked.target.state()).isEqualTo(QpState.ERR);
        assertThat(world.await(asks(initiator, asked, 1)).status()).isEqualTo(Status.RETRY_EXC_ERR);
        world.await(asked.target.destroy());
    }

    // rule dc-broken
    @Test
    void aCrashedAdapterEndsBothEnds() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a, QpDescription.dc(), SHORT);
        assertThat(world.await(asks(initiator, asked, 1)).status()).isEqualTo(Status.SUCCESS);
        world.faults().now().crash(b);
        assertThat(world.await(asks(initiator, asked, 2)).status()).isEqualTo(Status.RETRY_EXC_ERR);
        DcSetup.TargetSide other = ground.asked(world.adapter("c"));
        DcSetup.InitiatorSide here = ground.initiator(a);
        assertThat(world.await(asks(here, other, 1)).status()).isEqualTo(Status.SUCCESS);
        var behind = asks(here, other, 2);
        world.faults().now().crash(a);
        assertThat(world.await(behind).status()).isIn(Status.WR_FLUSH_ERR, Status.SUCCESS);
        world.settle();
        assertThat(here.initiator.state()).isEqualTo(QpState.ERR);
    }

    // rule dc-forgotten
    @ParameterizedTest
    @EnumSource
    void aRestartedAdapterKnowsNoSession(Restart how) {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a, QpDescription.dc(), SHORT);
        assertThat(world.await(asks(initiator, asked, 1)).status()).isEqualTo(Status.SUCCESS);
        world.await(b.firmware().restart(how));
        assertThat(world.await(asks(initiator, asked, 2)).status()).isEqualTo(Status.RETRY_EXC_ERR);
        DcSetup.TargetSide fresh = ground.asked(b);
        DcSetup.InitiatorSide other = ground.initiator(a);
        assertThat(world.await(asks(other, fresh, 3)).status()).isEqualTo(Status.SUCCESS);
    }

    // rule dc-drain
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aProcessWithOpenSessionsEnds(boolean askerEnds) {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a, QpDescription.dc(), SHORT);
        asked.receive(1, 64);
        assertThat(initiator
                        .submit(initiator.to(asked), Send.of(1, initiator.slice(0, 8)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        var underWay = initiator.initiator.submit(initiator.to(asked), Send.of(2, initiator.slice(0, 8)));
        world.await(askerEnds ? a.process("asker").exit() : b.process("asked").exit());
        if (!askerEnds) {
            assertThat(world.await(underWay).status()).isNotEqualTo(Status.SUCCESS);
        }
        world.runFor(Duration.ofMillis(5));
        assertThat(world.network().leaks().leaks())
                .noneMatch(leak -> leak.adapter().equals(askerEnds ? "a" : "b"));
    }
}
