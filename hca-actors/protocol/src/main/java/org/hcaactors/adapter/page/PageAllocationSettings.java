// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.memory.PageLayout;

// rule pages-variables
/** How a context's buffers get their pages, as the environment of its process has it. Immutable. */
public final class PageAllocationSettings {
    /**
     * For one kind of buffer.
     *
     * @param largest order of the largest block
     * @param min order of the least block
     * @param told the environment says something of it
     */
    record Terms(AllocationType type, int largest, int min, boolean told) {}

    /**
     * A variable that counts as not set: its value is none of those allowed.
     *
     * @param allowed which are, in words
     */
    public record Ignored(String variable, String value, String allowed) {}

    /** As C's atoi has it: what stands behind the digits does not count. */
    private static final Pattern NUMBER = Pattern.compile("\\s*([+-]?\\d{1,9}).*", Pattern.DOTALL);

    /** What nobody said anything of. */
    public static final PageAllocationSettings DEFAULT = new PageAllocationSettings(Map.of());

    private final Map<BufferKind, Terms> attributes = new EnumMap<>(BufferKind.class);
    private final Map<String, Ignored> ignored = new TreeMap<>();

    /** Of a library that reads none of these variables. */
    public static final PageAllocationSettings SINGLE = new PageAllocationSettings(
            new Terms(AllocationType.ANON, PageLayout.MIN_ORDER, PageLayout.MIN_ORDER, false));

    private PageAllocationSettings(Terms same) {
        for (BufferKind buffer : BufferKind.values()) {
            attributes.put(buffer, same);
        }
    }

    private PageAllocationSettings(Map<String, String> environment) {
        for (BufferKind buffer : BufferKind.values()) {
            attributes.put(buffer, read(buffer, environment));
        }
    }

    /** Of an environment's variables by their names. */
    public static PageAllocationSettings of(Map<String, String> environment) {
        PageAllocationSettings read = new PageAllocationSettings(environment);
        return read.ignored.isEmpty() && read.attributes.equals(DEFAULT.attributes) ? DEFAULT : read;
    }

    private Terms read(BufferKind buffer, Map<String, String> environment) {
        int largest =
                size(buffer.largest(), PageLayout.MIN_ORDER, MemoryNode.MAX_ORDER, environment, MemoryNode.MAX_ORDER);
        int min = size(buffer.min(), PageLayout.MIN_ORDER, largest, environment, PageLayout.MIN_ORDER);
        boolean told = environment.containsKey(buffer.largest()) || environment.containsKey(buffer.min());
        if (!buffer.takesType()) {
            return new Terms(buffer.defaultValue(), largest, min, told);
        }
        // rule pages-legacy
        boolean huge = !buffer.legacy().isEmpty() && "y".equals(environment.get(buffer.legacy()));
        Optional<String> value = Optional.ofNullable(environment.get(buffer.allocType()));
        Optional<AllocationType> said = value.flatMap(AllocationType::of);
        value.filter(any -> said.isEmpty())
                .ifPresent(unknown -> ignore(buffer.allocType(), unknown, AllocationType.ALLOWED));
        AllocationType type = said.orElse(huge ? AllocationType.HUGE : buffer.defaultValue());
        return new Terms(type, largest, min, told || huge || said.isPresent());
    }

    // rule pages-orders
    private int size(String variable, int min, int max, Map<String, String> environment, int otherwise) {
        String value = environment.get(variable);
        if (value == null) {
            return otherwise;
        }
        OptionalInt number = number(value);
        if (number.isPresent() && number.getAsInt() >= min && number.getAsInt() <= max) {
            return number.getAsInt();
        }
        ignore(variable, value, min + " to " + max);
        return otherwise;
    }

    private void ignore(String variable, String value, String allowed) {
        ignored.put(variable, new Ignored(variable, value, allowed));
    }

    private static OptionalInt number(String value) {
        Matcher found = NUMBER.matcher(value);
        return found.matches() ? OptionalInt.of(Integer.parseInt(found.group(1))) : OptionalInt.empty();
    }

    Terms of(BufferKind buffer) {
        Terms found = attributes.get(buffer);
        if (found == null) {
            throw new IllegalStateException("every kind of buffer has terms");
        }
        return found;
    }

    /** In the order of their names. */
    public List<Ignored> ignored() {
        return Collections.unmodifiableList(new ArrayList<>(ignored.values()));
    }
}
