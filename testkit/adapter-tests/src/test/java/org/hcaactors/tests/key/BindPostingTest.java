// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Refusals of impossible binds, which leave the window and the queue pair unchanged. */
class BindPostingTest {
    private final World world = World.of(7);
    private final RcEnd b =
            world.connect(world.adapter("a"), world.adapter("b")).b();
    private final MemoryRegion region =
            world.await(b.domain().register(b.memory(), Access.LOCAL_WRITE, Access.MW_BIND));

    @AfterEach
    void close() {
        world.close();
    }

    private MemoryWindow window(WindowType type) {
        return world.await(b.domain().allocateWindow(type));
    }

    private static void isRefused(ThrowingCallable bind) {
        assertThatThrownBy(bind)
                .isInstanceOf(VerbsException.class)
                .hasMessageStartingWith("EINVAL")
                .hasMessageEndingWith(
                        " is of type 1; bind it with the verb bind, as a posted request binds only windows of type 2");
    }

    // rule window-post
    @Test
    void aType1WindowIsBoundByTheVerbOnly() {
        MemoryWindow window = window(WindowType.TYPE_1);
        WindowBinding binding = WindowBinding.of(region);
        int before = window.rkey();
        isRefused(() -> b.qp().post(BindWindow.of(1, window, binding)));
        isRefused(() -> world.await(b.qp().submit(BindWindow.of(1, window, binding))));
        assertThat(window.rkey()).isEqualTo(before);
        assertThat(world.await(b.qp().submitBind(1, window, binding)).status()).isEqualTo(Status.SUCCESS);
        int bound = window.rkey();
        b.qp().bind(2, window, binding, SendFlags.SIGNALED);
        world.settle();
        assertThat(window.rkey()).isEqualTo(MemoryWindow.nextKey(bound));
    }

    // rule window-post
    @Test
    void theVerbRefusesAType2Window() {
        MemoryWindow window = window(WindowType.TYPE_2);
        WindowBinding binding = WindowBinding.of(region);
        assertThatThrownBy(() -> b.qp().bind(3, window, binding, SendFlags.NONE))
                .hasMessageContaining("the verb binds only windows of type 1");
        assertThatThrownBy(() -> world.await(b.qp().submitBind(3, window, binding)))
                .hasMessageContaining("the verb binds only windows of type 1");
    }

    @Test
    void aRegionWithABoundWindowNamesTheRequiredSteps() {
        MemoryWindow window = window(WindowType.TYPE_2);
        BindWindow bind = BindWindow.of(1, window, WindowBinding.of(region));
        assertThat(world.await(b.qp().submit(bind)).status()).isEqualTo(Status.SUCCESS);
        assertThatThrownBy(() -> world.await(region.deregister()))
                .hasMessage("EBUSY: key 0x%08x has a window bound to it; unbind, invalidate or deallocate it first"
                        .formatted(region.lkey()));
    }

    @Test
    void aRegionThatFailedToDeregisterCanBeBoundAgain() {
        MemoryWindow window = window(WindowType.TYPE_1);
        WindowBinding binding = WindowBinding.of(region);
        assertThat(world.await(b.qp().submitBind(1, window, binding)).status()).isEqualTo(Status.SUCCESS);
        assertThatThrownBy(() -> world.await(region.deregister())).hasMessageStartingWith("EBUSY");
        assertThat(world.await(b.qp().submitBind(2, window, binding)).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void anUnsupportedBindOfAType1WindowNamesTheSupportedOne() {
        MemoryWindow window = window(WindowType.TYPE_1);
        WindowBinding toNothing = WindowBinding.withoutRegion(4096, 8);
        assertThatThrownBy(() -> b.qp().bind(1, window, toNothing, SendFlags.NONE))
                .hasMessage("EINVAL: 8 bytes can't be bound without a region; only 0 bytes at address 0 can");
        WindowBinding zeroBased = WindowBinding.of(region).withZeroBased();
        assertThatThrownBy(() -> b.qp().bind(1, window, zeroBased, SendFlags.NONE))
                .hasMessage("EINVAL: a window of type 1 can't be bound zero-based; only windows of type 2 can");
    }
}
