// SPDX-License-Identifier: Apache-2.0
/** Ports, links and routing: the switch machine. */
@NullMarked
package org.hcaactors.fabric.link;

import org.jspecify.annotations.NullMarked;
