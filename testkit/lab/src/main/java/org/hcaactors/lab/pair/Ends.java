// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

/** Two ends that communicate with each other. */
public record Ends<E extends End>(E a, E b) {}
