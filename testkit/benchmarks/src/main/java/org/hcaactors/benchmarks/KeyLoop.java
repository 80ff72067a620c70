// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.network.RdmaNetwork;

/** RDMA WRITEs in bursts, with a wait for each burst: into a column of a matrix, and under one key or under many. */
final class KeyLoop implements AutoCloseable {
    private static final int STRIDE = 4096;

    private final int pieces;
    private final int pieceBytes;
    private final RdmaNetwork network = RdmaNetwork.start();
    private final QpPair<RcQueuePair> pair;
    private final MemoryRegion from;
    private final MemoryRegion matrix;
    private final IndirectKey column;
    private final List<MemoryRegion> many;
    private final ProtectionDomain domain;

    /** Memory of the rows, twice: a region maps the two sets alternately. */
    private final List<HostMemory> rows;

    private MemoryRegion changing;
    private int changes;

    KeyLoop(int pieces, int pieceBytes, int keys) {
        this.pieces = pieces;
        this.pieceBytes = pieceBytes;
        HostProcess alice = network.addAdapter("alice", Profile.CONNECTX_5).process("app");
        HostProcess bob = network.addAdapter("bob", Profile.CONNECTX_5).process("app");
        ProtectionDomain a = alice.open().allocatePd();
        ProtectionDomain b = bob.open().allocatePd();
        from = network.await(a.register(alice.allocate((long) pieces * pieceBytes), Access.LOCAL_WRITE));
        domain = b;
        rows = List.of(bob.allocate((long) pieces * STRIDE), bob.allocate((long) pieces * STRIDE));
        matrix = writable(b, rows.getFirst());
        changing = writable(b, rows.getFirst());
        many = IntStream.range(0, keys)
                .mapToObj(i -> writable(b, rows.getFirst()))
                .toList();
        QpCapacity capacity = QpCapacity.of(2 * pieces).withMaxSge(1).withMaxInlineBytes(0);
        pair = network.await(QpPair.connectRc(
                a,
                QpDescription.rc().withCapacity(capacity),
                b,
                QpDescription.rc().withCapacity(capacity).withKeyFilling(),
                RcConnection.DEFAULT.withMtu(PathMtu.BYTES_4096)));
        column = network.await(b.createIndirectKey(IndirectKeyDescription.of(2)));
        StridedSlice piece = StridedSlice.ofStride(matrix.lkey(), matrix.address(), pieceBytes, STRIDE);
        network.await(pair.remote()
                .submit(FillKey.of(1, column, KeyLayout.interleaved(pieces, piece))
                        .withAccess(Access.REMOTE_WRITE)));
    }

    private MemoryRegion writable(ProtectionDomain domain, HostMemory memory) {
        return network.await(domain.register(memory, Access.LOCAL_WRITE, Access.REMOTE_WRITE));
    }

    void column() {
        burst(1, i -> RdmaWrite.of(1, from.slice(0, pieces * pieceBytes), column.remote(0)));
    }

    void pieces() {
        burst(
                pieces,
                i -> RdmaWrite.of(i, from.slice((long) i * pieceBytes, pieceBytes), matrix.remote((long) i * STRIDE)));
    }

    void underOneKey() {
        burst(many.size(), i -> RdmaWrite.of(i, from.slice(0, pieceBytes), matrix.remote(0)));
    }

    void underEachKey() {
        burst(
                many.size(),
                i -> RdmaWrite.of(i, from.slice(0, pieceBytes), many.get(i).remote(0)));
    }

    private HostMemory otherRows() {
        return rows.get(++changes % rows.size());
    }

    void reregister() {
        network.await(changing.reregister(
                Reregistration.of(Reregistration.Change.TRANSLATION).withTranslation(otherRows())));
    }

    void replace() {
        network.await(changing.deregister());
        changing = writable(domain, otherRows());
    }

    /** Posts a burst; the completion of the last request shows that all are done. */
    private void burst(int requests, IntFunction<RdmaWrite> request) {
        for (int i = 0; i < requests - 1; i++) {
            pair.local().post(request.apply(i));
        }
        if (!network.await(pair.local().submit(request.apply(requests - 1))).isSuccess()) {
            throw new IllegalStateException("a WRITE failed");
        }
    }

    @Override
    public void close() {
        network.close();
    }
}
