// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.util.List;

/**
 * A frame of a capture: what stands around its packet, and the packet.
 *
 * @param wrappings from the outside in, {@link Decapsulation#MAX_WRAPPINGS} at most
 * @param content what stands inside
 */
public record Unwrapped(List<Wrapping> wrappings, Decoded content) {
    public Unwrapped {
        wrappings = List.copyOf(wrappings);
    }

    /**
     * Never throws on bytes.
     *
     * @param frame as captured; not kept
     * @param originalLength of the frame on the wire; what is missing was cut off by who captured it
     */
    public static Unwrapped read(byte[] frame, int originalLength, LinkLayer layer) {
        byte[] bytes = frame.clone();
        return new Decapsulation(bytes, bytes.length < Integer.toUnsignedLong(originalLength)).unwrap(layer);
    }

    /** A link layer that is not known is another protocol. */
    public static Unwrapped read(byte[] frame, int originalLength, int linkType) {
        return LinkLayer.of(linkType)
                .map(layer -> read(frame, originalLength, layer))
                .orElseGet(() -> new Unwrapped(List.of(), new Decoded.NotRoce("link type " + linkType)));
    }
}
