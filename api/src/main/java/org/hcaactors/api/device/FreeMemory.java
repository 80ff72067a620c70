// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

/**
 * Free memory of one NUMA node of a host, at one instant. Immutable.
 *
 * @param node number of the node
 * @param bytes free bytes in blocks of any size, huge pages excluded
 * @param largestOrder log2 of the size of the largest free block in bytes; 0 if there is none
 * @param hugePages number of free huge pages in the pool
 */
public record FreeMemory(int node, long bytes, int largestOrder, int hugePages) {}
