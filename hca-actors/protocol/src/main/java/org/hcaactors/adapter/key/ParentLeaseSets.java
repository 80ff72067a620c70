// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.hcaactors.adapter.flow.Denial;

/**
 * What the leases on one key stand on. A key that holds on to its parts has one footing as long as it shows them; any other
 * gets one when it is first asked for, for each depth: in a circle of keys nobody waits for himself (rule memory-depth).
 *
 * @param <H> a holder
 */
final class ParentLeaseSets<H> {
    private final Translation.Effects<H> effects;

    /** By depth; what is held, under {@link #HELD}. */
    private Map<Integer, ParentLeases<H>> byDepth = Map.of();

    private long made;

    /** What is held on to is no deeper than itself. */
    private static final int HELD = -1;

    ParentLeaseSets(Translation.Effects<H> effects) {
        this.effects = effects;
    }

    private static boolean holdsOn(TranslatedKey key) {
        List<ParentKey> parts = key.parts();
        return !parts.isEmpty() && parts.getFirst().hold().isPresent();
    }

    /** What a key will stand on that holds on to its parts; it is not asked for yet. */
    Optional<ParentLeases<H>> heldBy(TranslatedKey next) {
        return holdsOn(next) ? Optional.of(make(0, next)) : Optional.empty();
    }

    private ParentLeases<H> make(int depth, TranslatedKey key) {
        return new ParentLeases<>(++made, depth, key.parts(), effects);
    }

    void keep(ParentLeases<H> held) {
        put(HELD, held);
    }

    private void put(int depth, ParentLeases<H> parents) {
        byDepth = byDepth.isEmpty() ? new LinkedHashMap<>() : byDepth;
        byDepth.put(depth, parents);
    }

    /** Why nobody is let in from so deep. */
    Optional<Denial> refusal(TranslatedKey shown, int depth) {
        if (shown.parts().isEmpty()) {
            return Optional.empty();
        }
        if (holdsOn(shown)) {
            boolean lost = !byDepth.containsKey(HELD) || byDepth.get(HELD).isFalling();
            int key = shown.parts().getFirst().key();
            return lost ? Optional.of(new Denial.OfPart(key, new Denial.Unregistered())) : Optional.empty();
        }
        return depth > 0 ? Optional.empty() : Optional.of(new Denial.TooDeep());
    }

    /** Only where there is no {@link #refusal}. */
    ParentLeases<H> of(TranslatedKey shown, int depth) {
        int place = holdsOn(shown) ? HELD : depth;
        ParentLeases<H> known = byDepth.get(place);
        if (known != null) {
            return known;
        }
        ParentLeases<H> fresh = make(depth - 1, shown);
        put(place, fresh);
        fresh.askForAll();
        return fresh;
    }

    Optional<ParentLeases<H>> find(long number) {
        return byDepth.values().stream().filter(each -> each.number() == number).findFirst();
    }

    /** Those that fall and on which nothing stands. */
    List<ParentLeases<H>> fallen(LongPredicate isFree) {
        return byDepth.isEmpty()
                ? List.of()
                : byDepth.values().stream()
                        .filter(each -> each.isFalling() && isFree.test(each.number()))
                        .toList();
    }

    List<ParentLeases<H>> all() {
        return List.copyOf(byDepth.values());
    }

    void remove(ParentLeases<H> parents) {
        if (!byDepth.isEmpty()) {
            byDepth.values().remove(parents);
        }
    }

    void died(H holder) {
        byDepth.values().forEach(parents -> parents.died(holder));
    }
}
