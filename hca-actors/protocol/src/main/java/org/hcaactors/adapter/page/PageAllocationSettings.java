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
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.memory.PageLayout;

// rule pages-variables
/** Rules for allocating the pages of a context's buffers, from the environment of its process. Immutable. */
public final class PageAllocationSettings {
    /**
     * Rules for one kind of buffer.
     *
     * @param largest order of the largest block
     * @param min order of the smallest block
     * @param explicit the environment sets any of it
     */
    record Terms(AllocationType type, int largest, int min, boolean explicit) {}

    /**
     * A variable that is ignored, since its value is not allowed.
     *
     * @param allowed the allowed values, as text
     */
    public record Ignored(String variable, String value, String allowed) {}

    /** Numbers as parsed by C's atoi: characters after the digits are ignored. */
    private static final Pattern NUMBER = Pattern.compile("\\s*([+-]?\\d{1,9}).*", Pattern.DOTALL);

    /** The rules for an environment without any of the variables. */
    public static final PageAllocationSettings DEFAULT = new PageAllocationSettings(name -> Optional.empty());

    private final Map<BufferKind, Terms> attributes = new EnumMap<>(BufferKind.class);
    private final Map<String, Ignored> ignored = new TreeMap<>();

    /** The rules of a library that reads none of these variables. */
    public static final PageAllocationSettings SINGLE = new PageAllocationSettings(
            new Terms(AllocationType.ANON, PageLayout.MIN_ORDER, PageLayout.MIN_ORDER, false));

    private PageAllocationSettings(Terms same) {
        for (BufferKind buffer : BufferKind.values()) {
            attributes.put(buffer, same);
        }
    }

    private PageAllocationSettings(Function<String, Optional<String>> environment) {
        for (BufferKind buffer : BufferKind.values()) {
            attributes.put(buffer, read(buffer, environment));
        }
    }

    /** Reads an environment, a map of variables by name. */
    public static PageAllocationSettings of(Map<String, String> environment) {
        return of(name -> Optional.ofNullable(environment.get(name)));
    }

    /** Reads an environment, which has the value of a variable if it is set. */
    public static PageAllocationSettings of(Function<String, Optional<String>> environment) {
        PageAllocationSettings read = new PageAllocationSettings(environment);
        return read.ignored.isEmpty() && read.attributes.equals(DEFAULT.attributes) ? DEFAULT : read;
    }

    private Terms read(BufferKind buffer, Function<String, Optional<String>> environment) {
        int largest =
                size(buffer.largest(), PageLayout.MIN_ORDER, MemoryNode.MAX_ORDER, environment, MemoryNode.MAX_ORDER);
        int min = size(buffer.min(), PageLayout.MIN_ORDER, largest, environment, PageLayout.MIN_ORDER);
        boolean explicit = environment.apply(buffer.largest()).isPresent()
                || environment.apply(buffer.min()).isPresent();
        if (!buffer.hasTypeVariable()) {
            return new Terms(buffer.defaultValue(), largest, min, explicit);
        }
        // rule pages-legacy
        boolean huge = !buffer.legacy().isEmpty()
                && environment.apply(buffer.legacy()).filter("y"::equals).isPresent();
        Optional<String> value = environment.apply(buffer.allocType());
        Optional<AllocationType> configured = value.flatMap(AllocationType::of);
        value.filter(any -> configured.isEmpty())
                .ifPresent(unknown -> ignore(buffer.allocType(), unknown, AllocationType.ALLOWED));
        AllocationType type = configured.orElse(huge ? AllocationType.HUGE : buffer.defaultValue());
        return new Terms(type, largest, min, explicit || huge || configured.isPresent());
    }

    // rule pages-orders
    private int size(String variable, int min, int max, Function<String, Optional<String>> environment, int otherwise) {
        Optional<String> value = environment.apply(variable);
        if (value.isEmpty()) {
            return otherwise;
        }
        OptionalInt number = number(value.get());
        if (number.isPresent() && number.getAsInt() >= min && number.getAsInt() <= max) {
            return number.getAsInt();
        }
        ignore(variable, value.get(), min + " to " + max);
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
            throw new IllegalStateException("buffer kind " + buffer + " has no allocation settings");
        }
        return found;
    }

    /** Returns the ignored variables in the order of their names. */
    public List<Ignored> ignored() {
        return Collections.unmodifiableList(new ArrayList<>(ignored.values()));
    }
}
