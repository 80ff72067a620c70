// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.fabric.packet.Octets;

/**
 * What a completion carries of a message or a result.
 *
 * @param to where it is copied when the completion is polled
 * @param bytes at most 64, and nobody else's
 * @param event that it was put there, 0 where nothing is traced
 */
public record InlineData(List<LocalSlice> to, Octets bytes, long event) {
    /** Bytes that there is room for. */
    long room() {
        return LocalSlice.lengthBytes(to);
    }
}
