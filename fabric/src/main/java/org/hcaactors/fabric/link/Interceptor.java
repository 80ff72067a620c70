package org.hcaactors.fabric.link;

/** Judges each packet as it enters the fabric, on the fabric's thread, in order. Must not block. */
@FunctionalInterface
public interface Interceptor {
    Interceptor NONE = transit -> Verdict.PASS;

    Verdict judge(Transit transit);
}
