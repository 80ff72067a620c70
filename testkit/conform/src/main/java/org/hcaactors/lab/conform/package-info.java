// SPDX-License-Identifier: Apache-2.0
/** Real traffic as the judge: one end of a captured conversation is played by our machines, and compared packet by packet. */
@NullMarked
package org.hcaactors.lab.conform;

import org.jspecify.annotations.NullMarked;
