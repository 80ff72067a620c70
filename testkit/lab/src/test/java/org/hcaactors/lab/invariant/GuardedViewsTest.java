// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Permission;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Guarded memory that several processes and keys map. */
class GuardedViewsTest {
    private static final AccessFlags ALL = AccessFlags.LOCAL_AND_REMOTE;
    private static final Duration REST = Duration.ofSeconds(60);

    private final World world = World.of(11);
    private final Adapter a = world.network().addAdapter("a", Profile.CONNECTX_6);
    private final Adapter b = world.network().addAdapter("b", Profile.CONNECTX_6);
    private final ConnectedPair pair =
            ConnectedPair.between(world.network(), a, b, Shape.DEFAULT.withMemoryBytes(4096));

    private final ProtectionDomain makers =
            b.process("maker", Credentials.of(7, 7)).open().allocatePd();
    private final MemoryRegion made = world.await(makers.register(
            Registration.allocated(4096).withAccess(ALL).withSharing(Permission.OTHER_READ, Permission.OTHER_WRITE)));
    private final MemoryRegion taken = world.await(pair.b().domain().registerShared(made.handle(), ALL));

    GuardedViewsTest() {
        world.guard(b, "maker", made.memory());
        world.guard(b, "app", taken.memory());
    }

    @AfterEach
    void close() {
        world.close();
    }

    private WorkCompletion done(RcWork work) {
        return done(pair.a().qp(), work);
    }

    private WorkCompletion done(RcQueuePair by, RcWork work) {
        WorkCompletion completion = world.await(by.submit(work));
        assertThat(completion.isSuccess()).isTrue();
        return completion;
    }

    private RcQueuePair to(ProtectionDomain domain) {
        return world.await(QpPair.connectRc(pair.a().domain(), domain)).local();
    }

    @Test
    void aWriteThroughOneViewIsVisibleInEveryView() {
        pair.a().memory().write(0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        done(RdmaWrite.of(1, pair.a().slice(0, 8), taken.remote(16)));
        done(to(makers), RdmaWrite.of(1, pair.a().slice(0, 8), made.remote(64)));
        assertThatCode(() -> world.heal(REST)).doesNotThrowAnyException();
    }

    @Test
    void physicalAddressesAreAViewToo() {
        ProtectionDomain roots = b.process("root", Credentials.ROOT).open().allocatePd();
        MemoryRegion whole = world.await(roots.register(Registration.physical().withAccess(ALL)));
        RemoteAddress there = new RemoteAddress(whole.rkey(), made.memory().busAddress() + 8);
        pair.a().memory().writeLong(0, 99);
        RcQueuePair toRoot = to(roots);
        done(toRoot, RdmaWrite.of(1, pair.a().slice(0, 8), there));
        done(toRoot, FetchAdd.of(1, pair.a().slice(8, 8), there, 1));
        assertThat(taken.memory().readLong(8)).isEqualTo(100);
        assertThatCode(() -> world.heal(REST)).doesNotThrowAnyException();
    }

    @Test
    void aNullRegionWritesNoMemory() {
        MemoryRegion none = world.await(pair.b().domain().allocateNullMr());
        LocalSlice anywhere = new LocalSlice(none.lkey(), taken.memory().address(), 8);
        pair.a().memory().writeLong(0, 5);
        done(pair.b().qp(), RdmaRead.of(1, anywhere, pair.a().remote(0)));
        assertThat(taken.memory().readLong(0)).isZero();
        assertThatCode(() -> world.heal(REST)).doesNotThrowAnyException();
    }

    // rule memory-atomic
    @Test
    void atomicsThroughAllViewsOfAWordAreOneHistory() {
        RcQueuePair toMaker = to(makers);
        for (int i = 0; i < 4; i++) {
            done(FetchAdd.of(1, pair.a().slice(8, 8), taken.remote(8), 1));
            done(toMaker, FetchAdd.of(1, pair.a().slice(16, 8), made.remote(8), 10));
        }
        assertThat(made.memory().readLong(8)).isEqualTo(44);
        assertThatCode(() -> world.heal(REST)).doesNotThrowAnyException();
    }
}
