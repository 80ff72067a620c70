// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.service;

/**
 * Where an object that its adapter numbered says that it is gone, as the last thing that it does. A death watch would tell the same
 * for 170 bytes each. Any thread.
 */
@FunctionalInterface
public interface NumberDesk {
    /** For what has no number of its own. */
    NumberDesk NONE = number -> {};

    /** Once by whoever has the number, or could not be made with it. */
    void free(int number);
}
