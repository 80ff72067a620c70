// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import static org.assertj.core.api.Assertions.assertThat;

import net.bytebuddy.asm.Advice;
import org.hcaactors.fabric.packet.Psn;
import org.junit.jupiter.api.Test;

class SlipsTest {
    static final class ThrowsByItself {
        @Advice.OnMethodEnter
        static void enter() {
            throw new ClassCastException("a clumsy patch");
        }
    }

    @Test
    void whatAPatchThrowsByItselfIsNoticed() throws Exception {
        Slips.take();
        AutoCloseable planted = new Patch("fabric.packet.Psn", "compare", ThrowsByItself.class).apply();
        try (planted) {
            Psn.compare(1, 2);
        } catch (ClassCastException expected) {
            // The method's callers see it as they see what an adapter throws.
        }
        assertThat(Slips.take()).containsInstanceOf(ClassCastException.class);
        assertThat(Slips.take()).isEmpty();
    }

    @Test
    void whatAnotherMethodThrowsIsNoSlip() {
        Slips.take();
        Slips.leaving(new NullPointerException(), "org.hcaactors.fabric.packet.Psn", "compare");
        assertThat(Slips.take()).isEmpty();
    }
}
