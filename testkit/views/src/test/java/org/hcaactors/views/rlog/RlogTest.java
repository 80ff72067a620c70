// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NoPages;
import org.hcaactors.adapter.flow.NotifyOutcome;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Datagram;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.TestkitEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contents of a recorded file, and files that are refused. */
class RlogTest {
    private static final Rlog.Header HEADER = new Rlog.Header("a test", OptionalLong.of(7), "faults = []");

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
        kinds.add(TestkitEvent.class);
        assertThat(Arrays.stream(EventType.values()).map(EventType::kind))
                .containsExactlyInAnyOrderElementsOf(castAll(kinds));
    }

    private static List<Class<? extends TraceEvent>> castAll(Set<Class<?>> kinds) {
        return kinds.stream()
                .<Class<? extends TraceEvent>>map(kind -> kind.asSubclass(TraceEvent.class))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void eventsOfEveryPartOfAnAdapterAreReadBack(Element.Kind kind) throws IOException {
        boolean whole = kind == Element.Kind.PORT || kind == Element.Kind.DEVICE;
        TraceEvent event =
                new HcaEvent.ReceivePosted(new Stamp(1, 5, 0, 0), "a", new Element(kind, whole ? 0 : 7), 1, 64);
        assertThat(read(written(List.of(event))).events()).containsExactly(event);
    }

    @Test
    void aKeyIsWrittenWithItsParentsAndItsRightsAsANumber() throws IOException {
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
    void layoutsOfIndirectKeysAreWrittenAndRead() throws IOException {
        KeyLayout strides =
                KeyLayout.interleaved(3, new StridedSlice(0x300, 4096, 8, -8), new StridedSlice(1, 0, 4, 12));
        FillKey fill =
                FillKey.of(3, 0x200, 8, strides).withAccess(Access.REMOTE_READ).withListEntries(9);
        List<TraceEvent> told = List.of(
                new HcaEvent.WorkPosted(new Stamp(1, 5, 0, 0), "a", Element.queuePair(17), fill, true),
                new HcaEvent.KeyFilled(
                        new Stamp(2, 6, 0, 0),
                        "a",
                        Element.key(0x200),
                        KeyLayout.list(new LocalSlice(7, Long.MIN_VALUE, 64)),
                        AccessFlags.of(Access.LOCAL_WRITE)));
        assertThat(read(written(told)).events()).containsExactlyElementsOf(told);
    }

    @Test
    void pageLayoutsAndIgnoredVariablesAreWrittenAndRead() throws IOException {
        List<TraceEvent> told = List.of(
                new HcaEvent.PagesAllocated(
                        new Stamp(1, 5, 0, 0),
                        "a",
                        Element.completionQueue(3),
                        new PageLayout(PageType.CONTIG, 15, 32, OptionalInt.of(1))),
                new HcaEvent.PagesAllocated(new Stamp(2, 6, 0, 0), "a", Element.key(0x200), PageLayout.NONE),
                new HcaEvent.PageAllocationFailed(
                        new Stamp(4, 8, 0, 0),
                        "a",
                        "app",
                        new NoPages("MLX_CQ_ALLOC_TYPE", "CONTIG", 1L << 40, 14, 13, 0, 1L << 26, 12, 0)),
                new HcaEvent.VariableIgnored(
                        new Stamp(5, 9, 0, 0), "a", "app", "MLX_MR_MAX_LOG2_CONTIG_BSIZE", "99", "12 to 23"));
        assertThat(new String(written(told), StandardCharsets.UTF_8))
                .contains("\"pages\":{\"type\":\"CONTIG\",\"order\":15,\"entries\":32,\"node\":1}");
        assertThat(read(written(told)).events()).containsExactlyElementsOf(told);
    }

    @Test
    void bindsAndInvalidationsAreWrittenWithoutTheirHandles() throws IOException {
        List<TraceEvent> told = List.of(
                new HcaEvent.WorkPosted(
                        new Stamp(1, 5, 0, 0), "a", Element.queuePair(17), LocalInvalidate.of(3, 0x300), true),
                new HcaEvent.KeyChanged(
                        new Stamp(2, 6, 0, 0),
                        "a",
                        Element.key(0x301),
                        Element.key(0x300),
                        Optional.of(new HcaEvent.KeyMapping(
                                Optional.of(Element.key(0x200)),
                                1,
                                OptionalInt.of(17),
                                0,
                                4096,
                                64,
                                AccessFlags.of(Access.REMOTE_READ)))),
                new HcaEvent.KeyChanged(
                        new Stamp(3, 7, 0, 0), "a", Element.key(0x301), Element.key(0x301), Optional.empty()));
        assertThat(read(written(told)).events()).containsExactlyElementsOf(told);
    }

    @Test
    void rareDetailsOfCompletionsAreWrittenFieldByField() throws IOException {
        WorkCompletion.Details details = WorkCompletion.Details.of(OptionalInt.of(9))
                .with(Datagram.from(17).withIpv4(true))
                .withVendorError(3)
                .withTimestampTicks(77);
        WorkCompletion completion = new WorkCompletion(5, Status.SUCCESS, CompletionKind.RECV, 2, 104, details);
        TraceEvent completed =
                new HcaEvent.Completed(new Stamp(1, 5, 0, 0), "a", Element.completionQueue(1), completion);
        assertThat(new String(written(List.of(completed)), StandardCharsets.UTF_8))
                .contains("\"details\":{\"immediate\":9,\"vendorError\":3,"
                        + "\"datagram\":{\"sourceQp\":17,\"pkeyIndex\":0,\"globalRoute\":true,\"ipv4\":true},"
                        + "\"timestampTicks\":77,"
                        + "\"invalidated\":null,\"tagging\":null}");
        assertThat(read(written(List.of(completed))).events()).containsExactly(completed);
    }

    // rules notify-wakes, notify-latched, notify-gone, notify-unit-off
    @Test
    void waitersAndNotificationsAreWrittenAndRead() throws IOException {
        Element queue = Element.completionQueue(3);
        Element thread = Element.waiter(1);
        List<TraceEvent> told = new ArrayList<>();
        told.add(new HcaEvent.WaiterAttached(at(1), "b", queue, thread));
        told.add(new HcaEvent.WaiterSleeps(at(2), "b", thread));
        for (NotifyOutcome outcome : NotifyOutcome.values()) {
            told.add(new HcaEvent.NotifySent(at(told.size() + 1), "b", queue, thread));
            told.add(new HcaEvent.Notified(at(told.size() + 1), "b", queue, thread, outcome));
        }
        for (WakeCause cause : WakeCause.values()) {
            told.add(new HcaEvent.WaiterWakes(at(told.size() + 1), "b", thread, cause));
            told.add(new HcaEvent.WakeLatched(at(told.size() + 1), "b", thread, cause));
        }
        told.add(new HcaEvent.WaitFailed(at(told.size() + 1), "b", thread));
        told.add(new HcaEvent.WaiterEnded(at(told.size() + 1), "b", thread));
        assertThat(new String(written(told), StandardCharsets.UTF_8))
                .contains(
                        "\"type\":\"waiter:notified\",\"port\":\"b\",\"data\":{\"element\":\"cq3\",\"waiter\":\"waiter1\",\"outcome\":\"THREAD_GONE\"}")
                .contains("\"cause\":\"MSI_FALLBACK\"");
        assertThat(read(written(told)).events()).containsExactlyElementsOf(told);
    }

    private static Stamp at(int id) {
        return new Stamp(id, id, 0, 0);
    }

    @Test
    void anEventOfAnUnknownTypeIsSkippedAndCounted() throws IOException {
        Rlog rlog = read(
                "${\"rlog\":\"urn:hca-actors:rlog:2\",\"title\":\"x\"}\n"
                        + "${\"id\":1,\"nanos\":5,\"causes\":[],\"type\":\"dc:connected\",\"port\":\"a\",\"data\":{}}\n"
                        + "${\"id\":2,\"nanos\":6,\"causes\":[],\"type\":\"cq:woken\",\"port\":\"a\",\"data\":{\"element\":\"cq3\",\"new\":1}}\n");
        assertThat(rlog.unknown()).isEqualTo(1);
        assertThat(rlog.events()).singleElement().isInstanceOf(HcaEvent.Woken.class);
    }

    @Test
    void aFileThatIsNoRecordedRunIsRefusedWithTheReason() {
        assertThatThrownBy(() -> read(""))
                .isInstanceOf(RlogFormatException.class)
                .hasMessageContaining("but the file is empty");
        assertThatThrownBy(() -> read("{}"))
                .isInstanceOf(RlogFormatException.class)
                .hasMessageContaining("but it is 0x7b");
        assertThatThrownBy(() -> read("${\"rlog\":\"urn:hca-actors:rlog:2\"}\n${nonsense}\n$"))
                .isInstanceOf(RlogFormatException.class)
                .hasMessageStartingWith("JSON text 2: ");
        assertThatThrownBy(() -> read("$"))
                .isInstanceOf(RlogFormatException.class)
                .hasMessageContaining("is truncated");
        assertThatThrownBy(
                        () -> read(
                                "${\"rlog\":\"urn:hca-actors:rlog:2\"}\n"
                                        + "${\"id\":1,\"nanos\":5,\"type\":\"fabric:sent\",\"port\":\"a\",\"data\":{\"packet\":{\"frame\":\"00zz\"}}}\n"))
                .isInstanceOf(RlogFormatException.class)
                .hasMessageStartingWith("JSON text 2: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"urn:hca-actors:rlog:1", "urn:hca-actors:rlog:3", "urn:hca-actors:rlog:20", "urn:other:2", ""})
    void aFileOfAnyOtherVersionIsRefused(String version) {
        assertThatThrownBy(() -> read("${\"rlog\":\"" + version + "\"}\n${\"new\":1}\n"))
                .isInstanceOf(RlogFormatException.class)
                .hasMessage("JSON text 1: rlog is \"" + version + "\"; it must be \"urn:hca-actors:rlog:2\","
                        + " the only version that is read");
    }

    /** What is read is shown on terminals. */
    @Test
    void aTextWithControlCharactersIsRefused() {
        assertThatThrownBy(() -> read("${\"rlog\":\"urn:hca-actors:rlog:2\",\"title\":\"\\u001b[31mEVIL\"}\n"))
                .isInstanceOf(RlogFormatException.class)
                .hasMessage("JSON text 1: control characters are not allowed, but one is in \"?[31mEVIL\"");
    }

    /** And written to files in UTF-8, which has no half ones. */
    @Test
    void aTextWithHalfACharacterIsRefused() {
        String whole = "${\"rlog\":\"urn:hca-actors:rlog:2\",\"title\":\"%s\"}\n";
        assertThatThrownBy(() -> read(whole.formatted("half \\udc00\\ud800")))
                .isInstanceOf(RlogFormatException.class)
                .hasMessage("JSON text 1: unpaired surrogates are not allowed, but one is in \"half ??\"");
        assertThatCode(() -> read(whole.formatted("\\ud83d\\ude00"))).doesNotThrowAnyException();
    }
}
