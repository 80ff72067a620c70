// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/**
 * Calls that are refused on purpose: {@code ibv_create_cq:3:ENOMEM} refuses the third call of that function in this process,
 * before it has an effect. Counts calls; thread-safe.
 */
final class RefusalPlan {
    private static final int PARTS = 3;
    private static final String ON_PURPOSE = "refused on purpose: ";

    /**
     * A call that is refused.
     *
     * @param number of the call among those of its function, from 1
     */
    record Planned(String function, long number, Errno errno) {
        @Override
        public String toString() {
            return function + ":" + number + ":" + errno;
        }
    }

    /** The refusals of one function, and its calls so far. */
    private static final class Function {
        private final List<Planned> refusals = new ArrayList<>();
        private final AtomicLong calls = new AtomicLong();

        private Optional<Planned> next() {
            long number = calls.incrementAndGet();
            return refusals.stream().filter(planned -> planned.number == number).findFirst();
        }

        private Stream<Planned> struck() {
            return refusals.stream().filter(planned -> planned.number <= calls.get());
        }
    }

    private final Map<String, Function> functions;

    private RefusalPlan(Map<String, Function> functions) {
        this.functions = functions;
    }

    /** Returns a plan that refuses nothing. */
    static RefusalPlan none() {
        return new RefusalPlan(Map.of());
    }

    /**
     * Reads a plan: entries separated by commas.
     *
     * @param functions names that may be refused
     * @throws IllegalArgumentException with what is allowed
     */
    static RefusalPlan parse(String text, Set<String> functions) {
        Map<String, Function> all = new LinkedHashMap<>();
        for (String entry : text.split(",", -1)) {
            Planned planned = entry(entry.strip(), functions);
            all.computeIfAbsent(planned.function, any -> new Function())
                    .refusals
                    .add(planned);
        }
        return new RefusalPlan(all);
    }

    private static Planned entry(String text, Set<String> functions) {
        String[] parts = text.split(":", -1);
        if (parts.length != PARTS) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no refusal; FUNCTION:NUMBER:ERRNO is allowed, such as ibv_create_cq:3:ENOMEM");
        }
        if (!functions.contains(parts[0])) {
            throw new IllegalArgumentException(
                    "\"" + parts[0] + "\" in \"" + text + "\" cannot be refused; allowed are "
                            + functions.stream().sorted().collect(Collectors.joining(", ")));
        }
        return new Planned(parts[0], number(parts[1], text), errno(parts[2], text));
    }

    private static long number(String digits, String entry) {
        if (!digits.matches("[1-9][0-9]{0,17}")) {
            throw new IllegalArgumentException(
                    "\"" + digits + "\" in \"" + entry + "\" is no number of a call; 1, 2 and so on are allowed");
        }
        return Long.parseLong(digits);
    }

    private static Errno errno(String name, String entry) {
        return Arrays.stream(Errno.values())
                .filter(errno -> errno.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("\"" + name + "\" in \"" + entry
                        + "\" is no errno of verbs; allowed are " + Arrays.toString(Errno.values())));
    }

    /** Counts a call; VerbsException if it is refused. */
    void check(String function) {
        Function counted = functions.get(function);
        if (counted != null) {
            counted.next().ifPresent(refusal -> {
                throw new VerbsException(refusal.errno, ON_PURPOSE + refusal);
            });
        }
    }

    /** True if that is the reason of a refusal of a plan. */
    static boolean isOnPurpose(String reason) {
        return reason.startsWith(ON_PURPOSE);
    }

    /** Returns the refusals of the plan whose calls took place. */
    List<Planned> struck() {
        return functions.values().stream().flatMap(Function::struck).toList();
    }

    @Override
    public String toString() {
        return functions.values().stream()
                .flatMap(function -> function.refusals.stream())
                .map(Planned::toString)
                .collect(Collectors.joining(", "));
    }

    /** True if the plan refuses nothing. */
    boolean isEmpty() {
        return functions.isEmpty();
    }
}
