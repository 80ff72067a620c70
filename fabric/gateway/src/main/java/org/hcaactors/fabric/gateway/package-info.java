// SPDX-License-Identifier: Apache-2.0
/** The gateway between a fabric and a cable: its actor, its threads, and their machines. */
@NullMarked
package org.hcaactors.fabric.gateway;

import org.jspecify.annotations.NullMarked;
