package org.hcaactors.lab.conform;

/**
 * Something that our machines do otherwise, for no known reason.
 *
 * @param frame in the capture, from 1; 0 where there is none
 * @param captured what stands in the capture, in words
 * @param ours what our machine did instead
 */
public record Mismatch(int frame, String captured, String ours) {
    @Override
    public String toString() {
        return (frame == 0 ? "" : "frame " + frame + ": ") + "captured " + captured + "; ours " + ours;
    }
}
