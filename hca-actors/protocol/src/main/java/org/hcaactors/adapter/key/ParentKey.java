// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.Optional;
import org.hcaactors.api.memory.AccessFlags;

/**
 * A key through which another one shows memory.
 *
 * @param hold where it is held on to from the first moment, so that it can't go meanwhile; else it may go at any time, and what
 *     shows it then shows nothing
 */
public record ParentKey(int key, Optional<Hold> hold) {
    /**
     * What is wanted of it.
     *
     * @param domain of the key that holds on to it
     * @param rights that the key allows from afar
     */
    public record Hold(int domain, long address, long lengthBytes, AccessFlags rights) {}

    public static ParentKey of(int key) {
        return new ParentKey(key, Optional.empty());
    }

    public static ParentKey held(int key, Hold attributes) {
        return new ParentKey(key, Optional.of(attributes));
    }
}
