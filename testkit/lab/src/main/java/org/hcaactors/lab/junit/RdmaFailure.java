// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

/** The story of a failed run, attached to what made it fail. */
final class RdmaFailure extends Error {
    private static final long serialVersionUID = 1L;

    RdmaFailure(String story) {
        super(story, null, false, false);
    }
}
