// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

/**
 * What one NUMA node of a host has left, at one instant. Immutable.
 *
 * @param node its number
 * @param bytes in blocks of any size, huge pages not counted
 * @param largestOrder log2 of the bytes of the largest free block; 0 where none is
 * @param hugePages of the pool
 */
public record FreeMemory(int node, long bytes, int largestOrder, int hugePages) {}
