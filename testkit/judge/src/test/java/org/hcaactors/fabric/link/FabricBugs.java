// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.List;
import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.judge.planted.MarkedField;

/** Advice for planted bugs of the fabric, in its package. */
public final class FabricBugs {
    private FabricBugs() {}

    public static final class Fits {
        public static boolean fits(Port port, Packet packet) {
            return true;
        }
    }

    /** Forgets all ports that claimed an address when one of them gives it up. */
    public static final class ForgetsAll {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(1) PortAddress address,
                @MarkedField("address-table.claims") Map<PortAddress, List<Port>> claims) {
            claims.remove(address);
        }
    }

    /** Compares PSNs as plain numbers, without the wrap. */
    public static final class AsNumbers {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) int one,
                @Advice.Argument(1) int other,
                @Advice.Return(readOnly = false) int difference) {
            difference = one - other;
        }
    }
}
