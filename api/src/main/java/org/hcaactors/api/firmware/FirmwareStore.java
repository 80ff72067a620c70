// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.util.Optional;

// rule firmware-kept
/**
 * Where the settings of adapters are kept between one program and the next.
 *
 * <p>Threads: any; one call at a time for one adapter. Limits: settings have a few KiB.
 *
 * <p>For implementation: no method will be added.
 */
public interface FirmwareStore {
    /** Settings go with their network. */
    FirmwareStore NONE = new FirmwareStore() {
        @Override
        public Optional<byte[]> load(String adapter) {
            return Optional.empty();
        }

        @Override
        public void keep(String adapter, byte[] settings) {}

        @Override
        public String place(String adapter) {
            return "memory";
        }
    };

    /** What was kept last; empty where nothing was. FirmwareException where it can't be read. */
    Optional<byte[]> load(String adapter);

    /**
     * When it returns these are kept; when it throws, these or those of before, whole. FirmwareException where that can't be
     * done.
     */
    void keep(String adapter, byte[] settings);

    /** Where they are, for people. */
    String place(String adapter);
}
