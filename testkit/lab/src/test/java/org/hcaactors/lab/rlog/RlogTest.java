// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.rlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Datagram;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.explain.Explainer;
import org.hcaactors.lab.explain.Explanation;
import org.hcaactors.lab.fault.BenchEvent;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.flow.Ladder;
import org.hcaactors.lab.sweep.MixedTraffic;
import org.hcaactors.lab.sweep.Sweep;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** A recorded file says all that the trace says. */
class RlogTest {
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

    private static Rlog read(String text) throws IOException {
        return read(text.replace('$', '\u001e').getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void everyKindOfEventHasAName() {
        Set<Class<?>> kinds = Stream.of(HcaEvent.class, FabricEvent.class)
                .flatMap(family -> Arrays.stream(family.getPermittedSubclasses()))
                .collect(Collectors.toSet());
        kinds.add(BenchEvent.class);
        assertThat(Arrays.stream(EventType.values()).map(EventType::kind))
                .containsExactlyInAnyOrderElementsOf(castAll(kinds));
    }

    private static List<Class<? extends TraceEvent>> castAll(Set<Class<?>> kinds) {
        return kinds.stream()
                .<Class<? extends TraceEvent>>map(kind -> kind.asSubclass(TraceEvent.class))
                .toList();
    }

    @Test
    void whatIsReadIsWhatWasRecorded() throws IOException {
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
    void aKeyStandsInAFileWithAllItsParentsAndItsRightsAsTheNumberThatVerbsGiveThem() throws IOException {
        Stamp stamp = new Stamp(1, 5, 0, 0);
        TraceEvent registered = new HcaEvent.Registered(
                stamp,
                "a",
                Element.key(256),
                HcaEvent.KeyKind.MEMORY_REGION,
                List.of(Element.key(512), Element.key(768)),
                "app",
                1,
                4096,
                64,
                AccessFlags.LOCAL_AND_REMOTE);
        assertThat(new String(written(List.of(registered)), StandardCharsets.UTF_8))
                .contains("\"parents\":[\"key 0x00000200\",\"key 0x00000300\"]")
                .contains("\"rights\":{\"bits\":15}");
        assertThat(read(written(List.of(registered))).events()).containsExactly(registered);
    }

    @Test
    void whatFewCompletionsHaveStandsInAFileFieldByField() throws IOException {
        WorkCompletion.Details details = WorkCompletion.Details.of(OptionalInt.of(9))
                .with(Datagram.from(17))
                .withVendorError(3)
                .at(77);
        WorkCompletion completion = new WorkCompletion(5, Status.SUCCESS, CompletionKind.RECV, 2, 104, details);
        TraceEvent completed =
                new HcaEvent.Completed(new Stamp(1, 5, 0, 0), "a", Element.completionQueue(1), completion);
        assertThat(new String(written(List.of(completed)), StandardCharsets.UTF_8))
                .contains("\"details\":{\"immediate\":9,\"vendorError\":3,"
                        + "\"datagram\":{\"sourceQp\":17,\"pkeyIndex\":0,\"globalRoute\":true},\"timestampTicks\":77}");
        assertThat(read(written(List.of(completed))).events()).containsExactly(completed);
    }

    @Test
    void howAPacketWasDisturbedIsFoundInTheWordsOfVersion1() throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        for (long seed = 1; seed <= 6; seed++) {
            traffic(seed).stream()
                    .filter(FabricEvent.Disturbed.class::isInstance)
                    .forEach(events::add);
        }
        String text = new String(written(events), StandardCharsets.UTF_8);
        assertThat(text).contains("\"how\":");
        byte[] old = text.replaceAll("\"how\":\"[A-Z]+\",", "").getBytes(StandardCharsets.UTF_8);
        assertThat(read(old).events()).isEqualTo(events);
    }

    @Test
    void aFileThatWasCutOffIsReadToItsLastWholeText() throws IOException {
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
        SplittableRandom lots = new SplittableRandom(7);
        int refused = 0;
        for (int i = 0; i < 500; i++) {
            byte[] damaged = whole.clone();
            for (int flips = 0; flips <= lots.nextInt(4); flips++) {
                damaged[lots.nextInt(damaged.length)] = (byte) lots.nextInt(256);
            }
            try {
                read(damaged);
            } catch (RlogFormatException told) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(50);
    }

    @Test
    void anEventOfAnotherVersionIsSkippedAndCounted() throws IOException {
        Rlog rlog = read(
                "${\"rlog\":\"urn:hca-actors:rlog:1\",\"title\":\"x\"}\n"
                        + "${\"id\":1,\"nanos\":5,\"causes\":[],\"type\":\"dc:connected\",\"port\":\"a\",\"data\":{}}\n"
                        + "${\"id\":2,\"nanos\":6,\"causes\":[],\"type\":\"cq:woken\",\"port\":\"a\",\"data\":{\"cq\":3,\"new\":1}}\n");
        assertThat(rlog.unknown()).isEqualTo(1);
        assertThat(rlog.events()).singleElement().isInstanceOf(HcaEvent.Woken.class);
    }

    @Test
    void whatIsNoRecordedRunIsRefusedWithTheReason() {
        assertThatThrownBy(() -> read(""))
                .isInstanceOf(RlogFormatException.class)
                .hasMessageContaining("begins with nothing");
        assertThatThrownBy(() -> read("{}"))
                .isInstanceOf(RlogFormatException.class)
                .hasMessageContaining("begins with byte 0x7b");
        assertThatThrownBy(() -> read("${\"rlog\":\"urn:other:9\"}\n$"))
                .isInstanceOf(RlogFormatException.class)
                .hasMessage("text 1: rlog is \"urn:other:9\"; this version reads "
                        + "\"urn:hca-actors:rlog:1\" and \"urn:hca-actors:rlog:2\"");
        assertThatThrownBy(() -> read("${\"rlog\":\"urn:hca-actors:rlog:1\"}\n${nonsense}\n$"))
                .isInstanceOf(RlogFormatException.class)
                .hasMessageStartingWith("text 2: ");
        assertThatThrownBy(() -> read("$"))
                .isInstanceOf(RlogFormatException.class)
                .hasMessageContaining("cut off");
        assertThatThrownBy(
                        () -> read(
                                "${\"rlog\":\"urn:hca-actors:rlog:1\"}\n"
                                        + "${\"id\":1,\"nanos\":5,\"type\":\"fabric:sent\",\"port\":\"a\",\"data\":{\"packet\":{\"frame\":\"00zz\"}}}\n"))
                .isInstanceOf(RlogFormatException.class)
                .hasMessageStartingWith("text 2: ");
    }
}
