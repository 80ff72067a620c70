// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.Optional;
import org.hcaactors.api.memory.AccessFlags;

/**
 * A key through which another one maps memory.
 *
 * @param hold present if the parent is held from the first moment and can't be deregistered meanwhile; else it may be
 *     deregistered at any time, and the key that maps it then maps nothing
 */
public record ParentKey(int key, Optional<Hold> hold) {
    /**
     * Requirements of a key on the parent that it holds.
     *
     * @param domain protection domain of the key that holds the parent
     * @param rights remote rights of that key
     */
    public record Hold(int domain, long address, long lengthBytes, AccessFlags rights) {}

    public static ParentKey of(int key) {
        return new ParentKey(key, Optional.empty());
    }

    public static ParentKey held(int key, Hold attributes) {
        return new ParentKey(key, Optional.of(attributes));
    }
}
