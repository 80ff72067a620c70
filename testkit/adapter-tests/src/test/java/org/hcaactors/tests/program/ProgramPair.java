// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.program;

import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.hcaactors.tests.setup.SparseProgram;

/** Two connected adapters: one of a process in the JVM, and one of a program with memory of its own. */
final class ProgramPair implements AutoCloseable {
    static final int PAGE = SparseProgram.PAGE;
    static final int BYTES = 16 * PAGE;
    static final long BASE = 0x55AA_0000_3000L;

    final World world = World.of(5);
    final SparseProgram program = new SparseProgram().map(BASE, BYTES);
    final HostProcess process;
    final ProtectionDomain domain;

    /** The process in the JVM. */
    final RcEnd a;

    /** The program. */
    final RcEnd b;

    ProgramPair() {
        this(Profile.CONNECTX_6, half -> half);
    }

    ProgramPair(Profile profile, UnaryOperator<Half> settings) {
        Adapter there = world.network().addAdapter("b", profile);
        process = there.process("program", program);
        domain = process.open().allocatePd();
        Adapter here = world.network().addAdapter("a", profile);
        Side left = Side.of(world.network(), here, "app", BYTES);
        HostMemory memory = process.mapAt(BASE, BYTES);
        Side right = new Side(there, domain.context(), domain, memory, registered(Registration.of(memory)));
        Ends<RcEnd> ends = RcEnd.connect(
                world.network(), settings.apply(half(left)), settings.apply(half(right)), RcConnection.DEFAULT);
        a = ends.a();
        b = ends.b();
    }

    private Half half(Side side) {
        return Half.on(side)
                .withSendCq(world.await(side.context().createCq(CqDescription.of(64))))
                .withRecvCq(world.await(side.context().createCq(CqDescription.of(64))));
    }

    /** Registers memory of the program with every access right. */
    MemoryRegion registered(Registration requested) {
        return world.await(domain.register(requested.withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    }

    Status byA(RcWork work) {
        return status(a.qp().submit(work));
    }

    Status byB(RcWork work) {
        return status(b.qp().submit(work));
    }

    private Status status(CompletionStage<WorkCompletion> stage) {
        return world.await(stage).status();
    }

    static byte[] counted(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i % 251 + 1);
        }
        return bytes;
    }

    @Override
    public void close() {
        world.close();
    }
}
