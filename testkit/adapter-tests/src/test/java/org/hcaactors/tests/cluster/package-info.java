// SPDX-License-Identifier: Apache-2.0
/** One fabric over the nodes of a Pekko cluster. */
@NullMarked
package org.hcaactors.tests.cluster;

import org.jspecify.annotations.NullMarked;
