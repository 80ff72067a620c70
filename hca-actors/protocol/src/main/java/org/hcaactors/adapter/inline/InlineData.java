// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.fabric.packet.Octets;

/**
 * Data of a message or result in its completion.
 *
 * @param to buffers that the data is copied to when the completion is polled
 * @param bytes at most 64 bytes, not shared
 * @param event event that put the data there, 0 if nothing is traced
 */
public record InlineData(List<LocalSlice> to, Octets bytes, long event) {
    /** Total length of the buffers. */
    long room() {
        return LocalSlice.lengthBytes(to);
    }
}
