// SPDX-License-Identifier: Apache-2.0
/** Management datagrams (MADs) of communication management, as packets between the queue pairs 1 carry them. */
@NullMarked
package org.hcaactors.fabric.mad;

import org.jspecify.annotations.NullMarked;
