// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.util.Optional;

// rule firmware-kept
/**
 * Persistent storage for the firmware settings of adapters, from one program to the next.
 *
 * <p>Threads: any; one call at a time for one adapter. Limits: settings have a few KiB.
 *
 * <p>For implementation: no method will be added.
 */
public interface FirmwareStore {
    /** No storage: settings last as long as their network. */
    FirmwareStore NONE = new FirmwareStore() {
        @Override
        public Optional<byte[]> load(String adapter) {
            return Optional.empty();
        }

        @Override
        public void save(String adapter, byte[] settings) {}

        @Override
        public String location(String adapter) {
            return "memory";
        }
    };

    /** Returns the stored settings; empty if there are none. FirmwareException if they cannot be read. */
    Optional<byte[]> load(String adapter);

    /**
     * Stores the settings. After an exception the store has either these or the previous settings, complete. FirmwareException
     * if they cannot be stored.
     */
    void save(String adapter, byte[] settings);

    /** Returns where the settings are stored, for messages. */
    String location(String adapter);
}
