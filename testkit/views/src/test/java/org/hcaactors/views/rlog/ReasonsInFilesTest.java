// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.GoBack;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reasons stand in files as values. */
class ReasonsInFilesTest {
    private static final Path PAGE = Path.of("../../docs/guide/rlog.md");

    private static final ObjectMapper JSON = EventJson.mapper();

    static Stream<Reason> all() {
        return ReasonNames.all().stream()
                .flatMap(name -> ReasonNames.constant(name)
                        .map(Stream::of)
                        .orElseGet(() -> made(ReasonNames.kind(name).orElseThrow())));
    }

    /** Some of a kind: where a component has kinds itself, one of each. */
    private static Stream<Reason> made(Class<? extends Reason> kind) {
        if (kind == KeyDenied.class) {
            return denials()
                    .flatMap(reason ->
                            Arrays.stream(KeyDenied.Name.values()).map(name -> new KeyDenied(name, 0xBAD00, reason)));
        }
        RecordComponent[] components = kind.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = value(components[i].getType(), i);
        }
        try {
            return Stream.of((Reason) kind.getDeclaredConstructors()[0].newInstance(values));
        } catch (ReflectiveOperationException refused) {
            throw new AssertionError(kind.toString(), refused);
        }
    }

    private static Stream<Denial> denials() {
        return Stream.of(
                new Denial.Unregistered(),
                new Denial.ForeignDomain(2, 1),
                new Denial.OutOfRange(-4096, 1L << 40, 7, 9),
                new Denial.MissingRight(Access.REMOTE_ATOMIC));
    }

    private static Object value(Class<?> type, int index) {
        if (type.isEnum()) {
            return type.getEnumConstants()[index];
        }
        return switch (type.getSimpleName()) {
            case "int" -> 3 + index;
            case "long" -> 16L + index;
            case "String" -> "soft-roce";
            case "PortAddress" -> PortAddress.ofIpv4(0x0A000001);
            case "KeyDenied" -> new KeyDenied(KeyDenied.Name.L_KEY, 7, new Denial.Unregistered());
            case "Reason" -> Ignored.Plainly.PACKET_MISSING;
            default -> throw new AssertionError("no example of " + type);
        };
    }

    private static Reason read(String json) throws JsonProcessingException {
        return JSON.readValue(json, Reason.class);
    }

    @ParameterizedTest
    @MethodSource("all")
    void aReasonIsReadAsItWasWritten(Reason reason) throws IOException {
        assertThat(read(JSON.writeValueAsString(reason))).isEqualTo(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"timeout\"", "7", "[]", "true"})
    void aReasonThatIsNoObjectIsRefused(String json) {
        assertThatThrownBy(() -> read(json)).hasMessageStartingWith("a reason must be an object");
        assertThatThrownBy(() -> read("{\"kind\":\"ignored:given_up\",\"reason\":" + json + "}"))
                .hasMessageStartingWith("a reason must be an object");
    }

    @Test
    void aReasonOfALaterVersionIsKeptAsItsSentence() throws IOException {
        assertThat(read("{\"kind\":\"window:bound\",\"key\":5,\"words\":\"a window is bound to it\"}"))
                .isEqualTo(new Reason.Unknown("a window is bound to it"));
        assertThat(read("{\"kind\":\"window:bound\"}")).isEqualTo(new Reason.Unknown("window:bound"));
        assertThat(read("{\"kind\":\"packet_mismatch:pkey\",\"pkey\":5,\"own\":6,\"index\":9}"))
                .as("with one more component")
                .isEqualTo(new PacketMismatch.Pkey(5, 6));
    }

    @Test
    void aReasonThatLacksAPartIsRefused() {
        assertThatThrownBy(() -> read("{\"kind\":\"packet_mismatch:pkey\",\"pkey\":5}"))
                .hasStackTraceContaining("packet_mismatch:pkey without own");
        assertThatThrownBy(() ->
                        read("{\"kind\":\"retries_exhausted:retries\",\"last\":{\"kind\":\"packet_mismatch:pkey\","
                                + "\"pkey\":1,\"own\":2},\"retryCount\":5}"))
                .hasStackTraceContaining(" is no " + GoBack.class.getSimpleName());
        assertThatThrownBy(() -> read("{\"kind\":\"key_denied\",\"name\":\"L_KEY\",\"key\":5,"
                        + "\"reason\":{\"denial\":\"MissingRight\"}}"))
                .hasStackTraceContaining("MissingRight without right");
        assertThatThrownBy(() -> read("{\"kind\":\"key_denied\",\"name\":\"L_KEY\",\"key\":5,\"reason\":{}}"))
                .hasStackTraceContaining("why lacks the field denial");
    }

    static List<String> names() {
        return List.copyOf(ReasonNames.all());
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyReasonIsOnTheFormatsPageWithItsParts(String name) throws IOException {
        String parts = ReasonNames.kind(name).stream()
                .flatMap(kind -> Arrays.stream(kind.getRecordComponents()))
                .map(part -> "`" + part.getName() + "`")
                .collect(Collectors.joining(", "));
        assertThat(Files.readAllLines(PAGE)).anyMatch(line -> line.startsWith("| `" + name + "` | " + parts + " |"));
    }

    @Test
    void thePageHasNoOtherReason() throws IOException {
        assertThat(Files.readAllLines(PAGE).stream()
                        .dropWhile(line -> !line.equals("## Reasons"))
                        .filter(line -> line.startsWith("| `")))
                .hasSameSizeAs(names());
    }

    @Test
    void aDenialOfALaterVersionIsReadAsItsSentence() throws JsonProcessingException {
        assertThat(read("{\"kind\":\"key_denied\",\"name\":\"R_KEY\",\"key\":5,\"reason\":{\"denial\":\"Unbound\"},"
                        + "\"words\":\"R_Key 0x00000005 is a window that is not bound\"}"))
                .isEqualTo(new Reason.Unknown("R_Key 0x00000005 is a window that is not bound"));
    }

    @Test
    void aRetryReasonOfALaterVersionIsReadAsItsSentence() throws JsonProcessingException {
        assertThat(read(
                        "{\"kind\":\"retries_exhausted:retries\",\"last\":{\"kind\":\"go_back:page_fault\",\"words\":\"x\"},"
                                + "\"retryCount\":3,\"words\":\"a page, retry count 3 is exhausted\"}"))
                .isEqualTo(new Reason.Unknown("a page, retry count 3 is exhausted"));
    }

    @Test
    void aConstantOfALaterVersionIsReadAsItsSentence() throws JsonProcessingException {
        assertThat(
                        read(
                                "{\"kind\":\"request_refused:not_allowed\",\"right\":\"FLUSH_GLOBAL\",\"words\":\"no FLUSH_GLOBAL\"}"))
                .isEqualTo(new Reason.Unknown("no FLUSH_GLOBAL"));
        assertThat(
                        read(
                                "{\"kind\":\"request_refused:receive_memory\",\"reason\":{\"kind\":\"key_denied\",\"name\":\"L_KEY\","
                                        + "\"key\":5,\"reason\":{\"denial\":\"MissingRight\",\"right\":\"FLUSH_GLOBAL\"}},\"words\":\"no bind\"}"))
                .isEqualTo(new Reason.Unknown("no bind"));
    }

    @Test
    void deeplyNestedReasonsAreReadAsUnknown() throws JsonProcessingException {
        String within = "{\"kind\":\"ignored:given_up\",\"reason\":".repeat(900);
        assertThat(read(within + "{\"kind\":\"go_back:timeout\"}" + "}".repeat(900))
                        .toString())
                .contains("Unknown")
                .hasSizeLessThan(200);
    }
}
