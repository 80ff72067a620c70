// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Permission;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;

/**
 * A region of memory that another process created and shares with others on its host, but not with its own group. That process
 * leaves at any time, others open and close it, and the memory lives until the last one closes it.
 */
final class SharedRegion extends SpecialRegion {
    private static final String MAKER = "maker";
    private static final int OF_THE_MAKER = 7;
    private static final String STRANGER = "stranger";

    private final MemoryRegion made;
    private final HostMemory makerMemory;
    private final MemoryRegion region;
    private final HostMemory memory;
    private Optional<CompletionStage<Void>> makerLeft = Optional.empty();

    SharedRegion(SpecialRegionSlot place) {
        super(place);
        made = await(process(MAKER, OF_THE_MAKER).register(offer()));
        makerMemory = made.memory();
        place.begins(MAKER, makerMemory);
        region = await(place.domain().registerShared(made.handle(), AccessFlags.LOCAL_AND_REMOTE));
        memory = region.memory();
        place.guard(SweepNode.PROCESS, memory);
    }

    private Registration offer() {
        List<Permission> permissions = new ArrayList<>(List.of(Permission.OTHER_READ, Permission.OTHER_WRITE));
        for (Permission of : List.of(Permission.USER_READ, Permission.USER_WRITE, Permission.GROUP_READ)) {
            if (place.random().nextBoolean()) {
                permissions.add(of);
            }
        }
        Registration offer = Registration.allocated(BYTES).withSharing(permissions.toArray(Permission[]::new));
        return place.random().nextBoolean()
                ? offer.withoutRdma()
                : offer.withAccess(AccessFlags.of(Access.LOCAL_WRITE, Access.REMOTE_READ));
    }

    private ProtectionDomain process(String name, int user) {
        return place.site()
                .adapter
                .process(name, Credentials.of(user, OF_THE_MAKER))
                .open()
                .allocatePd();
    }

    private <T> T await(CompletionStage<T> stage) {
        return place.sweep().world().await(stage);
    }

    @Override
    MemoryRegion region() {
        return region;
    }

    @Override
    Optional<byte[]> gives(int offset, int bytes) {
        return bytes(memory, offset, bytes).or(() -> bytes(makerMemory, offset, bytes));
    }

    @Override
    void change() {
        switch (place.random().nextInt(3)) {
            case 0 -> makerLeaves();
            case 1 -> memberOfItsGroupAsks();
            default -> anotherComesAndGoes();
        }
    }

    // rule memory-shared
    private void makerLeaves() {
        if (makerLeft.isEmpty()) {
            makerLeft = Optional.of(made.deregister());
            unmaps("deregistration by the creator", makerLeft.get(), makerMemory);
        } else if (makerLeft.get().toCompletableFuture().isDone()) {
            refused(
                    "registration after the creator has left",
                    place.domain().registerShared(made.handle(), AccessFlags.NONE),
                    Errno.EINVAL);
        }
    }

    // rule memory-shared
    /** Tries to register as a member of the creator's group: the group's permissions apply to it, not those of others. */
    private void memberOfItsGroupAsks() {
        ProtectionDomain member = process(STRANGER, OF_THE_MAKER + 1);
        AccessFlags writes = AccessFlags.of(Access.LOCAL_WRITE);
        refused(
                "registration for writing by a member",
                member.registerShared(made.handle(), writes),
                Errno.EACCES,
                Errno.EINVAL);
    }

    private void anotherComesAndGoes() {
        AccessFlags reads = AccessFlags.of(Access.REMOTE_READ);
        CompletionStage<Void> closed =
                place.domain().registerShared(made.handle(), reads).thenCompose(another -> another.deregister());
        // The creator may have left.
        place.sweep().promises().verb("registration and deregistration by another member", closed, Errno.EINVAL);
    }

    @Override
    boolean disturb() {
        switch (place.random().nextInt(3)) {
            case 0 -> leavesIt();
            case 1 -> movesAway();
            default -> end();
        }
        return true;
    }

    /** Reregisters with memory of its own, elsewhere. */
    private void leavesIt() {
        HostMemory own = place.site().context.process().allocate(1);
        Reregistration other = Reregistration.of(Change.TRANSLATION).withTranslation(Registration.of(own));
        unmaps("re-registration with own memory", region.reregister(other), memory, Errno.EINVAL);
    }

    private void movesAway() {
        Reregistration away = Reregistration.of(Change.DOMAIN)
                .withDomain(place.domain().context().allocatePd());
        place.sweep().promises().verb("re-registration in another domain", region.reregister(away), Errno.EINVAL);
    }

    @Override
    void end() {
        unmaps("deregistration", deregistered(), memory);
    }
}
