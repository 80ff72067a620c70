package org.hcaactors.adapter.memory;

/** A region's hold on host memory, which is not unmapped meanwhile. Any thread. */
public final class Pin {
    private final HostBuffers memory;
    private volatile String holder = "a region that is being registered";

    Pin(HostBuffers memory) {
        this.memory = memory;
    }

    /** @param region as it describes itself */
    public void heldBy(String region) {
        holder = region;
    }

    /** The region is gone; again does nothing. */
    public void release() {
        memory.released(this);
    }

    @Override
    public String toString() {
        return holder;
    }
}
