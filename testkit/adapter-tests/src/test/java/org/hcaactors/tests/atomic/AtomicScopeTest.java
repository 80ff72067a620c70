// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;

/** A program that changes a word with its own atomic instructions while peers do, on threads. */
class AtomicScopeTest {
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int ROUNDS = 500;

    // rule atomic-scope
    @Test
    void globalAtomicsLoseNoAddOfTheProgramOrItsPeers() {
        Profile profile = Profile.CONNECTX_5.with(Profile.CONNECTX_5.atomics().withScope(AtomicScope.GLOBAL));
        ByteBuffer own = ByteBuffer.allocateDirect(72).alignedSlice(8).order(ByteOrder.nativeOrder());
        try (RdmaNetwork network = RdmaNetwork.start()) {
            Adapter a = network.addAdapter("a", profile);
            Adapter b = network.addAdapter("b", profile);
            ConnectedPair pair = ConnectedPair.between(network, a, b);
            HostMemory memory = pair.b().side().context().process().map(own);
            MemoryRegion region = network.await(pair.b()
                    .side()
                    .domain()
                    .register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            List<CompletionStage<WorkCompletion>> stages = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                stages.add(pair.a().qp().submit(FetchAdd.of(i, pair.a().slice(0, 8), region.remote(0), 1)));
                stages.add(pair.a()
                        .qp()
                        .submit(MaskedFetchAdd.of(i, pair.a().slice(8, 4), region.remote(0), AtomicValue.ofInt(1))));
                WORD.getAndAdd(own, 0, 1L);
                if (i % 16 == 15) {
                    stages.forEach(network::await);
                    stages.clear();
                }
            }
            stages.forEach(network::await);
            assertThat((long) WORD.getVolatile(own, 0)).isEqualTo(3L * ROUNDS);
        }
    }
}
