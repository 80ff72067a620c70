// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.lab.invariant.HandMadeTrace;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.ShadowMemory;
import org.hcaactors.lab.invariant.TraceState;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two queue pairs of a, 17 and 19, add to the same eight bytes of b through 18 and 20. */
class AtomicsLinearizableTest {
    private static final String ASKING = "a";
    private static final String ASKED = "b";
    private static final int KEY = 0x100;
    private static final LocalSlice RESULT = new LocalSlice(0, 8, 1);

    private final World world = World.inOrder();
    private final HostMemory memory =
            world.adapter(ASKED).process("app").open().process().allocate(64);
    private final ShadowMemory guards = new ShadowMemory();
    private final Invariant invariant = new AtomicsLinearizable(guards);
    private final TraceState traceState = new TraceState(name -> Optional.empty());
    private final List<String> broken = new ArrayList<>();
    private long lastId;

    AtomicsLinearizableTest() {
        guards.guard(ASKED, "app", memory, ByteOrder.nativeOrder());
        for (int each : new int[] {17, 19}) {
            create(ASKING, each);
            create(ASKED, each + 1);
        }
        tell(new HcaEvent.Registered(
                next(0),
                ASKED,
                Element.key(KEY),
                HcaEvent.KeyKind.MEMORY_REGION,
                List.of(),
                "app",
                1,
                memory.address(),
                64,
                AccessFlags.LOCAL_AND_REMOTE));
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void create(String port, int number) {
        tell(new HcaEvent.QueuePairCreated(
                next(0), port, Element.queuePair(number), QpType.RC, 1, 1, 1, OptionalInt.empty()));
    }

    private Stamp next(long cause) {
        return next(cause, 0);
    }

    private Stamp next(long cause, long otherCause) {
        return new Stamp(++lastId, lastId, cause, otherCause);
    }

    private void tell(TraceEvent event) {
        HandMadeTrace.note(traceState, event);
        invariant.on(event, traceState, broken::add);
    }

    private Packet request(int by, long offset) {
        return HandMadeTrace.packet(
                Opcode.RC_FETCH_ADD, by + 1, 0, new ExtendedHeader.AtomicEth(memory.address() + offset, KEY, 1, 0));
    }

    /** Adds one, from the posting to the arrival of the request, with that original value as its result. */
    private void adds(int by, long saw) {
        Element element = Element.queuePair(by);
        Stamp posted = next(0);
        FetchAdd work = FetchAdd.of(1, RESULT, new RemoteAddress(KEY, memory.address()), 1);
        tell(new HcaEvent.WorkPosted(posted, ASKING, element, work, true));
        Stamp sent = next(posted.id());
        tell(new FabricEvent.Sent(sent, ASKING, element, request(by, 0)));
        Stamp arrived = next(sent.id());
        tell(new FabricEvent.Delivered(arrived, ASKED, request(by, 0)));
        Packet answer = HandMadeTrace.packet(
                Opcode.RC_ATOMIC_ACKNOWLEDGE,
                by,
                0,
                new ExtendedHeader.Aeth(0, 1),
                new ExtendedHeader.AtomicAckEth(saw));
        Stamp answered = next(arrived.id());
        tell(new FabricEvent.Sent(answered, ASKED, Element.queuePair(by + 1), answer));
        Stamp heard = next(answered.id());
        tell(new FabricEvent.Delivered(heard, ASKING, answer));
        tell(new HcaEvent.Completed(
                next(heard.id(), posted.id()),
                ASKING,
                Element.completionQueue(1),
                WorkCompletion.of(1, Status.SUCCESS, CompletionKind.FETCH_ADD, by, 8, OptionalInt.empty())));
    }

    /** Delivers a forged request at the peer of that queue pair, which is executed on other memory. */
    private void forged(int by) {
        Stamp forged = next(0);
        tell(new FabricEvent.Forged(forged, ASKING, request(by, 8), Octets.NONE, "by a test"));
        tell(new FabricEvent.Delivered(next(forged.id()), ASKED, request(by, 8)));
    }

    private void isReset(String port, int number) {
        tell(new HcaEvent.StateChanged(
                next(0), port, Element.queuePair(number), QpState.RTS, QpState.RESET, StateReason.MODIFIED));
    }

    private List<String> whenIdle() {
        invariant.whenIdle(traceState, broken::add);
        return broken;
    }

    @Test
    void twoAtomicsWithTheSameResultAreFound() {
        adds(17, 0);
        adds(19, 0);
        assertThat(whenIdle()).singleElement().asString().contains("the 2 atomics");
    }

    @Test
    void completionsDuringTheDeceptionMayBeWrong() {
        adds(17, 0);
        forged(17);
        adds(17, 1);
        adds(17, 1);
        assertThat(whenIdle()).isEmpty();
    }

    /** Its result is still that of the forged packet. */
    @Test
    void aLaterResetDoesNotMakeADeceivedResultTrue() {
        adds(17, 0);
        forged(17);
        adds(17, 1);
        isReset(ASKING, 17);
        isReset(ASKED, 18);
        adds(17, 1);
        assertThat(whenIdle()).isEmpty();
    }

    @Test
    void completionsBeforeAndAfterTheDeceptionAreChecked() {
        adds(17, 0);
        adds(17, 0);
        forged(17);
        assertThat(whenIdle()).hasSize(1);
        isReset(ASKING, 17);
        isReset(ASKED, 18);
        adds(17, 7);
        adds(17, 7);
        assertThat(whenIdle()).hasSize(2);
    }

    /** The search for an order would take too long. */
    @Test
    void manyDoubtfulOperationsAreNotReported() {
        adds(17, 0);
        forged(17);
        for (int i = 0; i < 100; i++) {
            adds(17, 0);
        }
        adds(19, 1000);
        adds(19, 1000);
        assertThat(whenIdle()).isEmpty();
    }

    @Test
    void theDeceptionOfOneQueuePairDoesNotExcuseOthers() {
        adds(17, 0);
        forged(17);
        adds(17, 0);
        adds(19, 1);
        adds(19, 1);
        assertThat(whenIdle()).singleElement().asString().contains("the 4 atomics");
    }
}
