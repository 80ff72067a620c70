// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import org.hcaactors.fabric.cable.FrameObserver;

/** The frames of a cable, for an observer that may come later than the cable. Any thread. */
final class FrameSource implements FrameObserver {
    private volatile FrameObserver observer = NONE;

    /** Replaces the observer. */
    void observed(FrameObserver other) {
        observer = other;
    }

    @Override
    public void sent(byte[] frame) {
        observer.sent(frame);
    }

    @Override
    public void received(byte[] frame) {
        observer.received(frame);
    }
}
