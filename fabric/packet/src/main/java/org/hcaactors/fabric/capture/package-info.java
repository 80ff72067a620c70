// SPDX-License-Identifier: Apache-2.0
/** Capture files: reads pcap and pcapng, writes pcapng. */
@NullMarked
package org.hcaactors.fabric.capture;

import org.jspecify.annotations.NullMarked;
