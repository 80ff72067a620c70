// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** As many windows and indirect keys as the profile allows, and no more. */
class KeyLimitTest {
    private final World world = World.of(31);
    private final Profile few = Profile.CONNECTX_5
            .with(Profile.CONNECTX_5.windows().withMaxWindows(2))
            .with(Profile.CONNECTX_5.indirectKeys().withMaxKeys(2));
    private final Adapter adapter = world.network().addAdapter("few", few);
    private final ProtectionDomain domain = adapter.process("app").open().allocatePd();
    private final ProtectionDomain others = adapter.process("other").open().allocatePd();

    @AfterEach
    void close() {
        world.close();
    }

    private void fewOf(
            Supplier<CompletionStage<? extends Handle>> here, Supplier<CompletionStage<? extends Handle>> there) {
        Handle first = world.await(here.get());
        world.await(there.get());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> world.await(here.get()))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
        }
        world.await(first.closeAsync());
        world.await(there.get());
        assertThat(world.await(adapter.process("other").exit()).isEmpty()).isFalse();
        world.await(here.get());
    }

    // rule window-limit
    @Test
    void theWindowLimitCountsBothTypesAndAllProcesses() {
        fewOf(() -> domain.allocateWindow(WindowType.TYPE_1), () -> others.allocateWindow(WindowType.TYPE_2));
    }

    // rule indirect-limits
    @Test
    void theIndirectKeyLimitCountsAllProcesses() {
        IndirectKeyDescription requested = IndirectKeyDescription.of(1);
        fewOf(() -> domain.createIndirectKey(requested), () -> others.createIndirectKey(requested));
    }

    // rule window-limit
    @Test
    void onlyWindowsCountAgainstTheWindowLimit() {
        world.await(domain.allocateWindow(WindowType.TYPE_1));
        world.await(domain.createIndirectKey(IndirectKeyDescription.of(1)));
        world.await(domain.createIndirectKey(IndirectKeyDescription.of(1)));
        world.await(domain.register(adapter.process("app").allocate(8)));
        world.await(domain.allocateWindow(WindowType.TYPE_2));
    }
}
