// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.adapter.cm.CmWire.SERVICE;
import static org.hcaactors.adapter.cm.CmWire.TIMEOUTS;
import static org.hcaactors.adapter.cm.CmWire.terms;

import java.util.List;
import org.hcaactors.adapter.cm.CmWire.Node;
import org.hcaactors.fabric.packet.Octets;
import org.junit.jupiter.api.Test;

/** Requests for more connections than a listener's backlog has room for. */
class CmBacklogTest {
    private static final int CLIENT_QP = 40;

    private final CmWire wire = new CmWire();
    private final Node client = wire.node(1);
    private final Node server = wire.node(2);

    private void connect(int qp) {
        assertThat(client.agent.connect(server.at, SERVICE, terms(qp), Octets.NONE, wire.now()))
                .isPresent();
    }

    /** Returns the communication ID of the last request. */
    private int requested() {
        return server.last(CmEffect.Requested.class).commId();
    }

    // rule cm-listen
    @Test
    void aRequestThatIsBeingAcceptedLeavesTheBacklog() {
        server.agent.listen(SERVICE, 1);
        connect(CLIENT_QP);
        wire.settle();
        server.agent.accepting(requested());
        server.agent.accepting(requested());
        connect(CLIENT_QP + 1);
        wire.settle();
        connect(CLIENT_QP + 2);
        wire.settle();
        assertThat(server.reports(CmEffect.Requested.class)).hasSize(2);
    }

    // rule cm-spread
    @Test
    void requestsThatWereDroppedTogetherAreRepeatedApart() {
        wire.judge = each -> List.of();
        for (int i = 0; i < 64; i++) {
            connect(CLIENT_QP + i);
        }
        long first = client.agent.nextDeadline();
        wire.runUntil(first);
        assertThat(wire.kinds()).hasSizeBetween(64, 70);
        wire.runUntil(TIMEOUTS.waitNanos(TIMEOUTS.responseCode()) + CmTimeouts.maxSpreadNanos(TIMEOUTS.responseCode()));
        assertThat(wire.kinds()).hasSize(128);
    }
}
