// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.key;

import java.util.Optional;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.flow.InlineCopyFailed;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.api.handle.Handle;

/**
 * Blueprint of an object with a memory key. The object's package creates it after all checks that are possible beforehand. The
 * key is assigned before its translator has started.
 *
 * @param <H> handle of the object
 */
public interface KeyBlueprint<H extends Handle> {
    ObjectKind kind();

    /** Returns the adapter's maximum number of objects of that kind; by default as many as it has keys. */
    default int max() {
        return Integer.MAX_VALUE;
    }

    /** Returns the memory behind the key. */
    TranslatedKey translatedKey(int key);

    /** Returns what addresses under the key mean, if they are not those of the process. */
    default Optional<InlineCopyFailed.Addresses> addresses() {
        return Optional.empty();
    }

    /** Records the creation in the trace; the key is assigned. */
    void announce(int key, Services services);

    /** Creates the handle. Any thread. Either this or {@link #refused} is called, once. */
    H handle(int key, KeyOwner owner);

    /** Releases the resources of the blueprint, because the key was not assigned. */
    default void refused() {}
}
