// SPDX-License-Identifier: Apache-2.0
/** Packets and their headers, as they travel inside a JVM. */
@NullMarked
package org.hcaactors.fabric.packet;

import org.jspecify.annotations.NullMarked;
