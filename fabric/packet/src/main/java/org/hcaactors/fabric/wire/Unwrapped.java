// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.util.List;

/**
 * A decoded frame of a capture: the headers around its packet, and the packet.
 *
 * @param wrappings from the outermost one, at most {@link Decapsulation#MAX_WRAPPINGS}
 * @param content the packet
 */
public record Unwrapped(List<Wrapping> wrappings, Decoded content) {
    public Unwrapped {
        wrappings = List.copyOf(wrappings);
    }

    /**
     * Decodes a frame; never throws because of its bytes.
     *
     * @param frame as captured; not retained
     * @param originalLength length on the wire; missing bytes were removed by the capture
     */
    public static Unwrapped read(byte[] frame, int originalLength, LinkLayer layer) {
        byte[] bytes = frame.clone();
        return new Decapsulation(bytes, bytes.length < Integer.toUnsignedLong(originalLength)).unwrap(layer);
    }

    /** Decodes a frame; an unknown link layer is reported as another protocol. */
    public static Unwrapped read(byte[] frame, int originalLength, int linkType) {
        return LinkLayer.of(linkType)
                .map(layer -> read(frame, originalLength, layer))
                .orElseGet(() -> new Unwrapped(List.of(), new Decoded.NotRoce("link type " + linkType)));
    }
}
