// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.hcaactors.lab.assertion.RdmaAssertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.fault.ForgedField;
import org.hcaactors.lab.fault.Forgery;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.TraceState;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.Test;

// docs begin
class HostilePeerTest {
    /** Invariant of this program: no packet is retransmitted. */
    private static final class NoRetransmission implements Invariant {
        @Override
        public String name() {
            return "no-retransmission";
        }

        @Override
        public void on(TraceEvent event, TraceState known, Report report) {
            if (event instanceof HcaEvent.Retransmitting again) {
                report.broken(again.port() + "/" + again.element() + " sends psn " + again.psn() + " again: "
                        + ReasonTexts.of(again.reason()));
            }
        }
    }

    @Test
    void aForgedWriteUnderAGuessedKeyTouchesNothing() {
        try (World world = World.of(WorldOptions.of(7).with(new NoRetransmission()))) {
            Adapter b = world.adapter("b");
            ConnectedPair pair = world.connect(world.adapter("a"), b);
            world.guard(b, "app", pair.b().memory()); // a shadow is kept of every byte that a request may write
            world.faults()
                    .on(packet().write())
                    .first()
                    .forge(Forgery.copy().add(ForgedField.RKEY, 5).ahead());

            var done = pair.a()
                    .qp()
                    .submit(RdmaWrite.of(1, pair.a().slice(0, 64), pair.b().remote(0)));

            assertThat(world.await(done))
                    .hasStatus(Status.REM_ACCESS_ERR); // b refuses the forged one, and ends the connection
            assertThat(pair.b().memory()).holds(0, new byte[64]);
        }
    }
}
// docs end
