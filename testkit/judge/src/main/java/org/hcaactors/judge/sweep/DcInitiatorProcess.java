// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.lab.world.World;

/**
 * A DC initiator, with memory that holds the same cells as that of all other initiators. When it fails or is reset, it is
 * connected again.
 */
final class DcInitiatorProcess {
    private static final long RESULT = 2L * DcTargetProcess.CELL * DcTargetProcess.CELLS;

    private final SweepContext sweep;
    private final World world;
    private final RcConnection attributes;
    private final ProtectionDomain domain;
    private final MemoryRegion region;
    private final DcInitiator initiator;
    private final Map<Gid, AddressHandle> paths = new LinkedHashMap<>();
    private QueuePairLife life;

    DcInitiatorProcess(
            SweepContext sweep,
            Adapter node,
            String name,
            byte[] cells,
            boolean fullHandshake,
            RcConnection attributes) {
        this.sweep = sweep;
        this.attributes = attributes;
        world = sweep.world();
        HostProcess process = node.process(name);
        domain = process.open().allocatePd();
        HostMemory memory = process.allocate(RESULT + Long.BYTES);
        memory.write(0, cells);
        region = world.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        QpDescription<DcInitiator> requested = QpDescription.dc();
        initiator = world.await(domain.createQp(fullHandshake ? requested.withFullHandshake() : requested));
        world.await(initiator.open(attributes));
        life = sweep.promises().life("dynamic");
    }

    /** Returns the local source of a message. */
    LocalSlice source(int cell, int bytes) {
        return region.slice((long) DcTargetProcess.CELL * cell, bytes);
    }

    /** Returns where a READ puts its bytes. */
    LocalSlice target(int cell, int bytes) {
        return region.slice((long) DcTargetProcess.CELL * (DcTargetProcess.CELLS + cell), bytes);
    }

    LocalSlice result() {
        return region.slice(RESULT, Long.BYTES);
    }

    /**
     * Posts a request.
     *
     * @param mayFail failure statuses that are allowed when the results are checked; may change until then
     */
    void submit(Gid at, int target, long key, String what, RcWork work, Runnable check, Set<Status> mayFail) {
        AddressHandle path =
                paths.computeIfAbsent(at, gid -> world.await(domain.createAddressHandle(AddressVector.to(gid))));
        life.add(what, initiator.submit(DcAddress.of(path, target, DcAccessKey.of(key)), work), check, mayFail);
    }

    boolean hasEnded() {
        return life.requests().stream().allMatch(QueuePairLife.Request::hasEnded);
    }

    /** True if a request failed: what is posted now is flushed. */
    boolean hasFailed() {
        return life.requests().stream().anyMatch(QueuePairLife.Request::hasFailed);
    }

    /** Resets the initiator, which drops everything in progress, and opens it again; its PSNs continue. */
    void reset() {
        life.cutOff();
        sweep.runIfAlive("an initiator cannot be reset", () -> {
            world.await(initiator.modify(QpModify.to(QpState.RESET)).thenCompose(done -> initiator.open(attributes)));
            life = sweep.promises().life("dynamic");
        });
    }
}
