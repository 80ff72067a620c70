// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.service;

/**
 * Receives the number of a destroyed object, as the object's last action. A death watch would do the same for 170 bytes for
 * each object. Any thread.
 */
@FunctionalInterface
public interface NumberDesk {
    /** For objects without a number. */
    NumberDesk NONE = number -> {};

    /** Frees a number; called once by its object, or if the object could not be created. */
    void free(int number);
}
