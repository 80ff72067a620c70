// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import java.util.List;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.lab.fault.ForgedField;
import org.hcaactors.lab.fault.Forgery;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** Tests the invariants' treatment of forged packets. */
class ForgedPacketsJudgedTest {
    private final World world = World.inOrder();
    private final ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));

    private Status write(int id) {
        return world.await(pair.a()
                        .qp()
                        .submit(RdmaWrite.of(id, pair.a().slice(0, 64), pair.b().remote(0))))
                .status();
    }

    private Status add(int id) {
        return world.await(pair.a()
                        .qp()
                        .submit(FetchAdd.of(id, pair.a().slice(0, 8), pair.b().remote(0), 1)))
                .status();
    }

    /** The peer never received it, and neither end can know: no adapter is at fault. */
    @Test
    void aRequestAcknowledgedByAForgeryOnlyBreaksNothing() {
        world.faults()
                .on(packet().write())
                .first()
                .forge(Forgery.answer(Opcode.RC_ACKNOWLEDGE)
                        .set(ForgedField.SYNDROME, Syndrome.ACK)
                        .instead());
        assertThat(write(1)).isEqualTo(Status.SUCCESS);
        assertThat(world.trace().of(HcaEvent.MemoryWritten.class)).isEmpty();
        world.close();
    }

    /** The receiver then treats the genuine ones as duplicates. */
    @Test
    void aForgedRequestExecutedInPlaceOfTheNextBreaksNothing() {
        world.faults()
                .on(packet().write())
                .first()
                .forge(Forgery.copy()
                        .add(ForgedField.PSN, 1)
                        .add(ForgedField.ADDRESS, 128)
                        .after(Duration.ofNanos(500)));
        assertThat(List.of(write(1), write(2))).containsOnly(Status.SUCCESS);
        assertThat(world.trace().of(HcaEvent.MemoryWritten.class)).hasSize(2);
        world.close();
    }

    /** The forged one is executed on other memory; the genuine one is then a duplicate, and is answered with its result. */
    @Test
    void aForgedAtomicInPlaceOfARealOneBreaksNoInvariant() {
        world.guard(pair.b().adapter(), "app", pair.b().memory());
        world.faults()
                .on(packet().atomic())
                .first()
                .forge(Forgery.copy().add(ForgedField.ADDRESS, 8).ahead());
        assertThat(List.of(add(1), add(2))).containsOnly(Status.SUCCESS);
        assertThat(pair.b().memory().readLong(0)).as("of the two").isEqualTo(1);
        world.await(pair.a().qp().modify(QpModify.to(QpState.RESET)));
        world.await(pair.b().qp().modify(QpModify.to(QpState.RESET)));
        assertThatCode(() -> world.heal(Duration.ofSeconds(60))).doesNotThrowAnyException();
        world.close();
    }

    /** Both arrive in one turn; each reads for its own request, which the check relies on. */
    @Test
    void aReadOfMemoryIsCausedByItsOwnRequest() {
        world.network().setLink(world.adapter("a"), LinkProperties.IDEAL);
        world.network().setLink(world.adapter("b"), LinkProperties.IDEAL);
        world.settle();
        world.faults()
                .on(packet().readRequest())
                .nth(2)
                .forge(Forgery.copy().add(ForgedField.PSN, -1).add(ForgedField.RKEY, 1));
        for (int i = 0; i < 2; i++) {
            pair.a().qp().post(RdmaRead.of(i, pair.a().slice(0, 64), pair.b().remote(64L * i)));
        }
        world.settle();
        assertThat(world.trace().of(HcaEvent.MemoryRead.class).filter(HcaEvent.MemoryRead::remote))
                .hasSize(2)
                .allSatisfy(read -> assertThat(world.trace().events())
                        .filteredOn(event -> event.stamp().id() == read.stamp().cause())
                        .singleElement()
                        .isInstanceOfSatisfying(
                                FabricEvent.Delivered.class,
                                request -> assertThat(request.packet().reth().address())
                                        .isEqualTo(read.address())));
        world.close();
    }
}
