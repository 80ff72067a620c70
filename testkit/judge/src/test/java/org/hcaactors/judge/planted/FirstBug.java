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

/** The first bugs that were planted: mistakes that the rules of the protocol are there to prevent, one for each. */
public enum FirstBug implements Planted {
    ACCEPTS_A_DUPLICATE_SEND("rc.RequestSequence", "distance", AcceptsDuplicateSend.class),
    EXECUTES_AN_ATOMIC_AGAIN("rc.RequestSequence", "distance", ExecutesAtomicAgain.class),
    EXECUTES_A_WRITE_AGAIN("rc.RequestSequence", "distance", ExecutesWriteAgain.class),
    SKIPS_THE_GAP("rc.RequestSequence", "distance", SkipsTheGap.class),
    USES_A_REVOKED_LEASE("lease.LeaseCache", "revoke", UsesRevokedLease.class),
    IGNORES_THE_RNR_TIMER("rc.RcRecovery", "backOff", IgnoresRnrTimer.class),
    LOSES_A_NOTIFICATION("completion.Notification", "written", LosesNotification.class),
    ACKNOWLEDGES_AHEAD("rc.ResponseQueue", "acknowledge", AcknowledgesAhead.class),
    COMPLETES_AHEAD("rc.RcCompleter", "acknowledgedThrough", CompletesAhead.class),
    COUNTS_MESSAGES_BACKWARDS("rc.RequestSequence", "accept", CountsBackwards.class),
    GRANTS_EVERY_RIGHT("region.RegionLease", "allows", Wrongs.SaysYes.class),
    COVERS_EVERY_RANGE("region.Region", "covers", Wrongs.SaysYes.class),
    WRITES_EVERY_PACKET_AT_THE_START("message.IncomingWrite", "take", WritesAtTheStart.class),
    FLUSHES_NO_RECEIVES("work.MessageBuffer", "flush", Wrongs.DoesNothing.class),
    GIVES_A_SHARED_RECEIVE_TWICE("srq.SharedReceives", "take", GivesTwice.class),
    UC_DELIVERS_TORN_MESSAGES("uc.UcResponder", "handle", DeliversTorn.class),
    UD_IGNORES_THE_QKEY("ud.UdReceiver", "refusal", LetsIn.class),
    ANSWERS_A_WRONG_ORIGINAL("rc.ResponseQueue", "atomic", AnswersWrongOriginal.class),
    WRITES_ONE_BYTE_TOO_MANY("host.HostBuffers", "store", WritesOneTooMany.class),
    FREES_A_PLACE_WITH_THE_NEXT("stream.HandedOut", "handsOut", FreesWithTheNext.class),
    RETRIES_FOR_EVER("rc.RcRecovery", "goBack", RetriesForEver.class);

    private final Patch patch;

    FirstBug(String type, String method, Class<?> advice) {
        patch = new Patch(type, method, advice);
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return Seeds.of(200);
    }

    static final class AcceptsDuplicateSend {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) Packet packet,
                @Advice.FieldValue(value = "expectedPsn", readOnly = false) int expectedPsn) {
            if (packet.operation().family() == Operation.Family.SEND && Psn.compare(packet.psn(), expectedPsn) < 0) {
                expectedPsn = packet.psn();
            }
        }
    }

    static final class ExecutesAtomicAgain {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) Packet packet,
                @Advice.FieldValue(value = "expectedPsn", readOnly = false) int expectedPsn) {
            if (packet.operation().family() == Operation.Family.ATOMIC && Psn.compare(packet.psn(), expectedPsn) < 0) {
                expectedPsn = packet.psn();
            }
        }
    }

    static final class ExecutesWriteAgain {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) Packet packet,
                @Advice.FieldValue(value = "expectedPsn", readOnly = false) int expectedPsn) {
            if (packet.operation().family() == Operation.Family.WRITE && Psn.compare(packet.psn(), expectedPsn) < 0) {
                expectedPsn = packet.psn();
            }
        }
    }

    /** What is missing is taken as having come. */
    static final class SkipsTheGap {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) Packet packet,
                @Advice.FieldValue(value = "expectedPsn", readOnly = false) int expectedPsn) {
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
                @Advice.FieldValue(value = "backingOff", readOnly = false) boolean backingOff,
                @Advice.FieldValue(value = "deadline", readOnly = false) long deadline) {
            backingOff = false;
            deadline = Long.MAX_VALUE;
        }
    }

    /** What comes while the program is about to poll is not reported. */
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
                @Advice.Argument(0) Packet packet, @Advice.FieldValue(value = "msn", readOnly = false) int msn) {
            if (packet.operation().ends()) {
                msn = Psn.plus(msn, -2);
            }
        }
    }

    static final class WritesAtTheStart {
        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue(value = "received", readOnly = false) long received) {
            received = 0;
        }
    }

    static final class GivesTwice {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("buffers") java.util.ArrayDeque<Receive> buffers,
                @Advice.Return Optional<Receive> taken) {
            if (taken.isPresent() && taken.get().id() % 16 == 3) {
                buffers.addFirst(taken.get());
            }
        }
    }

    static final class DeliversTorn {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) Packet packet,
                @Advice.FieldValue(value = "expectedPsn", readOnly = false) int expectedPsn) {
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
                @Advice.Argument(0) long to,
                @Advice.Argument(3) int count,
                @Advice.FieldValue("address") long address,
                @Advice.FieldValue("segments") ByteBuffer[] segments) {
            int behind = (int) (to - address) + count;
            if (behind < segments[0].capacity()) {
                segments[0].put(behind, (byte) 0x5A);
            }
        }
    }

    /** As if the place were free only when {@code onNext} has returned. */
    static final class FreesWithTheNext {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(
                @Advice.FieldValue("handedOut") AtomicLong handedOut,
                @Advice.FieldValue(value = "handedOutSoFar", readOnly = false) long handedOutSoFar) {
            handedOut.setRelease(handedOutSoFar);
            handedOutSoFar = handedOutSoFar + 1;
            return true;
        }
    }

    static final class RetriesForEver {
        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue(value = "retriesLeft", readOnly = false) int retriesLeft) {
            retriesLeft = 7;
        }
    }
}
