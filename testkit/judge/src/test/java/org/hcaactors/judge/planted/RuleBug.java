// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;
import org.jspecify.annotations.Nullable;

/** Mistakes that single rules of the protocol are there to prevent. */
public enum RuleBug implements Planted {
    ACCEPTS_A_DUPLICATE_SEND(
            "request-sequence.distance",
            AcceptsDuplicateSend.class,
            Hunt.of(WorkloadKind.INLINE_DATA).under(Swarm.WIRE)),
    EXECUTES_AN_ATOMIC_AGAIN(
            "request-sequence.distance", ExecutesAtomicAgain.class, Hunt.of(WorkloadKind.LOST_ANSWERS)),
    EXECUTES_A_WRITE_AGAIN(
            "request-sequence.distance",
            ExecutesWriteAgain.class,
            Hunt.of(WorkloadKind.LOST_ANSWERS).under(Swarm.WIRE)),
    SKIPS_THE_GAP(
            "request-sequence.distance",
            SkipsTheGap.class,
            Hunt.of(WorkloadKind.EXACT_FIT_RECEIVES).under(Swarm.WIRE)),
    USES_A_REVOKED_LEASE(
            "lease-cache.revoke",
            UsesRevokedLease.class,
            Hunt.of(WorkloadKind.LOST_ANSWERS).under(Swarm.WIRE)),
    IGNORES_THE_RNR_TIMER(
            "rc-recovery.back-off",
            IgnoresRnrTimer.class,
            Hunt.of(WorkloadKind.EXTREME_ATTRIBUTES).under(Swarm.WIRE)),
    LOSES_A_NOTIFICATION("notification.written", LosesNotification.class, Hunt.of(WorkloadKind.AS_NOTIFY)),
    ACKNOWLEDGES_AHEAD("response-queue.acknowledge", AcknowledgesAhead.class, Hunt.of(WorkloadKind.EXACT_FIT_RECEIVES)),
    COMPLETES_AHEAD(
            "rc-completer.acknowledged-through",
            CompletesAhead.class,
            Hunt.of(WorkloadKind.LOST_ANSWERS).under(Swarm.WIRE)),
    COUNTS_MESSAGES_BACKWARDS(
            "request-sequence.accept", CountsBackwards.class, Hunt.of(WorkloadKind.EXACT_FIT_RECEIVES)),
    GRANTS_EVERY_RIGHT(
            "region-lease.allows",
            CommonAdvice.SaysYes.class,
            Hunt.of(WorkloadKind.REQUESTER_REGION_LOSS).under(Swarm.HOSTILE)),
    COVERS_EVERY_RANGE("region.covers", CommonAdvice.SaysYes.class, Hunt.of(WorkloadKind.CHANGING_REGION)),
    WRITES_EVERY_PACKET_AT_THE_START("incoming-write.take", WritesAtTheStart.class, Hunt.of(WorkloadKind.PORT_CHANGES)),
    FLUSHES_NO_RECEIVES(
            "message-buffer.flush",
            CommonAdvice.DoesNothing.class,
            Hunt.of(WorkloadKind.ACCESS_VIOLATIONS).under(Swarm.WIRE)),
    GIVES_A_SHARED_RECEIVE_TWICE("shared-receives.take", GivesTwice.class, Hunt.of(WorkloadKind.SHARED_QUEUES)),
    UC_DELIVERS_TORN_MESSAGES(
            "uc-responder.handle",
            DeliversTorn.class,
            Hunt.of(WorkloadKind.UNRELIABLE).under(Swarm.WIRE)),
    UD_IGNORES_THE_QKEY("ud-receiver.refusal", LetsIn.class, Hunt.of(WorkloadKind.DATAGRAMS)),
    ANSWERS_A_WRONG_ORIGINAL(
            "response-queue.atomic",
            AnswersWrongOriginal.class,
            Hunt.of(WorkloadKind.EXTREME_ATTRIBUTES).under(Swarm.WIRE)),
    WRITES_ONE_BYTE_TOO_MANY(
            "host-buffers.store",
            WritesOneTooMany.class,
            Hunt.of(WorkloadKind.INLINE_DATA).under(Swarm.WIRE)),
    FREES_A_PLACE_WITH_THE_NEXT(
            "handed-out-count.hands-out", FreesWithTheNext.class, Hunt.of(WorkloadKind.SHORT_SUBSCRIPTIONS)),
    RETRIES_FOR_EVER("rc-recovery.go-back", RetriesForEver.class, Hunt.of(WorkloadKind.SHORT_TIMEOUT_READS));

    private final Bug bug;

