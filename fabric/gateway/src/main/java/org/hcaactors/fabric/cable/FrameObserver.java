// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cable;

/**
 * Observer of a frames cable: receives every frame as it is on the wire, for example to write a capture. Called on the threads of
 * the cable, several at once, which wait for it; it must not throw, and may not change a frame.
 */
public interface FrameObserver {
    /** Observer that does nothing. */
    FrameObserver NONE = new FrameObserver() {
        @Override
        public void sent(byte[] frame) {}

        @Override
        public void received(byte[] frame) {}
    };

    /** Receives a frame that leaves, from the Ethernet header on. */
    void sent(byte[] frame);

    /** Receives a frame that came in, from the Ethernet header on; whether it is refused is decided later. */
    void received(byte[] frame);
}
