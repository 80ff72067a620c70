// SPDX-License-Identifier: Apache-2.0
/** Capture files: pcap and pcapng in, pcapng out. */
@NullMarked
package org.hcaactors.fabric.capture;

import org.jspecify.annotations.NullMarked;
