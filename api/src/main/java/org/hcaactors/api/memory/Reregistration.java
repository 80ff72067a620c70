// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.api.handle.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Describes what a region becomes ({@code ibv_rereg_mr}). Only what is named as a change counts; what else is described is
 * ignored, as in C, so that one description serves different changes. Immutable: each call gives a new description, safe for
 * several threads.
 */
public final class Reregistration {
    /** What of a region changes; values are those of {@code ibv_rereg_mr_flags}. These are all that there are. */
    public enum Change {
        /** Which memory it is, and where it begins under the key. */
        TRANSLATION(1),
        /** Its protection domain. */
        DOMAIN(2),
        /** Its rights. */
        ACCESS(4);

        private final int bit;

        Change(int bit) {
            this.bit = bit;
        }

        public int bit() {
            return bit;
        }
    }

    private final Set<Change> changes;
    private final @Nullable Registration translation;
    private final @Nullable Handle domain;
    private final AccessFlags rights;

    private Reregistration(
            Set<Change> changes, @Nullable Registration translation, @Nullable Handle domain, AccessFlags rights) {
        this.changes = changes;
        this.translation = translation;
        this.domain = domain;
        this.rights = rights;
    }

    /** These change, and nothing else; EINVAL where none is named. Each but ACCESS must be described. */
    public static Reregistration of(Change... changes) {
        Set<Change> all = EnumSet.noneOf(Change.class);
        Collections.addAll(all, changes);
        return new Reregistration(Collections.unmodifiableSet(all), null, null, AccessFlags.NONE);
    }

    /** The memory, and where it begins under the key, are those of {@code place}, whose rights don't count. */
    public Reregistration translation(Registration place) {
        return new Reregistration(changes, place, domain, rights);
    }

    /** All of {@code memory}, where it stands in the process. */
    public Reregistration translation(HostMemory memory) {
        return translation(Registration.of(memory));
    }

    /** @param requested a protection domain of the region's context */
    public Reregistration domain(Handle requested) {
        return new Reregistration(changes, translation, requested, rights);
    }

    /** These rights, and no others. */
    public Reregistration withAccess(AccessFlags requested) {
        return new Reregistration(changes, translation, domain, requested);
    }

    /** These rights, and no others. */
    public Reregistration withAccess(Access... requested) {
        return withAccess(AccessFlags.of(requested));
    }

    /** In the order of the enum. */
    public Set<Change> changes() {
        return changes;
    }

    public boolean changes(Change one) {
        return changes.contains(one);
    }

    public Optional<Registration> translation() {
        return Optional.ofNullable(translation);
    }

    public Optional<Handle> domain() {
        return Optional.ofNullable(domain);
    }

    public AccessFlags rights() {
        return rights;
    }

    @Override
    public String toString() {
        return "re-registration of " + changes;
    }
}
