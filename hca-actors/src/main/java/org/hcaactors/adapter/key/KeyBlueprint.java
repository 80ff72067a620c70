// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import org.hcaactors.adapter.books.ObjectKind;
import org.hcaactors.adapter.service.Services;

/**
 * How something is made that has a memory key. Its room brings it, with everything checked that can be checked before. The
 * key is known at once: before its translator has begun.
 */
public interface KeyBlueprint {
    ObjectKind kind();

    /** What stands behind the key. */
    TranslatedKey behind(int key);

    /** The key is known from now on. */
    void announce(int key, Services services);
}
