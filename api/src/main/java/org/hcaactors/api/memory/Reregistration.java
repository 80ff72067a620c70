// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.api.handle.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Description of a change of a region ({@code ibv_rereg_mr}). Only settings marked as changes are applied; others are ignored,
 * as in C, so that one description serves different changes. Immutable: each method returns a new description, safe for several
 * threads.
 */
public final class Reregistration {
    /** A part of a region that changes; values are those of {@code ibv_rereg_mr_flags}. These are all that there are. */
    public enum Change {
        /** Its memory and its first address under the key. */
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
    private final AccessFlags access;

    private Reregistration(
            Set<Change> changes, @Nullable Registration translation, @Nullable Handle domain, AccessFlags access) {
        this.changes = changes;
        this.translation = translation;
        this.domain = domain;
        this.access = access;
    }

    /** Marks these changes and no others; EINVAL if there are none. All but ACCESS need a setting. */
    public static Reregistration of(Change... changes) {
        Set<Change> all = EnumSet.noneOf(Change.class);
        Collections.addAll(all, changes);
        return new Reregistration(Collections.unmodifiableSet(all), null, null, AccessFlags.NONE);
    }

    /** Sets the memory and the first address under the key to those of {@code place}, whose rights are ignored. */
    public Reregistration withTranslation(Registration place) {
        return new Reregistration(changes, place, domain, access);
    }

    /** Sets the memory to all of {@code memory}, under its address in the process. */
    public Reregistration withTranslation(HostMemory memory) {
        return withTranslation(Registration.of(memory));
    }

    /** @param requested a protection domain of the region's context */
    public Reregistration withDomain(Handle requested) {
        return new Reregistration(changes, translation, requested, access);
    }

    /** Sets these rights, in place of the previous ones. */
    public Reregistration withAccess(AccessFlags requested) {
        return new Reregistration(changes, translation, domain, requested);
    }

    /** Sets these rights, in place of the previous ones. */
    public Reregistration withAccess(Access... requested) {
        return withAccess(AccessFlags.of(requested));
    }

    /** Changes in the order of the enum. */
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

    public AccessFlags access() {
        return access;
    }

    @Override
    public String toString() {
        return "re-registration of " + changes;
    }
}
