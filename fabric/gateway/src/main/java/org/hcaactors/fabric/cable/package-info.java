// SPDX-License-Identifier: Apache-2.0
/** Cables out of the JVM, as a program describes them. */
@NullMarked
package org.hcaactors.fabric.cable;

import org.jspecify.annotations.NullMarked;
