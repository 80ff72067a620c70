// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.service;

/**
 * Receives the number of a destroyed object, as the object's last action. A death watch would do the same for 170 bytes for
 * each object. Any thread.
 */
public interface NumberDesk {
    /** For objects without a number. */
    NumberDesk NONE = new NumberDesk() {
        @Override
        public void free(int number) {}

        @Override
        public void hold(int number) {}

        @Override
        public void release(int number) {}
    };

    /** Frees a number; called once by its object, or if the object could not be created. */
    void free(int number);

    // rule cm-time-wait
    /** Keeps a number that is in use from being assigned again, also when it is free, until it is released. */
    void hold(int number);

    /** Ends a hold; without effect if the number is not held. */
    void release(int number);
}
