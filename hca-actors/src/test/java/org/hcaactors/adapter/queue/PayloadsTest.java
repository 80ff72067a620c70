package org.hcaactors.adapter.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.PathMtu;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrays that payloads travel in: shared by a burst, and used again only when nobody can look at them any more. */
class PayloadsTest {
    private static final int LENGTH = 60_000;

    private static Rig rig(boolean kept) {
        Rig rig = new Rig(Rig.TERMS.withMtu(PathMtu.BYTES_4096).withRnr(7, 1), Profile.CONNECTX_5, false);
        rig.a.keepsPackets = kept;
        rig.b.keepsPackets = kept;
        return rig;
    }

    @Test
    void withoutAcknowledgementsAtMostSoMuchIsOut() {
        Rig rig = rig(false);
        rig.lets = (from, packet) -> from == rig.a;
        for (int i = 0; i < 20; i++) {
            rig.a.post(RdmaWrite.of(i, rig.a.slice(0, LENGTH), rig.b.remote(0)));
        }
        rig.run();
        int bytes = rig.wire.stream()
                .filter(packet -> packet.operation().isWrite())
                .mapToInt(packet -> packet.payload().length())
                .sum();
        assertThat(bytes).isBetween(3 * Payloads.BURST_BYTES, 5 * Payloads.BURST_BYTES);
        assertThat(rig.wire).anyMatch(packet -> packet.bth().ackReq());
    }

    @Test
    void wherePacketsAreKeptNothingHasToComeBack() {
        Rig rig = rig(true);
        rig.lets = (from, packet) -> from == rig.a;
        for (int i = 0; i < 20; i++) {
            rig.a.post(RdmaWrite.of(i, rig.a.slice(0, LENGTH), rig.b.remote(0)));
        }
        rig.run();
        assertThat(rig.wire.stream().filter(p -> p.operation().isWrite()).count())
                .isEqualTo(20 * 15);
    }

    @Test
    void wherePacketsAreKeptNoPayloadEverChanges() {
        Rig rig = rig(true);
        for (int i = 0; i < 30; i++) {
            rig.fill(rig.a, 0, LENGTH, i);
            rig.a.post(RdmaWrite.of(i, rig.a.slice(0, LENGTH), rig.b.remote(0)));
            int before = rig.wire.size();
            rig.run();
            Octets first = rig.wire.get(before).payload();
            assertThat(first.toArray()).isEqualTo(rig.a.memory.read(0, first.length()));
        }
        Packet oldest = rig.wire.getFirst();
        rig.fill(rig.a, 0, LENGTH, 0);
        assertThat(oldest.payload().toArray()).isEqualTo(rig.a.memory.read(0, 4096));
    }

    /** With loss in both directions, so that arrays are given up and taken again in every order. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void everyByteArrivesWhileArraysAreUsedAgain(long seed) {
        Rig rig = rig(false);
        SplittableRandom chance = new SplittableRandom(seed);
        rig.lets = (from, packet) -> chance.nextInt(100) >= 3;
        for (int round = 0; round < 40; round++) {
            int length = 1 + chance.nextInt(round % 2 == 0 ? 200 : 30_000);
            int offset = chance.nextInt(1000);
            rig.fill(rig.a, 0, 32_000, round);
            boolean send = chance.nextBoolean();
            rig.b.postReceive(Receive.of(round, rig.b.slice(0, 32_000)));
            if (send) {
                rig.a.post(Send.of(round, rig.a.slice(offset, length)).signaled());
            } else {
                rig.a.post(RdmaWrite.of(round, rig.a.slice(offset, length), rig.b.remote(0))
                        .withImmediate(1)
                        .signaled());
            }
            rig.runToQuiet();
            assertThat(rig.b.memory.read(0, length)).isEqualTo(rig.a.memory.read(offset, length));
        }
        assertThat(rig.a.sendStatuses()).hasSize(40).containsOnly(Status.SUCCESS);
    }
}
