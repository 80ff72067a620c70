// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.Optional;
import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.dc.DcIngress.Peer;
import org.hcaactors.adapter.flow.NoSession;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.judge.planted.MarkedField;

/** Advice for planted bugs of this package. */
public final class DcBugs {
    private DcBugs() {}

    /** Reserves all responders, however many are left. */
    public static final class SparesAll {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(1) int left, @Advice.Return(readOnly = false) Optional<NoSession> refusal) {
            if (left <= 3) {
                refusal = Optional.of(new NoSession.FewResponders(left, 0));
            }
        }
    }

    /** Treats each CONNECT, also a duplicate, as one of another peer. */
    public static final class IsAnother {
        @Advice.OnMethodExit
        static void exit(@MarkedField(value = "dc-responder.over", readOnly = false) Optional<StateReason> over) {
            over = Optional.of(StateReason.SESSION_REPLACED);
        }
    }

    /** Treats all initiators of a node as one. */
    public static final class OfANode {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) Packet packet, @Advice.Return(readOnly = false) Peer peer) {
            peer = new Peer(peer.source(), 0, peer.channel());
        }
    }

    /** Refuses a path from an unused GID table entry. */
    public static final class NeedsASource {
        @Advice.OnMethodExit
        static void exit(@Advice.Return Route route) {
            if (route.source().isUnspecified()) {
                throw VerbsException.invalid("an entry that is not in use");
            }
        }
    }

    /** Checks the target's attributes for each peer. */
    public static final class NeedsAPath {
        @Advice.OnMethodEnter
        static void enter(
                @MarkedField("dc-target-machine.port") LocalPort port,
                @MarkedField("dc-target-machine.path") GlobalRoute path) {
            port.attributes().gid(path.sourceGidIndex());
        }
    }
}
