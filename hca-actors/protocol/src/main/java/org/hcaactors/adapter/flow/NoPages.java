// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

// rule pages-refused
/**
 * A buffer can't have the pages that its type asks for.
 *
 * @param variable that says the type
 * @param type in force
 * @param firstOrder of the blocks that were tried; 0 where none were
 * @param lastOrder of the blocks that were tried; 0 where the host's kernel gives none
 * @param node that they should be on; -1 for any
 * @param freeBytes that the host has left
 * @param largestOrder of what it has left; 0 for nothing
 * @param hugePages that it has left
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