    RuleBug(String point, Class<?> advice, Hunt hunt) {
        bug = new Bug(new Patch(point, advice), hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }

    static final class AcceptsDuplicateSend {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) Packet packet,
                @MarkedField(value = "request-sequence.expected-psn", readOnly = false) int expectedPsn) {
            if (packet.operation().family() == Operation.Family.SEND && Psn.compare(packet.psn(), expectedPsn) < 0) {
                expectedPsn = packet.psn();
            }
        }
    }

    static final class ExecutesAtomicAgain {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) Packet packet,
                @MarkedField(value = "request-sequence.expected-psn", readOnly = false) int expectedPsn) {
            if (packet.operation().family() == Operation.Family.ATOMIC && Psn.compare(packet.psn(), expectedPsn) < 0) {
                expectedPsn = packet.psn();
            }
        }
    }

    static final class ExecutesWriteAgain {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) Packet packet,
                @MarkedField(value = "request-sequence.expected-psn", readOnly = false) int expectedPsn) {
            if (packet.operation().family() == Operation.Family.WRITE && Psn.compare(packet.psn(), expectedPsn) < 0) {
                expectedPsn = packet.psn();
            }
        }
    }

    /** Treats a missing packet as received. */
    static final class SkipsTheGap {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) Packet packet,
                @MarkedField(value = "request-sequence.expected-psn", readOnly = false) int expectedPsn) {
            if (Psn.compare(packet.psn(), expectedPsn) > 0) {
                expectedPsn = packet.psn();
            }
        }
    }

    static final class UsesRevokedLease {
        @Advice.OnMethodExit
        static void exit(@Advice.This LeaseCache cache, @Advice.Return Optional<Lease> given) {
            if (given.isPresent()) {
                cache.granted(given.get());
            }
        }
    }

    static final class IgnoresRnrTimer {
        @Advice.OnMethodExit
        static void exit(
                @MarkedField(value = "rc-recovery.backing-off", readOnly = false) boolean backingOff,
                @MarkedField(value = "rc-recovery.deadline", readOnly = false) long deadline) {
            backingOff = false;
            deadline = Long.MAX_VALUE;
        }
    }

    /** Drops the notification of an entry that arrives while the program is about to poll. */
    static final class LosesNotification {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(1) long now, @Advice.Return(readOnly = false) boolean due) {
            due = due && now % 7 != 0;
        }
    }

    static final class AcknowledgesAhead {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) int psn) {
            psn = Psn.plus(psn, 1);
        }
    }

    static final class CompletesAhead {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) int psn) {
            psn = Psn.plus(psn, 2);
        }
    }

    static final class CountsBackwards {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) Packet packet,
                @MarkedField(value = "request-sequence.msn", readOnly = false) int msn) {
            if (packet.operation().ends()) {
                msn = Psn.plus(msn, -2);
            }
        }
    }

    static final class WritesAtTheStart {
        @Advice.OnMethodEnter
        static void enter(@MarkedField(value = "incoming-write.received", readOnly = false) long received) {
            received = 0;
        }
    }

    static final class GivesTwice {
        @Advice.OnMethodExit
        static void exit(
                @MarkedField("shared-receives.buffers") java.util.ArrayDeque<Receive> buffers,
                @Advice.Return @Nullable Receive taken) {
            if (taken != null && taken.id() % 16 == 3) {
                buffers.addFirst(taken);
            }
        }
    }

    static final class DeliversTorn {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) Packet packet,
                @MarkedField(value = "uc-responder.expected-psn", readOnly = false) int expectedPsn) {
            if (!packet.operation().starts()) {
                expectedPsn = packet.psn();
            }
        }
    }

    static final class LetsIn {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Optional<String> refusal) {
            refusal = Optional.empty();
        }
    }

    static final class AnswersWrongOriginal {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 2, readOnly = false) AtomicValue original) {
            original = original.not();
        }
    }

    static final class WritesOneTooMany {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) long offset,
                @Advice.Argument(3) int count,
                @MarkedField("host-buffers.segments") ByteBuffer[] segments) {
            int behind = (int) offset + count;
            if (behind < segments[0].capacity()) {
                segments[0].put(behind, (byte) 0x5A);
            }
        }
    }

    /** Frees the entry's place only after {@code onNext} has returned. */
    static final class FreesWithTheNext {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(
                @MarkedField("handed-out-count.handed-out") AtomicLong handedOut,
                @MarkedField(value = "handed-out-count.handed-out-so-far", readOnly = false) long handedOutSoFar) {
            handedOut.setRelease(handedOutSoFar);
            handedOutSoFar = handedOutSoFar + 1;
            return true;
        }
    }

    static final class RetriesForEver {
        @Advice.OnMethodEnter
        static void enter(@MarkedField(value = "rc-recovery.retries-left", readOnly = false) int retriesLeft) {
            retriesLeft = 7;
        }
    }
}
