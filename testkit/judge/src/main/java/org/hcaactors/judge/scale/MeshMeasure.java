// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

/** Tells what a mesh takes. */
public interface MeshMeasure {
    /** Before the first mesh of that scheme, so that it is not charged with what only a first one takes. */
    default void warm(Scheme scheme) {}

    Measurement measure(Scheme scheme, Cluster cluster);
}
