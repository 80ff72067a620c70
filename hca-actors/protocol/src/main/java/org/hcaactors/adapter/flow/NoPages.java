// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

// rule pages-refused
/**
 * A buffer's type requires pages that the host does not have.
 *
 * @param variable environment variable that sets the type
 * @param type type in force
 * @param firstOrder first order of the blocks that were tried; 0 if none were
 * @param lastOrder last order of the blocks that were tried; 0 if the host's kernel has no contiguous pages
 * @param node preferred NUMA node; -1 for any
 * @param freeBytes free memory of the host
 * @param largestOrder largest free block; 0 for none
 * @param hugePages free huge pages
 */
public record NoPages(
        String variable,
        String type,
        long lengthBytes,
        int firstOrder,
        int lastOrder,
        int node,
        long freeBytes,
        int largestOrder,
        int hugePages)
        implements Reason {}
