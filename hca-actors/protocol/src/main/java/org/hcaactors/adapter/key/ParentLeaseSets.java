// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.hcaactors.adapter.flow.Denial;

/**
 * Parent leases that the leases on one key depend on. A key that holds its parents has one set while it maps them; any other
 * has one set for each depth, requested on first use, so that keys in a circle never wait for themselves (rule memory-depth).
 *
 * @param <H> holder of a lease
 */
final class ParentLeaseSets<H> {
    private final Translation.Effects<H> effects;

    /** Sets by depth; the set of held parents is under {@link #HELD}. */
    private Map<Integer, ParentLeases<H>> byDepth = Map.of();

    private long made;

    /** Held parents have no depth. */
    private static final int HELD = -1;

    ParentLeaseSets(Translation.Effects<H> effects) {
        this.effects = effects;
    }

    private static boolean holdsOn(TranslatedKey key) {
        List<ParentKey> parents = key.parents();
        return !parents.isEmpty() && parents.getFirst().hold().isPresent();
    }

    /** Returns the parent leases of a key that will hold its parents, not yet requested. */
    Optional<ParentLeases<H>> heldBy(TranslatedKey next) {
        return holdsOn(next) ? Optional.of(make(0, next)) : Optional.empty();
    }

    private ParentLeases<H> make(int depth, TranslatedKey key) {
        return new ParentLeases<>(++made, depth, key.parents(), effects);
    }

    void keep(ParentLeases<H> held) {
        put(HELD, held);
    }

    private void put(int depth, ParentLeases<H> parents) {
        byDepth = byDepth.isEmpty() ? new LinkedHashMap<>() : byDepth;
        byDepth.put(depth, parents);
    }

    /** Returns why no lease is granted at this depth. */
    Optional<Denial> refusal(TranslatedKey shown, int depth) {
        if (shown.parents().isEmpty()) {
            return Optional.empty();
        }
        if (holdsOn(shown)) {
            boolean lost = !byDepth.containsKey(HELD) || byDepth.get(HELD).isRetired();
            int key = shown.parents().getFirst().key();
            return lost ? Optional.of(new Denial.OfPart(key, new Denial.Unregistered())) : Optional.empty();
        }
        return depth > 0 ? Optional.empty() : Optional.of(new Denial.TooDeep());
    }

    /** Returns the set for this depth; call it only if {@link #refusal} is empty. */
    ParentLeases<H> of(TranslatedKey shown, int depth) {
        int place = holdsOn(shown) ? HELD : depth;
        ParentLeases<H> known = byDepth.get(place);
        if (known != null) {
            return known;
        }
        ParentLeases<H> created = make(depth - 1, shown);
        put(place, created);
        created.requestAll();
        return created;
    }

    Optional<ParentLeases<H>> find(long number) {
        return byDepth.values().stream().filter(each -> each.number() == number).findFirst();
    }

    /** Returns the sets that fall and that no lease depends on. */
    List<ParentLeases<H>> releasable(LongPredicate isFree) {
        return byDepth.isEmpty()
                ? List.of()
                : byDepth.values().stream()
                        .filter(each -> each.isRetired() && isFree.test(each.number()))
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
