// SPDX-License-Identifier: Apache-2.0
/** Machine of communication management: connections and datagram services of one adapter, without actors. */
@NullMarked
package org.hcaactors.adapter.cm;

import org.jspecify.annotations.NullMarked;
