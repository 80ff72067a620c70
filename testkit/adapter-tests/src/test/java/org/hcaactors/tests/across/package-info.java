// SPDX-License-Identifier: Apache-2.0
/** Two networks of one JVM, joined by a cable or as nodes of a cluster. */
@NullMarked
package org.hcaactors.tests.across;

import org.jspecify.annotations.NullMarked;
