// SPDX-License-Identifier: Apache-2.0
/** Entry point: a network with its fabric, adapters and clock, and Pekko sources. */
@NullMarked
package org.hcaactors.network;

import org.jspecify.annotations.NullMarked;
