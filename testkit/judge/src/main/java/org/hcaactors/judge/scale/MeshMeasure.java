// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

/** Measures a mesh. */
public interface MeshMeasure {
    /** Called before the first mesh of a scheme, so that its figures do not include one-time costs. */
    default void warm(Scheme scheme) {}

    Measurement measure(Scheme scheme, Cluster cluster);
}
