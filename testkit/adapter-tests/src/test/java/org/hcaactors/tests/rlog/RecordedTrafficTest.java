// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.rlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.judge.sweep.MixedTraffic;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogFormatException;
import org.hcaactors.views.rlog.RlogReader;
import org.hcaactors.views.rlog.RlogWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A recorded file has all of the trace of any traffic; tests also what remains of a damaged file. */
@Tag("nightly")
class RecordedTrafficTest {
    private static final Rlog.Header HEADER = new Rlog.Header("a test", OptionalLong.of(7), "faults = []");

    private static List<TraceEvent> traffic(long seed) {
        World world = World.of(seed);
        try {
            world.faults()
                    .arm(Sweep.of(1)
                            .with(seed % 2 == 0 ? Swarm.HOSTILE : Swarm.DISASTER)
                            .plan(seed));
            MixedTraffic.run(world);
        } finally {
            world.close();
        }
        return world.trace().events();
    }

    private static byte[] written(List<TraceEvent> events) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RlogWriter.write(HEADER, events, 0, out);
        return out.toByteArray();
    }

    private static Rlog read(byte[] bytes) throws IOException {
        return RlogReader.read(new ByteArrayInputStream(bytes));
    }

    @Test
    void aReadTraceEqualsTheRecordedOne() throws IOException {
        Set<String> seen = new TreeSet<>();
        for (long seed = 1; seed <= 12; seed++) {
            List<TraceEvent> events = traffic(seed);
            Rlog rlog = read(written(events));
            assertThat(rlog.header()).isEqualTo(HEADER);
            assertThat(rlog.trailer()).contains(new Rlog.Trailer(events.size(), 0));
            assertThat(rlog.unknown()).isZero();
            assertThat(rlog.events()).hasSameSizeAs(events);
            for (int i = 0; i < events.size(); i++) {
                assertThat(rlog.events().get(i)).isEqualTo(events.get(i));
            }
            events.forEach(event -> seen.add(event.getClass().getSimpleName()));
            assertThat(Ladder.of(rlog.events())).isEqualTo(Ladder.of(events));
            assertThat(Explainer.of(rlog.events()).failures().stream().map(Explanation::toString))
                    .containsExactlyElementsOf(Explainer.of(events).failures().stream()
                            .map(Explanation::toString)
                            .toList());
        }
        assertThat(seen).as("kinds of events in mixed traffic").hasSizeGreaterThan(22);
    }

    @Test
    void aTruncatedFileIsReadToItsLastCompleteText() throws IOException {
        List<TraceEvent> events = traffic(1);
        byte[] all = written(events);
        Rlog rlog = read(Arrays.copyOf(all, all.length / 2));
        assertThat(rlog.trailer()).isEmpty();
        assertThat(rlog.events()).isNotEmpty().hasSizeLessThan(events.size());
        assertThat(events.subList(0, rlog.events().size())).isEqualTo(rlog.events());
    }

    @Test
    void aDamagedFileIsReadOrRefused() throws IOException {
        byte[] whole = Arrays.copyOf(written(traffic(1)), 20_000);
        SplittableRandom random = new SplittableRandom(7);
        int refused = 0;
        for (int i = 0; i < 500; i++) {
            byte[] damaged = whole.clone();
            for (int flips = 0; flips <= random.nextInt(4); flips++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try {
                read(damaged);
            } catch (RlogFormatException told) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(50);
    }
}
