// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of a process as in the Linux kernel: user and groups by number. Immutable; {@code with} methods return changed
 * copies.
 */
public final class Credentials {
    /** User and group 0, with all permissions. */
    public static final Credentials ROOT = of(0, 0);

    /** User and group 1000. */
    public static final Credentials DEFAULT = of(1000, 1000);

    private final int user;
    private final int group;
    private final Set<Integer> others;

    private Credentials(int user, int group, Set<Integer> others) {
        this.user = user;
        this.group = group;
        this.others = others;
    }

    /** @param group primary group of the user */
    public static Credentials of(int user, int group) {
        return new Credentials(user, group, Set.of());
    }

    /** Sets the supplementary groups, in place of the previous ones. */
    public Credentials withGroups(int... more) {
        Set<Integer> all = new TreeSet<>();
        for (int one : more) {
            all.add(one);
        }
        return new Credentials(user, group, all);
    }

    public int user() {
        return user;
    }

    public int group() {
        return group;
    }

    public boolean isRoot() {
        return user == 0;
    }

    public boolean isIn(int anyGroup) {
        return group == anyGroup || others.contains(anyGroup);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Credentials that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "user " + user + ", group " + group + (others.isEmpty() ? "" : " and " + others);
    }

    private List<Object> values() {
        return List.of(user, group, others);
    }
}
