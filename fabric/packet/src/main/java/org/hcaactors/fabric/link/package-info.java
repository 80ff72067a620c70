// SPDX-License-Identifier: Apache-2.0
/** Ports, cables and routing: the switchboard machine. */
@NullMarked
package org.hcaactors.fabric.link;

import org.jspecify.annotations.NullMarked;
