// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.key;

import java.util.Optional;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.flow.InlineCopyFailed;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.api.handle.Handle;

/**
 * How something is made that has a memory key. Its room brings it, with everything checked that can be checked before. The
 * key is known at once: before its translator has begun.
 *
 * @param <H> what is made, as its maker holds it
 */
public interface KeyBlueprint<H extends Handle> {
    ObjectKind kind();

    /** How many of that kind the adapter has at most, as its profile says; as many as it has keys, where that says nothing. */
    default int max() {
        return Integer.MAX_VALUE;
    }

    /** What stands behind the key. */
    TranslatedKey behind(int key);

    /** What addresses under the key are, where they are not those of the process. */
    default Optional<InlineCopyFailed.Addresses> addresses() {
        return Optional.empty();
    }

    /** The key is known from now on. */
    void announce(int key, Services services);

    /** What its maker gets. Called from any thread. Either this is called once, or {@link #refused}. */
    H handle(int key, KeyOwner owner);

    /** There is no key for it: what it holds meanwhile it lets go. */
    default void refused() {}
}
