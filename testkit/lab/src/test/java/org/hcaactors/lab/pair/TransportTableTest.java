// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The capabilities of each transport, determined by using them; the result is the README's table, line by line. */
@Tag("nightly")
class TransportTableTest {
    private static final List<Transport> COLUMNS =
            List.of(Transport.UD, Transport.UC, Transport.RC, Transport.XRC, Transport.DC);
    private static final long GIB = 1L << 30;

    /** Sends a request from the first end to the second. */
    private interface Verb {
        WorkRequest between(End a, End b);
    }

    private static final Verb SEND = (a, b) -> Send.of(1, a.slice(0, 64));
    private static final Verb WRITE = (a, b) -> RdmaWrite.of(2, a.slice(0, 64), b.remote(0));
    private static final Verb READ = (a, b) -> RdmaRead.of(3, a.slice(0, 64), b.remote(0));
    private static final Verb ATOMIC = (a, b) -> FetchAdd.of(4, a.slice(0, 8), b.remote(0), 1);

    private static Ends<?> ends(World world, Transport transport) {
        Ends<?> ends = transport.between(world.network(), world.adapter("a"), world.adapter("b"), Shape.DEFAULT);
        ends.b().postReceive(Receive.of(9, ends.b().slice(4096, 512)));
        return ends;
    }

    /** Returns V if all requests succeed, X if one is refused at posting. */
    private static Function<Transport, String> does(Verb... verbs) {
        return transport -> {
            try (World world = World.of(4)) {
                Ends<?> ends = ends(world, transport);
                for (Verb verb : verbs) {
                    assertThat(world.await(ends.a().submit(verb.between(ends.a(), ends.b())))
                                    .status())
                            .isEqualTo(Status.SUCCESS);
                }
                return "V";
            } catch (VerbsException refused) {
                assertThat(refused).hasMessageContaining(transport + " carries no ");
                return "X";
            }
        };
    }

    /**
     * Returns the maximum length with which a SEND arrives; with one byte more it fails before a packet is sent. A null MR
     * serves as the memory of both ends, so that a gigabyte needs no memory.
     */
    // rules rc-message-limit, ud-one-packet
    private static String longest(Transport transport) {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            Adapter a = network.addAdapter("a", Profile.CONNECTX_5);
            Ends<?> ends = transport.between(network, a, network.addAdapter("b", Profile.CONNECTX_5), Shape.DEFAULT);
            MemoryRegion from = network.await(ends.a().domain().allocateNullMr());
            MemoryRegion into = network.await(ends.b().domain().allocateNullMr());
            long mtu = a.port(1).activeMtu().bytes();
            long max = transport == Transport.UD ? mtu : a.profile().port().maxMessageBytes();
            ends.b()
                    .postReceive(Receive.of(
                            1, new LocalSlice(into.lkey(), 0, Math.toIntExact(max + transport.headroomBytes()))));
            assertThat(network.await(ends.a().submit(Send.of(2, new LocalSlice(from.lkey(), 0, Math.toIntExact(max)))))
                            .status())
                    .isEqualTo(Status.SUCCESS);
            assertThat(network.await(ends.b().recvCq().poll(1))).allMatch(WorkCompletion::isSuccess);
            assertThat(network.await(ends.a()
                                    .submit(Send.of(3, new LocalSlice(from.lkey(), 0, Math.toIntExact(max + 1)))))
                            .status())
                    .isEqualTo(Status.LOC_LEN_ERR);
            return max == mtu ? "MTU" : max == GIB ? "1 GiB" : max + " bytes";
        }
    }

    /** Returns V if a message arrives although its first packet is lost. */
    private static String survivesLoss(Transport transport) {
        try (World world = World.of(4)) {
            Ends<?> ends = ends(world, transport);
            world.faults().on(packet().from(world.adapter("a"))).first().drop();
            ends.a().post(SEND.between(ends.a(), ends.b()));
            world.runFor(Duration.ofSeconds(2));
            return world.await(ends.b().recvCq().poll(1)).isEmpty() ? "X" : "V";
        }
    }

    @Test
    void theTransportTableEqualsTheTransports() throws IOException {
        List<String> page = Files.readAllLines(Path.of("../../docs/reference/modelled.md"));
        assertThat(page)
                .containsAll(Stream.of(
                                row("Send/Recv", does(SEND)),
                                row("RDMA Write", does(WRITE)),
                                row("RDMA Read / Atomic", does(READ, ATOMIC)),
                                row("Max. message", TransportTableTest::longest),
                                row("A lost packet is made good, in order", TransportTableTest::survivesLoss))
                        .toList());
    }

    private static String row(String name, Function<Transport, String> cell) {
        return COLUMNS.stream().map(cell).collect(Collectors.joining(" | ", "| " + name + " | ", " |"));
    }
}
