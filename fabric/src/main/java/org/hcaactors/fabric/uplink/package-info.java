// SPDX-License-Identifier: Apache-2.0
/** Ways out of the JVM for a fabric. */
@NullMarked
package org.hcaactors.fabric.uplink;

import org.jspecify.annotations.NullMarked;
