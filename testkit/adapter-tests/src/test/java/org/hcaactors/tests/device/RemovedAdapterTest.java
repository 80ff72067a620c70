// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Adapters that leave their network. */
// rule placement-remove
class RemovedAdapterTest {
    private final World world = World.of(1);
    private final Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
    private final Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5);

    @AfterEach
    void close() {
        world.close();
    }

    private Status write(ConnectedPair pair) {
        return world.await(pair.a()
                        .submit(RdmaWrite.of(
                                1, pair.a().region().slice(0, 8), pair.b().remote(0))))
                .status();
    }

    @Test
    void anAdapterWithQueuePairsStays() {
        ConnectedPair pair = world.connect(a, b);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> world.await(world.network().removeAdapter(b)))
                .withMessageContaining("adapter b has 1 queue pair;")
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EBUSY));
        assertThat(write(pair)).isEqualTo(Status.SUCCESS);
    }

    @Test
    void anotherAdapterMayHaveTheNameOfARemovedOne() {
        DeviceContext context = b.process("app").open();
        CompletionQueue queue = world.await(context.createCq(4));
        world.await(world.network().removeAdapter(b));
        assertThat(world.network().adapter("b")).isEmpty();
        assertThat(world.network().adapters()).containsExactly(a);
        assertThat(world.network().leaks().isEmpty()).isTrue();
        assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> world.await(context.createCq(4)));
        assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> world.await(queue.resize(8)));

        Adapter again = world.network().addAdapter("b", Profile.CONNECTX_5);
        assertThat(again.gid()).isNotEqualTo(b.gid());
        ConnectedPair pair = world.connect(a, again);
        assertThat(write(pair)).isEqualTo(Status.SUCCESS);
    }

    @Test
    void aQueuePairThatIsDestroyedDoesNotHoldItsAdapter() {
        ProtectionDomain domain = b.process("app").open().allocatePd();
        RcQueuePair qp = world.await(domain.createQp(QpDescription.rc()));
        world.await(qp.closeAsync());
        world.await(world.network().removeAdapter(b));
        assertThat(world.network().adapter("b")).isEmpty();
    }

    @Test
    void packetsToARemovedAdapterAreLost() {
        ConnectedPair pair = world.connect(a, b);
        world.await(pair.b().qp().closeAsync());
        world.await(world.network().removeAdapter(b));
        assertThat(write(pair)).isEqualTo(Status.RETRY_EXC_ERR);
    }

    @Test
    void aRemovedAdapterIsNotOnItsNetwork() {
        world.await(world.network().removeAdapter(b));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> world.network().removeAdapter(b))
                .withMessageContaining("is not on this network");
        assertThatIllegalArgumentException().isThrownBy(() -> world.network().unplug(b));
    }
}
