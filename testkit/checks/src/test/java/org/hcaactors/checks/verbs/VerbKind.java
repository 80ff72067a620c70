// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.verbs;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.lab.pair.Transport;

/** A kind of work request. */
record VerbKind(Class<? extends WorkRequest> type) {
    private static final String BETWEEN_WORDS = "(?<=[a-z])(?=[A-Z])";
    /** Returns all types that {@link WorkRequest} permits, by name. */
    static List<VerbKind> all() {
        return below(WorkRequest.class)
                .distinct()
                .map(VerbKind::new)
                .sorted(Comparator.comparing(VerbKind::name))
                .toList();
    }

    private static Stream<Class<? extends WorkRequest>> below(Class<? extends WorkRequest> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses())
                        .flatMap(each -> below(each.asSubclass(WorkRequest.class)))
                : Stream.of(type);
    }

    String name() {
        return type.getSimpleName();
    }

    /** Returns the words of its name, without those that other names omit, such as {@code fetch, add}. */
    List<String> words() {
        return Arrays.stream(name().split(BETWEEN_WORDS))
                .filter(word -> !word.equals("And") && !word.equals("Rdma"))
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Returns the beginning of its operations' names, such as {@code FETCH_ADD}. */
    String wireName() {
        return String.join("_", words()).toUpperCase(Locale.ROOT);
    }

    List<Operation> operations() {
        return Arrays.stream(Operation.values())
                .filter(operation -> !operation.isResponse())
                .filter(operation -> (operation.name() + "_").startsWith(wireName() + "_"))
                .toList();
    }

    List<Transport> transports() {
        return Arrays.stream(Transport.values())
                .filter(transport -> transport.carries(type))
                .toList();
    }

    CompletionKind kind() {
        return PostedRequest.kindOf(sample());
    }

    WorkRequest sample() {
        return Sample.of(type);
    }
}
