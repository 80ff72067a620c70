/** Capture files: pcap and pcapng in, pcapng out. */
@NullMarked
package org.hcaactors.fabric.capture;

import org.jspecify.annotations.NullMarked;
