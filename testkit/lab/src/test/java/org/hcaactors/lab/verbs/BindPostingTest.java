// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hcaactors.api.completion.Status;
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

/** What a bind that can't be is told, and whom it leaves as they were. */
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

    // rule window-post
    @Test
    void aPostedRequestBindsAWindowOfTypeOneAsTheVerbDoes() {
        MemoryWindow window = window(WindowType.TYPE_1);
        WindowBinding binding = WindowBinding.of(region);
        assertThat(world.await(b.qp().submit(BindWindow.of(1, window, binding))).status())
                .isEqualTo(Status.SUCCESS);
        int posted = window.rkey();
        b.qp().bind(2, window, binding, SendFlags.SIGNALED);
        world.settle();
        assertThat(window.rkey()).isEqualTo(MemoryWindow.next(posted));
        assertThatThrownBy(() -> b.qp().bind(3, window(WindowType.TYPE_2), binding, SendFlags.NONE))
                .hasMessageContaining("the verb binds windows of type 1");
    }

    @Test
    void aRegionThatAWindowIsBoundToSaysWhatIsToBeDoneFirst() {
        MemoryWindow window = window(WindowType.TYPE_2);
        BindWindow bind = BindWindow.of(1, window, WindowBinding.of(region));
        assertThat(world.await(b.qp().submit(bind)).status()).isEqualTo(Status.SUCCESS);
        assertThatThrownBy(() -> world.await(region.deregister()))
                .hasMessage(
                        "EBUSY: key 0x%08x has a window bound to it, which is to be unbound, invalidated or deallocated first"
                                .formatted(region.lkey()));
    }

    @Test
    void aRegionThatStaysForAWindowCanBeBoundToAgain() {
        MemoryWindow window = window(WindowType.TYPE_1);
        WindowBinding binding = WindowBinding.of(region);
        assertThat(world.await(b.qp().submit(BindWindow.of(1, window, binding))).status())
                .isEqualTo(Status.SUCCESS);
        assertThatThrownBy(() -> world.await(region.deregister())).hasMessageStartingWith("EBUSY");
        assertThat(world.await(b.qp().submit(BindWindow.of(2, window, binding))).status())
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void whatAWindowOfTypeOneCanNotBeSaysWhatCan() {
        MemoryWindow window = window(WindowType.TYPE_1);
        assertThatThrownBy(() -> b.qp().post(BindWindow.of(1, window, WindowBinding.withoutRegion(4096, 8))))
                .hasMessage("EINVAL: a bind of 8 bytes to no region; without one, 0 bytes at address 0 are bound");
        BindWindow zeroBased = BindWindow.of(1, window, WindowBinding.of(region).zeroBased());
        assertThatThrownBy(() -> b.qp().post(zeroBased))
                .hasMessage("EINVAL: a zero-based bind of a window of type 1; those of type 2 can be zero-based");
    }
}
