// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.closing;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.client.pool.DciPool;
import org.hcaactors.client.pool.DciPoolDescription;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handles of more than one object: pairs, pools, endpoints, processes. */
class ClosingHandlesTest {
    private final World world = World.of(12);
    private final HostProcess process =
            world.network().addAdapter("a", Profile.CONNECTX_5).process("app");
    private final ProtectionDomain here = process.open().allocatePd();
    private final ProtectionDomain there = world.network()
            .addAdapter("b", Profile.CONNECTX_5)
            .process("app")
            .open()
            .allocatePd();

    @AfterEach
    void close() {
        world.close();
    }

    private static void closesTwice(Handle handle) {
        handle.close();
        handle.close();
    }

    private void nothingIsOpenIn(ProtectionDomain domain) {
        world.await(domain.closeAsync());
    }

    @Test
    void aPairClosesBothQueuePairs() {
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(here, there));
        assertThat(pair.describe())
                .contains(pair.local().describe(), pair.remote().describe());
        closesTwice(pair);
        nothingIsOpenIn(here);
        nothingIsOpenIn(there);
    }

    @Test
    void aPairOfWhichOneIsClosedClosesTheOther() {
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(here, there));
        pair.local().close();
        pair.close();
        assertThat(pair.remote().state()).isNotEqualTo(QpState.RTS);
        nothingIsOpenIn(there);
    }

    @Test
    void aPoolClosesItsInitiators() {
        DciPool pool = world.await(DciPool.create(here, DciPoolDescription.DEFAULT));
        closesTwice(pool);
        nothingIsOpenIn(here);
    }

    @Test
    void anEndpointClosesItsConnections() {
        TagEndpoint one = world.await(TagEndpoint.open(here, TagEndpointDescription.DEFAULT));
        TagEndpoint other = world.await(TagEndpoint.open(there, TagEndpointDescription.DEFAULT));
        TagPeer near = world.await(one.addPeer());
        TagPeer far = world.await(other.addPeer());
        world.await(near.connect(far.gid(), far.number(), RcConnection.DEFAULT));
        world.await(far.connect(near.gid(), near.number(), RcConnection.DEFAULT));
        closesTwice(near);
        closesTwice(one);
        closesTwice(other);
        nothingIsOpenIn(here);
        nothingIsOpenIn(there);
    }

    @Test
    void aProcessClosesWhatItHasOpen() {
        assertThat(process.describe()).isEqualTo("process app");
        closesTwice(process);
        assertThat(process.isAlive()).isFalse();
        assertThat(world.await(process.exit()).isEmpty()).isFalse();
    }
}
