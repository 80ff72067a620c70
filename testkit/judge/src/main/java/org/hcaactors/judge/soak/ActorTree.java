// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.ArrayList;
import java.util.List;

/** Parser for the tree that an actor system prints of itself, since there is no other way to inspect it. */
final class ActorTree {
    private static final String BRANCH = "-> ";
    private static final int INDENT = 4;

    private ActorTree() {}

    /** Returns the names of the actors below the children of that actor. */
    static List<String> belowAdapters(String printed, String network) {
        List<String> below = new ArrayList<>();
        int root = Integer.MAX_VALUE;
        for (String line : printed.lines().toList()) {
            int depth = line.indexOf(BRANCH);
            String name =
                    depth < 0 ? "" : line.substring(depth + BRANCH.length()).split(" ", 2)[0];
            if (name.equals(network)) {
                root = depth;
            } else if (depth <= root) {
                root = Integer.MAX_VALUE;
            } else if (depth > root + INDENT) {
                below.add(name);
            }
        }
        return below;
    }
}
